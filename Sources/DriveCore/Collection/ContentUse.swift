/// Which items' contents somebody here may still show or publish. More than what the view shows: whatever a file on this
/// disk, or a folder that is still there, could bring back to life is in use as well.
public struct ContentUse {
    private let onDisk: Set<ItemID>
    private let state: any DriveState

    public init(_ state: any DriveState) throws {
        self.state = state
        var items: Set<ItemID> = []
        try state.eachRow { row in for member in row.members { items.insert(member.item) } }
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
        try eachContent { result.insert($0) }
        return Array(result)
    }

    /// As `contents`, one at a time; what several items have comes as often.
    public func eachContent(_ body: (Content) throws -> Void) throws {
        try state.eachItem { item in
            if holds(item) { for head in item.state.heads { try body(head.content) } }
        }
        for group in try state.pendingGroups() {
            for record in group.records { for head in record.heads { try body(head.content) } }
        }
    }
}
