import DriveCore

// The index of names lags behind the rows; searches look at what it lacks directly, so that answers are those of the rows.
extension DriveIndex {
    /// Takes up to so many names into the index of names; true if others are left.
    public func indexNames(limit: Int) throws -> Bool {
        try transaction {
            let renamed = try connection.all(Self.someRenamed, .int(Int64(limit))) { ($0.int(0), $0.optionalText(1)) }
            for (row, name) in renamed { try renew(row, name) }
            var marks = try searchMarks()
            let rest = Int64(limit - renamed.count)
            let last = try connection.first(Self.lastOfNew, .int(marks.named.rawValue), .int(rest)) {
                $0.optionalInt(0)
            }
            guard rest > 0, let last = last.flatMap({ $0 }) else { return renamed.count == limit }
            try connection.run(Self.nameNew, .int(marks.named.rawValue), .int(last))
            marks.named = RowID(rawValue: last)
            try setSearchMarks(marks)
            return try connection.first(Self.lastOfNew, .int(last), .int(1)) { $0.optionalInt(0) }.flatMap { $0 } != nil
        }
    }

    /// Rows that a search has to look at whatever the index of names says.
    func unnamedCount() throws -> Int {
        try connection.first(Self.countUnnamed, .int(searchMarks().named.rawValue)) { Int($0.int(0)) } ?? 0
    }

    private func renew(_ row: Int64, _ name: String?) throws {
        if let name { try connection.run(Self.unname, .int(row), .text(name)) }
        try connection.run(Self.nameOne, .int(row))
        try connection.run(Self.removeRenamed, .int(row))
    }

    private static let someRenamed = Query("SELECT row, name FROM renamed ORDER BY row LIMIT ?")
    private static let lastOfNew = Query(
        "SELECT max(id) FROM (SELECT id FROM row WHERE id > ? ORDER BY id LIMIT ?)")
    private static let nameNew = Query(
        """
        INSERT INTO nameIndex (rowid, name)
        SELECT id, CAST(coalesce(folded, row.name) AS TEXT) FROM row WHERE id > ? AND id <= ? ORDER BY id
        """)
    private static let nameOne = Query(
        "INSERT INTO nameIndex (rowid, name) SELECT id, CAST(coalesce(folded, row.name) AS TEXT) FROM row WHERE id = ?")
    // An index without contents forgets a row only by the very words that it was given.
    private static let unname = Query("INSERT INTO nameIndex (nameIndex, rowid, name) VALUES ('delete', ?, ?)")
    private static let removeRenamed = Query("DELETE FROM renamed WHERE row = ?")
    private static let countUnnamed = Query(
        "SELECT (SELECT count(*) FROM row WHERE id > ?) + (SELECT count(*) FROM renamed)")
}
