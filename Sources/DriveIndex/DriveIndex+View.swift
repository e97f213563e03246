import DriveCore

// What the view keeps besides items.
extension DriveIndex {
    public func undone() throws -> Set<ItemID> {
        Set(try connection.all(Self.undoneItems) { try keys.item($0.int(0)) })
    }

    public func setUndone(_ items: Set<ItemID>) throws {
        try transaction {
            try connection.run(Self.clearUndone)
            for item in items.sorted() { try connection.run(Self.addUndone, .int(try keys.key(of: item))) }
        }
    }

    public func derivedNames(in node: ItemID) throws -> [DerivedName] {
        guard let key = try keys.knownKey(of: node) else { return [] }
        return try connection.all(Self.derivedOfNode, .int(key)) { row in
            DerivedName(
                name: row.name(0), ownName: row.name(1), item: try keys.item(row.int(2)),
                dot: Dot(device: try keys.device(row.int(3)), n: row.bits(4)))
        }
    }

    public func setDerivedNames(_ names: [DerivedName], in node: ItemID) throws {
        try transaction {
            let key = try keys.key(of: node)
            try connection.run(Self.clearDerived, .int(key))
            for (place, name) in names.enumerated() {
                try connection.run(
                    Self.addDerived, .int(key), .int(Int64(place)), .name(name.name), .name(name.ownName),
                    .int(try keys.key(of: name.item)), .int(try keys.key(of: name.dot.device)), .bits(name.dot.n))
            }
        }
    }

    public func nodesWithDerivedNames() throws -> [ItemID] {
        try connection.all(Self.derivedNodes) { try keys.item($0.int(0)) }.sorted()
    }

    public func dirt() throws -> ViewDirt {
        if let dirt = known.dirt { return dirt }
        let groups = try connection.all(Self.dirtyGroups) { GroupKey(node: try keys.item($0.int(0)), name: $0.name(1)) }
        let items = try connection.all(Self.dirtyItems) { try keys.item($0.int(0)) }
        let dirt = ViewDirt(groups: Set(groups), items: Set(items))
        known.dirt = dirt
        return dirt
    }

    /// Written once, when the transaction ends: most of what becomes dirty in one is clean again before its end.
    public func setDirt(_ dirt: ViewDirt) throws {
        try transaction {
            if known.savedDirt == nil { known.savedDirt = try self.dirt() }
            known.dirt = dirt
        }
    }

    /// Writes the difference to what the tables hold.
    func saveDirt() throws {
        guard let old = known.savedDirt, let dirt = known.dirt else { return }
        known.savedDirt = nil
        guard old != dirt else { return }
        if dirt.isEmpty {
            try connection.run(Self.clearDirtyGroups)
            try connection.run(Self.clearDirtyItems)
            return
        }
        for group in old.groups where !dirt.groups.contains(group) { try write(group, Self.removeDirtyGroup) }
        for group in dirt.groups where !old.groups.contains(group) { try write(group, Self.addDirtyGroup) }
        for item in old.items where !dirt.items.contains(item) { try write(item, Self.removeDirtyItem) }
        for item in dirt.items where !old.items.contains(item) { try write(item, Self.addDirtyItem) }
    }

    private func write(_ group: GroupKey, _ query: Query) throws {
        try connection.run(query, .int(try keys.key(of: group.node)), .name(group.name))
    }

    private func write(_ item: ItemID, _ query: Query) throws {
        try connection.run(query, .int(try keys.key(of: item)))
    }

    /// Of `dirt`. A reader, which others write beside, does not keep it.
    public func dirtyItems() throws -> Set<ItemID> {
        try known.dirt?.items ?? Set(connection.all(Self.dirtyItems) { try keys.item($0.int(0)) })
    }

    private static let undoneItems = Query("SELECT item FROM undone")
    private static let clearUndone = Query("DELETE FROM undone")
    private static let addUndone = Query("INSERT INTO undone (item) VALUES (?)")
    private static let derivedOfNode = Query(
        "SELECT name, ownName, item, device, n FROM derived WHERE node = ? ORDER BY place")
    private static let derivedNodes = Query("SELECT DISTINCT node FROM derived")
    private static let clearDerived = Query("DELETE FROM derived WHERE node = ?")
    private static let addDerived = Query(
        "INSERT INTO derived (node, place, name, ownName, item, device, n) VALUES (?, ?, ?, ?, ?, ?, ?)")
    private static let dirtyGroups = Query("SELECT node, name FROM dirtyGroup")
    private static let dirtyItems = Query("SELECT item FROM dirtyItem")
    private static let clearDirtyGroups = Query("DELETE FROM dirtyGroup")
    private static let clearDirtyItems = Query("DELETE FROM dirtyItem")
    private static let addDirtyGroup = Query("INSERT INTO dirtyGroup (node, name) VALUES (?, ?)")
    private static let removeDirtyGroup = Query("DELETE FROM dirtyGroup WHERE node = ? AND name = ?")
    private static let addDirtyItem = Query("INSERT INTO dirtyItem (item) VALUES (?)")
    private static let removeDirtyItem = Query("DELETE FROM dirtyItem WHERE item = ?")
}
