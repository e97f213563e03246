import DriveCore

/// The index of names, where there is one.
struct NameLookup {
    let index: DriveIndex
    /// Rows beyond are not in it.
    let mark: RowID
    /// Rows that it does not have as they are.
    let renamed: Set<Int64>

    /// Rows whose names fulfil all tests, by the index of names; goes on while the body returns true.
    func each(_ tests: [NameTest], _ body: (borrowing NameHit) throws -> Bool) throws {
        guard let scan = NameScan(tests) else { return }
        try scan.run(in: index) { hit in renamed.contains(hit.id) ? true : try body(hit) }
    }
}

/// Rows that may have what is looked for in their names: those that the index finds, and all that it does not know as they are.
struct NameMatch {
    /// All must hold.
    let tests: [NameTest]
    let lookup: NameLookup

    /// Where the match is one of several ways to a row; nil where it leaves so many that SQLite does better without.
    func condition() throws -> (sql: String, values: [SQLValue])? {
        var ids: [Int64] = []
        try lookup.each(tests) {
            ids.append($0.id)
            return ids.count <= Self.most
        }
        guard ids.count <= Self.most else { return nil }
        let sql = """
            id IN (SELECT value FROM json_each(?) UNION ALL SELECT row FROM renamed \
            UNION ALL SELECT id FROM row WHERE id > ?)
            """
        return (sql, [Self.list(ids), .int(lookup.mark.rawValue)])
    }

    /// How many names fulfil it, of those that are as the index has them.
    func count() throws -> Int {
        guard lookup.renamed.isEmpty, let scan = NameScan(tests) else {
            var count = 0
            try lookup.each(tests) { _ in
                count += 1
                return true
            }
            return count
        }
        return try scan.count(in: lookup.index)
    }

    private static let most = 100_000

    /// For what the index found: its ids come first of the values.
    static let found = SearchSource(
        tables: "(SELECT value AS hit FROM json_each(?)) CROSS JOIN row ON id = hit", condition: "", values: [])

    static func list(_ ids: [Int64]) -> SQLValue { .text("[" + ids.map(String.init).joined(separator: ",") + "]") }

    /// All that it does not know as they are.
    var others: [SearchSource] {
        [
            SearchSource(
                tables: "renamed CROSS JOIN row ON id = renamed.row", condition: "id <= ?",
                values: [.int(lookup.mark.rawValue)]),
            SearchSource(tables: "row", condition: "id > ?", values: [.int(lookup.mark.rawValue)]),
        ]
    }
}

extension DriveIndex {
    /// Nil where nothing is in it.
    func nameLookup() throws -> NameLookup? {
        let mark = try searchMarks().named
        if mark == .root { return nil }
        let renamed = try connection.all(Self.renamedRows) { $0.int(0) }
        return NameLookup(index: self, mark: mark, renamed: Set(renamed))
    }

    private static let renamedRows = Query("SELECT row FROM renamed")
}
