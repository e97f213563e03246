import DriveCore

/// How the file of a row stands.
protocol ItemStates {
    /// Whether the drive was ever in step with a store; in one that was not, nothing is in any cloud.
    var isConnected: Bool { get }
    func state(of row: Row) -> SyncState
}

/// How files stand, at one moment.
///
/// For one search, or one item: what it knows is not brought up to date.
final class SyncStates: ItemStates {
    let isConnected: Bool
    private let index: DriveIndex
    private let dirty: Set<ItemID>
    private let published: UInt64
    private let isAllPublished: Bool
    /// Whoever asks an attribute cannot be told that the disk fails, and looks here afterwards.
    private var failure: (any Error)?

    init(_ index: DriveIndex) throws {
        self.index = index
        dirty = try index.dirtyItems()
        published = try index.journal().published
        let last = try index.numbers().last
        isAllPublished = last <= published
        isConnected = try last > 0 || !index.token().entries.isEmpty
    }

    func throwFailure() throws { if let failure { throw failure } }

    func state(of row: Row) -> SyncState {
        if row.isHeld { return .held }
        if row.isParked { return .waiting }
        if row.isDerived { return .conflict }
        if row.members.contains(where: { dirty.contains($0.item) }) { return .downloading }
        return !isAllPublished && row.members.contains(where: isUnpublished) ? .uploading : .synced
    }

    private func isUnpublished(_ member: Member) -> Bool {
        do { return try index.ownRecord(of: member.item).map { $0.n > published } ?? false } catch {
            failure = failure ?? error
            return false
        }
    }
}
