/// Which items' contents somebody here may still show or publish. More than what the view shows: whatever a file on this
/// disk, or a folder that is still there, could bring back to life is in use as well.
public struct ContentUse {
    private let onDisk: Set<ItemID>
    private let state: any DriveState

    public init(_ state: any DriveState) throws {
        self.state = state
        var items: Set<ItemID> = []
        for row in try state.allRows() { items.formUnion(row.members.map(\.item)) }
        for group in try state.pendingGroups() { items.formUnion(group.records.map(\.id)) }
        onDisk = items
    }

    /// Alive, or kept from being dead for good by something on this disk: a file that stands for it, or a folder together
    /// with which it was deleted and whose return would void the deletion.
    func holds(_ item: StoredItem) -> Bool {
        if item.shape.isAlive || onDisk.contains(item.id) { return true }
        return item.state.life.contains { life in life.mark.folders.contains(where: onDisk.contains) }
    }

    /// All contents in use, of each item every one that it has: which of them is shown may change.
    public func contents() throws -> [Content] {
        var result: Set<Content> = []
        for item in try state.allItems() where holds(item) { result.formUnion(item.state.heads.map(\.content)) }
        for record in try state.pendingGroups().flatMap(\.records) { result.formUnion(record.heads.map(\.content)) }
        return Array(result)
    }
}
