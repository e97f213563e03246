import DriveCore

// What is on this device's disk.
extension DriveIndex {
    public func row(_ id: RowID) throws -> Row? { try connection.first(Self.rowByID, .int(id.rawValue), read: readRow) }

    public func children(of folder: RowID) throws -> [Row] {
        try connection.all(Self.childrenOfRow, .int(folder.rawValue), read: readRow)
    }

    public func child(of folder: RowID, named name: FileName) throws -> Row? {
        try connection.first(Self.childNamed, .int(folder.rawValue), .name(name), read: readRow)
    }

    public func rows(holding item: ItemID) throws -> [Row] {
        guard let key = try keys.knownKey(of: item) else { return [] }
        return try connection.all(Self.rowsHolding, .int(key), read: readRow)
    }

    public func row(identity: FileIdentity) throws -> Row? {
        try connection.all(Self.rowsOfInode, .bits(identity.inode), read: readRow)
            .first { $0.facts.identity == identity }
    }

    public func rows(hash: ContentHash) throws -> [Row] {
        try connection.all(Self.rowsOfHash, .bits(hash.words.0), read: readRow).filter { $0.hash == hash }
    }

    public func parkedRows() throws -> [Row] { try connection.all(Self.parked, read: readRow) }
    public func heldRows() throws -> [Row] { try connection.all(Self.held, read: readRow) }
    public func allRows() throws -> [Row] { try connection.all(Self.everyRow, read: readRow) }

    public func rows(after id: RowID, limit: Int) throws -> [Row] {
        try connection.all(Self.nextRows, .int(id.rawValue), .int(Int64(limit)), read: readRow)
    }

    /// The root left out.
    public func rowCount() throws -> Int {
        if let count = known.rowCount { return count }
        let count = try connection.first(Self.countRows) { Int($0.int(0)) - 1 } ?? 0
        known.rowCount = count
        return count
    }

    public func save(_ row: Row) throws {
        try transaction {
            let old = try self.row(row.id)
            try write(row)
            try noteForSearch(row.id, from: old, to: row)
            let oldItems = Set(old?.members.map(\.item) ?? [])
            let items = Set(row.members.map(\.item))
            for item in oldItems.subtracting(items) { try write(row.id, item, Self.removeMember) }
            for item in items.subtracting(oldItems) { try write(row.id, item, Self.addMember) }
            if old == nil, let count = known.rowCount { known.rowCount = count + 1 }
        }
    }

    private func write(_ row: Row) throws {
        let facts = row.facts
        try connection.run(
            Self.saveRow, .int(row.id.rawValue), .int(row.parent.rawValue), .int(Int64(row.kind.rawValue)),
            .bool(row.isParked), .bool(row.isHeld), .bool(row.isDerived), .bits(facts.identity.inode),
            .bits(facts.size), .int(facts.modified.seconds), row.hash.map { .bits($0.words.0) } ?? .null,
            .name(row.name), .optional(NameFolding.folded(row.name)), .blob(try RowCoding.encode(row, keys)))
    }

    private func write(_ row: RowID, _ item: ItemID, _ query: Query) throws {
        try connection.run(query, .int(try keys.key(of: item)), .int(row.rawValue))
    }

    public func remove(_ id: RowID) throws {
        try transaction {
            guard let row = try self.row(id) else { return }
            for item in Set(row.members.map(\.item)) { try write(id, item, Self.removeMember) }
            try connection.run(Self.removeRow, .int(id.rawValue))
            try noteForSearch(id, from: row, to: nil)
            if let count = known.rowCount { known.rowCount = count - 1 }
        }
    }

    /// Never one that was given before.
    public func newRowID() throws -> RowID {
        try transaction {
            let next = try known.nextRow ?? savedNextRow()
            known.nextRow = next + 1
            known.isNextRowSaved = false
            return RowID(rawValue: next)
        }
    }

    private func savedNextRow() throws -> Int64 {
        guard let bytes = try memory("nextRow") else { return RowID.root.rawValue + 1 }
        var reader = ByteReader(bytes)
        return try reader.fixed(Int64.self)
    }

    /// Once for each transaction that gave ids.
    func saveNextRow() throws {
        guard !known.isNextRowSaved, let next = known.nextRow else { return }
        var writer = ByteWriter()
        writer.fixed(next)
        try setMemory(writer.bytes, "nextRow")
        known.isNextRowSaved = true
    }

    func readRow(_ row: borrowing Cursor) throws -> Row {
        guard let kind = ItemKind(rawValue: UInt8(truncatingIfNeeded: row.int(2))) else { throw DriveError.damagedBlob }
        let columns = RowColumns(
            id: RowID(rawValue: row.int(0)), parent: RowID(rawValue: row.int(1)), kind: kind,
            isParked: row.int(3) != 0, isHeld: row.int(4) != 0, isDerived: row.int(5) != 0, inode: row.bits(6),
            size: row.bits(7), modified: row.int(8), hash: row.bits(9), name: row.name(10))
        return try RowCoding.decode(row.blob(11), into: columns, keys)
    }

    static let rowColumns =
        "id, row.parent, row.kind, parked, held, derived, inode, size, modified, hash, row.name, rest"
    private static let select = "SELECT \(rowColumns) FROM row"
    // The root is in no folder, though its row names itself as its parent.
    private static let rowByID = Query("\(select) WHERE id = ?")
    private static let childrenOfRow = Query("\(select) WHERE parent = ? AND parked = 0 AND id <> 1 ORDER BY id")
    private static let childNamed = Query(
        "\(select) WHERE parent = ? AND name = ? AND parked = 0 AND id <> 1 ORDER BY id LIMIT 1")
    private static let rowsHolding = Query(
        "SELECT \(rowColumns) FROM baseMember JOIN row ON id = baseMember.row WHERE baseMember.item = ? ORDER BY id")
    private static let rowsOfInode = Query("\(select) WHERE inode = ? AND id <> 1 ORDER BY id")
    private static let rowsOfHash = Query("\(select) WHERE hash = ? ORDER BY id")
    private static let parked = Query("\(select) WHERE parked = 1 ORDER BY id")
    private static let held = Query("\(select) WHERE held = 1 ORDER BY id")
    private static let everyRow = Query("\(select) ORDER BY id")
    private static let nextRows = Query("\(select) WHERE id > ? ORDER BY id LIMIT ?")
    private static let countRows = Query("SELECT count(*) FROM row")
    private static let saveRow = Query(
        """
        INSERT INTO row (id, parent, kind, parked, held, derived, inode, size, modified, hash, name, folded, rest)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
        ON CONFLICT (id) DO UPDATE SET parent = ?2, kind = ?3, parked = ?4, held = ?5, derived = ?6, inode = ?7,
            size = ?8, modified = ?9, hash = ?10, name = ?11, folded = ?12, rest = ?13
        """)
    private static let removeRow = Query("DELETE FROM row WHERE id = ?")
    private static let addMember = Query("INSERT INTO baseMember (item, row) VALUES (?, ?)")
    private static let removeMember = Query("DELETE FROM baseMember WHERE item = ? AND row = ?")
}
