import DriveCore

// Item states and their shapes.
extension DriveIndex {
    public func item(_ id: ItemID) throws -> StoredItem? {
        if let filter, !filter.mayHave(item: id) { return nil }
        guard hasAtHand else { return try connection.first(Self.itemByID, .id(id)) { try storedItem($0, id) } }
        try makeRoom()
        return try itemAtHand(id).item
    }

    public func children(of parent: ItemID, named name: FileName?) throws -> [StoredItem] {
        guard let name else {
            let changed = items.waitingChildren(of: parent)
            return try childrenInTables(of: parent).filter { !items.isWaiting($0.id) } + changed
        }
        let place = GroupKey(node: parent, name: name)
        guard hasAtHand else {
            var found: [StoredItem] = []
            try eachChildInTables(place) { row, id in found.append(try storedItem(row, id)) }
            return found
        }
        try makeRoom()
        let known = try items.inTables(place) ?? askTables(for: place)
        return items.children(of: parent, named: name, inTables: known)
    }

    private func childrenInTables(of parent: ItemID) throws -> [StoredItem] {
        guard let key = try tableKey(of: parent) else { return [] }
        return try connection.all(Self.childrenOfItem, .int(key)) { try storedItem($0, try $0.id(9)) }
    }

    private func askTables(for place: GroupKey) throws -> [ItemID] {
        var found: [ItemID] = []
        try eachChildInTables(place) { row, id in
            found.append(id)
            if items[id] == nil { keep(try entry(row, id), id) }
        }
        items.setInTables(place, found)
        return found
    }

    private func eachChildInTables(_ place: GroupKey, _ body: (borrowing Cursor, ItemID) throws -> Void) throws {
        if let filter, !filter.mayHave(itemIn: place.node, named: place.name) { return }
        guard let key = try tableKey(of: place.node) else { return }
        try connection.each(Self.childrenNamed, [.int(key), .name(place.name)]) { try body($0, try $0.id(9)) }
    }

    public func pendingChildren(of parent: ItemID) throws -> [ItemID] {
        try merged(Self.pendingChildren, parent, items.waiting(pendingIn: parent))
    }

    public func items(markedBy folder: ItemID) throws -> [ItemID] {
        try merged(Self.markedBy, folder, items.waiting(markedBy: folder))
    }

    public func members(ofNode node: ItemID) throws -> [ItemID] {
        if node == .root { return [.root] }
        let changed = items.waiting(inNode: node)
        let found = try items.inTables(node: node) ?? askTables(for: node)
        return (found.filter { !items.isWaiting($0) } + changed).sorted()
    }

    private func askTables(for node: ItemID) throws -> [ItemID] {
        let key = try tableKey(of: node)
        let found = try key.map { try connection.all(Self.membersOfNode, .int($0)) { try $0.id(0) } } ?? []
        if hasAtHand { items.setInTables(node: node, found) }
        return found
    }

    private func merged(_ query: Query, _ item: ItemID, _ changed: Set<ItemID>) throws -> [ItemID] {
        guard let key = try tableKey(of: item) else { return Array(changed) }
        let found = try connection.all(query, .int(key)) { try $0.id(0) }
        return found.filter { !items.isWaiting($0) } + changed
    }

    public func eachItem(_ body: (StoredItem) throws -> Void) throws {
        try connection.each(Self.everyItem) { try body(try storedItem($0, try $0.id(9))) }
    }

    /// The names of what is alive in folders that are not known here: there is hardly ever any.
    public func namesWithoutFolder() throws -> Set<FileName> {
        Set(try connection.all(Self.namesWithoutFolder) { $0.name(0) })
    }

    func item(key: Int64) throws -> StoredItem? {
        try connection.first(Self.itemByKey, .int(key)) { try storedItem($0, try $0.id(9)) }
    }

    func storedItem(_ row: borrowing Cursor, _ id: ItemID) throws -> StoredItem {
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
    private static let itemByID = Query(beneath: "SELECT \(columns) FROM item WHERE uid = ? AND kind IS NOT NULL")
    private static let itemByKey = Query("SELECT \(columns) FROM item WHERE key = ? AND kind IS NOT NULL")
    private static let childrenOfItem = Query(beneath: "SELECT \(columns) FROM item WHERE eff = ?")
    private static let childrenNamed = Query(
        beneath: "SELECT \(columns), own, covered FROM item WHERE eff = ? AND name = ?")
    private static let everyItem = Query("SELECT \(columns) FROM item WHERE kind IS NOT NULL")
    private static let pendingChildren = Query(
        beneath: "SELECT uid FROM item WHERE parent = ? AND eff IS NULL AND kind IS NOT NULL")
    static let namesWithoutFolder = Query(
        "SELECT name FROM item INDEXED BY itemPending WHERE eff IS NULL AND kind IS NOT NULL AND alive = 1")
    private static let markedBy = Query(beneath: "SELECT uid FROM mark JOIN item ON key = mark.item WHERE folder = ?")
    private static let membersOfNode = Query(beneath: "SELECT uid FROM item WHERE node = ? ORDER BY uid")
}
