import DriveCore

/// The index of names, where it is worth asking.
struct NameLookup {
    /// Rows beyond are not in it.
    let mark: RowID

    /// Nil for what is too short to be found by pieces.
    func match(_ folded: String) -> NameMatch? {
        Trigrams.query(folded).map { NameMatch(pieces: $0, mark: mark) }
    }
}

/// Rows that may have a text in their names: those that the index finds, and all that it does not know as they are.
struct NameMatch {
    /// In the language of FTS5.
    let pieces: String
    let mark: RowID

    /// Where the match is one of several ways to a row.
    var condition: (sql: String, values: [SQLValue]) {
        let sql = """
            id IN (SELECT rowid FROM nameIndex WHERE nameIndex MATCH ? UNION ALL SELECT row FROM renamed \
            UNION ALL SELECT id FROM row WHERE id > ?)
            """
        return (sql, [.text(pieces), .int(mark.rawValue)])
    }

    /// Where it is the only one: the rows come one by one as the index finds them, each once.
    var sources: [SearchSource] {
        [
            SearchSource(
                tables: "nameIndex CROSS JOIN row ON id = nameIndex.rowid",
                condition: "nameIndex MATCH ? AND id NOT IN (SELECT renamed.row FROM renamed)", values: [.text(pieces)]),
            SearchSource(
                tables: "renamed CROSS JOIN row ON id = renamed.row", condition: "id <= ?",
                values: [.int(mark.rawValue)]),
            SearchSource(tables: "row", condition: "id > ?", values: [.int(mark.rawValue)]),
        ]
    }
}

extension DriveIndex {
    /// Nil where so many rows are not in it that looking at all of them is faster.
    func nameLookup() throws -> NameLookup? {
        let mark = try searchMarks().named
        let last = try connection.first(Self.lastRow) { $0.int(0) } ?? 0
        return (last - mark.rawValue) > last / 8 ? nil : NameLookup(mark: mark)
    }

    private static let lastRow = Query("SELECT max(id) FROM row")
}
