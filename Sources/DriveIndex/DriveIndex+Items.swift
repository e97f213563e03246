import DriveCore

// Item states and their shapes.
extension DriveIndex {
    public func item(_ id: ItemID) throws -> StoredItem? {
        try connection.first(Self.itemByID, .id(id)) { try storedItem($0, id) }
    }

    public func children(of parent: ItemID, named name: FileName?) throws -> [StoredItem] {
        guard let key = try keys.knownKey(of: parent) else { return [] }
        if let name {
            return try connection.all(Self.childrenNamed, .int(key), .name(name)) { try storedItem($0, try $0.id(9)) }
        }
        return try connection.all(Self.childrenOfItem, .int(key)) { try storedItem($0, try $0.id(9)) }
    }

    public func pendingChildren(of parent: ItemID) throws -> [ItemID] { try ids(Self.pendingChildren, parent) }

    public func items(markedBy folder: ItemID) throws -> [ItemID] { try ids(Self.markedBy, folder) }

    public func members(ofNode node: ItemID) throws -> [ItemID] {
        node == .root ? [.root] : try ids(Self.membersOfNode, node)
    }

    public func allItems() throws -> [StoredItem] {
        try connection.all(Self.everyItem) { try storedItem($0, try $0.id(9)) }
    }

    func item(key: Int64) throws -> StoredItem? {
        try connection.first(Self.itemByKey, .int(key)) { try storedItem($0, try $0.id(9)) }
    }

    private func ids(_ query: Query, _ item: ItemID) throws -> [ItemID] {
        guard let key = try keys.knownKey(of: item) else { return [] }
        return try connection.all(query, .int(key)) { try $0.id(0) }
    }

    private func storedItem(_ row: borrowing Cursor, _ id: ItemID) throws -> StoredItem {
        let parent = try row.optionalInt(2).map(keys.item)
        guard let kind = ItemKind(rawValue: UInt8(truncatingIfNeeded: row.int(1))), let parent else {
            throw DriveError.damagedBlob
        }
        let state = try StateCoding.decode(row.blob(8), id: id, kind: kind, name: row.name(7), parent: parent, keys)
        var shape = ItemShape()
        shape.parent = try row.optionalInt(3).map(keys.item)
        shape.node = try row.optionalInt(4).map(keys.item)
        shape.isAlive = row.int(5) != 0
        shape.shownChildren = Int(row.int(6))
        return StoredItem(state: state, shape: shape)
    }

    private static let columns = "key, kind, parent, eff, node, alive, shownChildren, name, state, uid"
    private static let itemByID = Query("SELECT \(columns) FROM item WHERE uid = ? AND kind IS NOT NULL")
    private static let itemByKey = Query("SELECT \(columns) FROM item WHERE key = ? AND kind IS NOT NULL")
    private static let childrenOfItem = Query("SELECT \(columns) FROM item WHERE eff = ?")
    private static let childrenNamed = Query("SELECT \(columns) FROM item WHERE eff = ? AND name = ?")
    private static let everyItem = Query("SELECT \(columns) FROM item WHERE kind IS NOT NULL")
    private static let pendingChildren = Query(
        "SELECT uid FROM item WHERE parent = ? AND eff IS NULL AND kind IS NOT NULL")
    private static let markedBy = Query("SELECT uid FROM mark JOIN item ON key = mark.item WHERE folder = ?")
    private static let membersOfNode = Query("SELECT uid FROM item WHERE node = ? ORDER BY uid")
}
