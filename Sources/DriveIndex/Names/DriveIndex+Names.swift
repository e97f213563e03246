import DriveCore

// The index of names lags behind the rows; searches look at what it lacks directly, so that answers are those of the rows.
extension DriveIndex {
    /// Takes up to about so many names into the index of names; true if others are left.
    public func indexNames(limit: Int) throws -> Bool {
        try transaction {
            try startAnewIfSparse()
            let renamed = try connection.all(Self.someRenamed, .int(Int64(limit))) { $0.int(0) }
            try renew(renamed)
            if renamed.count == limit { return true }
            var marks = try searchMarks()
            let isDone = try append(limit - renamed.count, &marks.named)
            try setSearchMarks(marks)
            return !isDone
        }
    }

    /// Rows that a search has to look at whatever the index of names says.
    public func unnamedCount() throws -> Int {
        try connection.first(Self.countUnnamed, .int(searchMarks().named.rawValue)) { Int($0.int(0)) } ?? 0
    }

    /// Ids only grow, so that where much comes and goes, blocks become empty.
    private func startAnewIfSparse() throws {
        let blocks = try lastBlock().map { Int($0.block) + 1 } ?? 0
        guard blocks > 64, try blocks * NameBlock.capacity > 4 * rowCount() else { return }
        for query in Self.clear { try connection.run(query) }
        var marks = try searchMarks()
        marks.named = .root
        try setSearchMarks(marks)
    }

    private func lastBlock() throws -> (block: Int64, first: Int64)? {
        try connection.first(Self.last) { ($0.int(0), $0.int(1)) }
    }

    /// True when nothing is left.
    private func append(_ limit: Int, _ mark: inout RowID) throws -> Bool {
        var rest = limit
        var last = try lastBlock()
        while rest > 0 {
            var entries = try last.map { try self.entries(from: $0.first, through: mark.rawValue) } ?? []
            let isFull = last == nil || entries.count >= NameBlock.capacity
            if isFull { entries = [] }
            let room = NameBlock.capacity - entries.count
            let new = try connection.all(Self.newEntries, .int(mark.rawValue), .int(Int64(room)), read: Self.entry)
            guard let begin = new.first, let end = new.last else { return true }
            if isFull { last = ((last?.block ?? -1) + 1, begin.id) }
            guard let place = last else { break }
            entries += new
            try save(NameBlock(entries), place.block, place.first)
            try notePieces(of: place.block, isFull: entries.count >= NameBlock.capacity)
            mark = RowID(rawValue: end.id)
            rest -= new.count
        }
        return try connection.first(Self.newEntries, .int(mark.rawValue), .int(1)) { _ in true } == nil
    }

    /// A segment is told apart by pieces when its last block is full.
    private func notePieces(of block: Int64, isFull: Bool) throws {
        if isFull, (block + 1) % Int64(NamePieces.blocks) == 0 {
            try makeSegment(block / Int64(NamePieces.blocks))
        } else {
            try addPieces(of: block)
        }
    }

    /// The blocks of these rows, made of what the rows are now.
    private func renew(_ rows: [Int64]) throws {
        let mark = try searchMarks().named.rawValue
        var done: Int64 = -1
        for row in rows {
            let place = row > done ? try connection.first(Self.blockOf, .int(row)) { ($0.int(0), $0.int(1)) } : nil
            if let (block, first) = place {
                let next = try connection.first(Self.firstOf, .int(block + 1)) { $0.int(0) }
                done = next.map { $0 - 1 } ?? mark
                try save(NameBlock(entries(from: first, through: done)), block, first)
                try addPieces(of: block)
            }
            try connection.run(Self.removeRenamed, .int(row))
        }
    }

    private func entries(from first: Int64, through last: Int64) throws -> [NameBlock.Entry] {
        try connection.all(Self.entriesBetween, .int(first), .int(last), read: Self.entry)
    }

    private static func entry(_ cursor: borrowing Cursor) -> NameBlock.Entry {
        NameBlock.Entry(id: cursor.int(0), parent: cursor.int(1), name: cursor.blob(2), folded: cursor.optionalBlob(3))
    }

    private func save(_ names: NameBlock, _ block: Int64, _ first: Int64) throws {
        try connection.run(
            Self.saveBlock, .int(block), .int(first), .blob(names.lengths), .blob(names.texts), .blob(names.places))
    }

    private func makeSegment(_ segment: Int64) throws {
        var bits = NameBits()
        let first = segment * Int64(NamePieces.blocks)
        try withTexts(first, first + Int64(NamePieces.blocks) - 1) { bits.add($1, block: Int($0 - first)) }
        for (part, bytes) in bits.parts.enumerated() {
            try connection.run(Self.savePart, .int(NamePieces.place(segment, part)), .blob(bytes))
        }
    }

    /// Bits of names that are gone stay; a search only looks once too often.
    private func addPieces(of block: Int64) throws {
        let segment = block / Int64(NamePieces.blocks)
        guard try connection.first(Self.part, .int(NamePieces.place(segment, 0)), read: { _ in true }) != nil else {
            return
        }
        var bits = NameBits()
        try withTexts(block, block) { bits.add($1, block: Int($0) % NamePieces.blocks) }
        for (part, new) in bits.parts.enumerated() {
            let place = SQLValue.int(NamePieces.place(segment, part))
            guard let old = try connection.first(Self.part, place, read: { $0.blob(0) }) else { return }
            let both = zip(old, new).map { $0 | $1 }
            if both != old { try connection.run(Self.savePart, place, .blob(both)) }
        }
    }

    private func withTexts(_ first: Int64, _ last: Int64, _ body: (Int64, NameTexts) -> Void) throws {
        _ = try connection.all(Self.textsBetween, .int(first), .int(last)) {
            body($0.int(0), NameTexts(lengths: $0.bytes(1), texts: $0.bytes(2)))
        }
    }

    private static let clear = ["nameIndexBlock", "nameIndexPiece", "renamed"].map { Query("DELETE FROM \($0)") }
    private static let someRenamed = Query("SELECT row FROM renamed ORDER BY row LIMIT ?")
    private static let last = Query("SELECT block, first FROM nameIndexBlock ORDER BY block DESC LIMIT 1")
    private static let columns = "SELECT id, parent, name, folded FROM row"
    private static let entriesBetween = Query("\(columns) WHERE id >= ? AND id <= ? AND id > 1 ORDER BY id")
    private static let newEntries = Query("\(columns) WHERE id > ? ORDER BY id LIMIT ?")
    private static let blockOf = Query(
        "SELECT block, first FROM nameIndexBlock WHERE first <= ? ORDER BY first DESC LIMIT 1")
    private static let firstOf = Query("SELECT first FROM nameIndexBlock WHERE block = ?")
    private static let saveBlock = Query(
        "INSERT OR REPLACE INTO nameIndexBlock (block, first, lengths, texts, places) VALUES (?, ?, ?, ?, ?)")
    private static let part = Query("SELECT groups FROM nameIndexPiece WHERE place = ?")
    private static let savePart = Query("INSERT OR REPLACE INTO nameIndexPiece (place, groups) VALUES (?, ?)")
    private static let textsBetween = Query(
        "SELECT block, lengths, texts FROM nameIndexBlock WHERE block >= ? AND block <= ? ORDER BY block")
    private static let removeRenamed = Query("DELETE FROM renamed WHERE row = ?")
    private static let countUnnamed = Query(
        "SELECT (SELECT count(*) FROM row WHERE id > ?) + (SELECT count(*) FROM renamed)")
}
