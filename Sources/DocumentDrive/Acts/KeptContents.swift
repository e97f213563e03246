import DriveCore

/// Which contents may still be somewhere: all, where there is a store to ask.
struct KeptContents {
    private let state: any DriveState
    private let trashed: Set<ContentHash>?

    init(_ state: any DriveState, hasStore: Bool) throws {
        self.state = state
        trashed = hasStore ? nil : Set(try state.trash().compactMap(\.hash))
    }

    func mayHave(_ content: ContentHash) throws -> Bool {
        guard let trashed else { return true }
        return try trashed.contains(content) || !state.rows(hash: content).isEmpty
    }
}
