import DriveCore

// What is on this device's disk.
extension DriveIndex {
    public func row(_ id: RowID) throws -> Row? {
        guard hasAtHand else { return try connection.first(Self.rowByID, .int(id.rawValue), read: readRow) }
        try makeRoom()
        return try rowAtHand(id)
    }

    public func children(of folder: RowID) throws -> [Row] {
        let found =
            try mayBeInTables(folder)
            ? connection.all(Self.childrenOfRow, .int(folder.rawValue), read: readRow) : []
        let changed = rows.waiting(in: folder)
        return rows.merged(found, with: changed)
    }

    public func glances(in folder: RowID) throws -> [RowGlance] {
        let found =
            try mayBeInTables(folder)
            ? connection.all(Self.glancesOfFolder, .int(folder.rawValue), read: readGlance) : []
        if rows.waiting.isEmpty { return found }
        let kept = found.filter { !rows.isWaiting($0.id) }
        return (kept + rows.waiting(in: folder).map(RowGlance.init)).sorted { $0.id < $1.id }
    }

    private func readGlance(_ row: borrowing Cursor) throws -> RowGlance {
        guard let kind = ItemKind(rawValue: UInt8(truncatingIfNeeded: row.int(1))) else { throw DriveError.damagedBlob }
        let facts = try RowCoding.facts(
            row.blob(7), inode: row.bits(3), size: row.bits(4), modified: row.int(5))
        return RowGlance(
            id: RowID(rawValue: row.int(0)), name: row.name(6), kind: kind, isHeld: row.int(2) & 1 != 0,
            isDerived: row.int(2) & 2 != 0, facts: facts)
    }

    public func child(of folder: RowID, named name: FileName) throws -> Row? {
        try children(of: folder, named: name).first
    }

    public func glances(in folder: RowID, named name: FileName) throws -> [RowGlance] {
        try children(of: folder, named: name).map(RowGlance.init)
    }

    private func children(of folder: RowID, named name: FileName) throws -> [Row] {
        let mayBeThere = filter?.mayHave(rowIn: folder, named: name) ?? true
        let found =
            try mayBeThere && mayBeInTables(folder)
            ? connection.all(Self.childrenNamed, .int(folder.rawValue), .name(name), read: readRow) : []
        let changed = rows.waiting(in: folder, named: name)
        return rows.merged(found, with: changed)
    }

    public func rows(holding item: ItemID) throws -> [Row] {
        try makeRoom()
        let found = try holdersInTables(item)
        let changed = rows.waiting(holding: item)
        return rows.merged(found, with: changed)
    }

    private func holdersInTables(_ item: ItemID) throws -> [Row] {
        if let known = rows.holdersInTables(item) { return known }
        if let filter, !filter.mayHave(rowHolding: item) { return [] }
        let key = try tableKey(of: item)
        guard key != nil || item.row != nil else { return [] }
        var found = try key.map { try connection.all(Self.rowsHolding, .int($0), read: readRow) } ?? []
        if let own = try item.row.flatMap(rowInTables), own.member(item) != nil {
            found = (found + [own]).sorted { $0.id < $1.id }
        }
        if hasAtHand { rows.setHoldersInTables(item, found) }
        return found
    }

    private func rowInTables(_ id: RowID) throws -> Row? {
        try connection.first(Self.rowByID, .int(id.rawValue), read: readRow)
    }

    public func row(identity: FileIdentity) throws -> Row? { try rows(identity: identity).first }

    public func rows(identity: FileIdentity) throws -> [Row] {
        let mayBeThere = filter?.mayHave(.rowOfInode, identity.inode) ?? true
        let found =
            try mayBeThere && hasRowsInTables()
            ? connection.all(Self.rowsOfInode, .bits(identity.inode), read: readRow) : []
        let changed = rows.waiting(inode: identity.inode)
        return rows.merged(found, with: changed)
            .filter { $0.facts.identity == identity && $0.id != .root }
    }

    public func first<Result>(hash: ContentHash, _ body: (Row) throws -> Result?) throws -> Result? {
        for id in rows.mayBeWaiting(hash: hash.words.0) {
            guard let row = rows[id]?.row, row.hash == hash else { continue }
            if let result = try body(row) { return result }
        }
        let mayBeThere = filter?.mayHave(.rowOfHash, hash.words.0) ?? true
        guard try mayBeThere && hasRowsInTables() else { return nil }
        // Nearly always the first one does.
        var (last, limit) = (RowID(rawValue: 0), 1)
        while true {
            let found = try connection.all(
                Self.rowsOfHash, .bits(hash.words.0), .int(last.rawValue), .int(Int64(limit)), read: readRow)
            for row in found where row.hash == hash && !rows.isWaiting(row.id) {
                if let result = try body(row) { return result }
            }
            guard found.count == limit, let end = found.last else { return nil }
            (last, limit) = (end.id, 256)
        }
    }

    public func parkedRows() throws -> [Row] { try connection.all(Self.parked, read: readRow) }
    public func heldRows() throws -> [Row] { try connection.all(Self.held, read: readRow) }

    public func heldRowCount() throws -> Int { try connection.first(Self.countHeld) { Int($0.int(0)) } ?? 0 }

    /// The rows that are named like files with ignore rules, at whatever depth.
    public func ignoreFiles() throws -> [Row] { try connection.all(Self.namedIgnoreFile, read: readRow) }

    public func allRows() throws -> [Row] { try connection.all(Self.everyRow, read: readRow) }

    public func rows(after id: RowID, limit: Int) throws -> [Row] {
        try connection.all(Self.nextRows, .int(id.rawValue), .int(Int64(limit)), read: readRow)
    }

    /// The root left out.
    public func rowCount() throws -> Int {
        if let count = known.rowCount { return count }
        let count = try connection.first(Self.countRows) { Int($0.int(0)) - 1 } ?? 0
        if !connection.isReadOnly { known.rowCount = count }
        return count
    }

    public func save(_ row: Row) throws {
        try transaction {
            try makeRoom()
            let old = try rowAtHand(row.id)
            rows.set(row, of: row.id)
            filter?.note(row)
            if old == nil, let count = known.rowCount { known.rowCount = count + 1 }
        }
    }

    public func remove(_ id: RowID) throws {
        try transaction {
            guard try rowAtHand(id) != nil else { return }
            rows.set(nil, of: id)
            if let count = known.rowCount { known.rowCount = count - 1 }
        }
    }

    /// Brings a row into the tables.
    func write(_ entry: RowsAtHand.Entry, of id: RowID) throws {
        let (old, new) = (entry.saved, entry.row)
        if old == new { return }
        placeChanges.note(old, new)
        if let new { try write(new) } else { try connection.run(Self.removeRow, .int(id.rawValue)) }
        try noteForSearch(id, from: old, to: new)
        let (oldItems, newItems) = (old?.tabledItems ?? [], new?.tabledItems ?? [])
        for item in oldItems.subtracting(newItems) { try write(id, item, Self.removeMember) }
        for item in newItems.subtracting(oldItems) { try write(id, item, Self.addMember) }
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

    public func newRowID() throws -> RowID {
        let next = try nextRow()
        if connection.isInTransaction, rows.firstNew == nil { rows.firstNew = next }
        known.nextRow = next.rawValue + 1
        known.isNextRowSaved = false
        return next
    }

    func nextRow() throws -> RowID { RowID(rawValue: try known.nextRow ?? savedNextRow()) }

    private func savedNextRow() throws -> Int64 {
        guard let bytes = try memory("nextRow") else { return RowID.root.rawValue + 1 }
        var reader = ByteReader(bytes)
        return try reader.fixed(Int64.self)
    }

    /// Once for each transaction after ids were given that changes something: who only reads writes nothing.
    func saveNextRow() throws {
        guard !known.isNextRowSaved, let next = known.nextRow, try connection.hasChanged() else { return }
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
    private static let rowByID = Query(beneath: "\(select) WHERE id = ?")
    private static let childrenOfRow = Query("\(select) WHERE parent = ? AND parked = 0 AND id <> 1 ORDER BY id")
    // The beginning of the rest has the facts.
    private static let glancesOfFolder = Query(
        beneath: """
            SELECT id, kind, held + 2 * derived, inode, size, modified, name, substr(rest, 1, 40) FROM row
            WHERE parent = ? AND parked = 0 AND id <> 1 ORDER BY id
            """)
    private static let childrenNamed = Query(
        beneath: "\(select) WHERE parent = ? AND name = ? AND parked = 0 AND id <> 1 ORDER BY id")
    private static let rowsHolding = Query(
        beneath:
            "SELECT \(rowColumns) FROM baseMember JOIN row ON id = baseMember.row WHERE baseMember.item = ? ORDER BY id"
    )
    private static let rowsOfInode = Query(beneath: "\(select) WHERE inode = ? AND id <> 1 ORDER BY id")
    static let rowsOfHash = Query(beneath: "\(select) WHERE hash = ? AND id > ? ORDER BY id LIMIT ?")
    private static let parked = Query("\(select) WHERE parked = 1 ORDER BY id")
    private static let held = Query("\(select) WHERE held = 1 ORDER BY id")
    // The very words of `rowIgnoreFile`, without which SQLite does not take that index.
    static let namedIgnoreFile = Query("\(select) WHERE substr(name, 1) = X'2E647269766569676E6F7265'")
    private static let everyRow = Query("\(select) ORDER BY id")
    private static let nextRows = Query("\(select) WHERE id > ? ORDER BY id LIMIT ?")
    private static let countRows = Query("SELECT count(*) FROM row")
    private static let countHeld = Query("SELECT count(*) FROM row WHERE held = 1")
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
