import DriveCore

/// Which contents may still be somewhere: on the disk, in the trash, and, where there is a store to ask, all but those of which this
/// device knows that they have left it.
final class KeptContents {
    private let state: any DriveState
    private let hasStore: Bool
    private lazy var trashed = Result { Set(try state.trash().compactMap(\.hash)) }
    private lazy var gone = Result { try findGone() }

    init(_ state: any DriveState, hasStore: Bool) { (self.state, self.hasStore) = (state, hasStore) }

    func mayHave(_ content: ContentHash) throws -> Bool {
        if hasStore, try !gone.get().contains(content) { return true }
        return try trashed.get().contains(content) || state.hasRow(hash: content)
    }

    /// What was stored once more has not left.
    private func findGone() throws -> Set<ContentHash> {
        let left = try LeftContents.load(from: state)
        var gone = left.gone
        if gone.isEmpty { return [] }
        func note(_ content: Content) {
            if gone.contains(content.hash), left.standing(of: content).mayBeThere { gone.remove(content.hash) }
        }
        try state.pastContents().forEach(note)
        try state.eachItem { $0.state.heads.map(\.content).forEach(note) }
        return gone
    }
}
