import DriveCore

// Names of conflict copies.
extension DriveIndex {
    public func derivedNames(in node: ItemID) throws -> [DerivedName] {
        guard let key = try keys.knownKey(of: node) else { return [] }
        return try connection.all(Self.derivedOfNode, .int(key)) { try derivedName($0) }.sorted()
    }

    public func derivedNames(of group: GroupKey) throws -> [DerivedName] {
        guard let key = try keys.knownKey(of: group.node) else { return [] }
        return try connection.all(Self.derivedOfGroup, .int(key), .name(group.name)) { try derivedName($0) }.sorted()
    }

    public func derivedName(_ name: FileName, in node: ItemID) throws -> DerivedName? {
        guard let key = try keys.knownKey(of: node) else { return nil }
        return try connection.first(Self.derivedNamed, .int(key), .name(name)) { try derivedName($0) }
    }

    public func hasNumberedNames(in node: ItemID) throws -> Bool? {
        guard let key = try keys.knownKey(of: node) else { return nil }
        return try connection.first(Self.derivedNumbered, .int(key)) { $0.int(0) == 1 }
    }

    public func changeDerivedNames(in node: ItemID, removing old: [DerivedName], adding new: [DerivedName]) throws {
        guard !old.isEmpty || !new.isEmpty else { return }
        placeChanges.forget()
        try transaction {
            let key = try keys.key(of: node)
            for name in old {
                try connection.run(
                    Self.removeDerived, .int(key), .name(name.ownName), .int(try keys.key(of: name.item)),
                    .int(try keys.key(of: name.dot.device)), .bits(name.dot.n))
            }
            for name in new {
                try connection.run(
                    Self.addDerived, .int(key), .name(name.ownName), .int(try keys.key(of: name.item)),
                    .int(try keys.key(of: name.dot.device)), .bits(name.dot.n), .name(name.name),
                    .int(name.isNumbered ? 1 : 0))
            }
        }
    }

    public func nodesWithDerivedNames() throws -> [ItemID] {
        try connection.all(Self.derivedNodes) { try keys.item($0.int(0)) }.sorted()
    }

    private func derivedName(_ row: borrowing Cursor) throws -> DerivedName {
        DerivedName(
            name: row.name(0), ownName: row.name(1), item: try keys.item(row.int(2)),
            dot: Dot(device: try keys.device(row.int(3)), n: row.bits(4)), isNumbered: row.int(5) == 1)
    }

    private static let columns = "SELECT name, ownName, item, device, n, numbered FROM derived"
    private static let derivedOfNode = Query("\(columns) WHERE node = ?")
    static let derivedOfGroup = Query("\(columns) WHERE node = ? AND ownName = ?")
    static let derivedNamed = Query("\(columns) WHERE node = ? AND name = ?")
    static let derivedNumbered = Query("SELECT numbered FROM derived WHERE node = ? ORDER BY numbered DESC LIMIT 1")
    private static let derivedNodes = Query("SELECT DISTINCT node FROM derived")
    static let removeDerived = Query(
        "DELETE FROM derived WHERE node = ? AND ownName = ? AND item = ? AND device = ? AND n = ?")
    private static let addDerived = Query(
        "INSERT INTO derived (node, ownName, item, device, n, name, numbered) VALUES (?, ?, ?, ?, ?, ?, ?)")
}
