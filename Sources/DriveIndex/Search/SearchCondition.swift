import DriveCore
import DrivePredicates

/// The part of a query that SQLite decides.
struct SearchCondition {
    /// Each row that can be found is in one of them, or found by its name.
    private(set) var sources = [SearchSource(tables: "row", condition: "", values: [])]
    private(set) var names: FoundByName?
    /// Nothing but the folder and the state of an item is left to look at.
    private(set) var isExact = true

    /// Rows that the index of names finds; `source` takes a list of them and tests the rest.
    struct FoundByName {
        let match: NameMatch
        var source = NameMatch.found
        /// There is no rest.
        let isAll: Bool
    }

    /// `folders` has those in which all lies that can be found, or nil; it is not asked where names tell.
    init(
        _ query: NameQuery, _ plan: SearchPlan?, knowsDocuments: Bool, folders: () throws -> [Int64]?
    ) throws {
        var tests = SearchSource(tables: "row", condition: "id <> 1", values: [])
        tests.add(query)
        let isFiltered = !tests.values.isEmpty || !query.kinds.isEmpty
        // Whole seconds; the caller looks closer.
        isExact = query.since == nil && query.before == nil
        if let plan {
            let context = NarrowingContext(
                names: plan.names, lookups: plan.lookups.map(\.candidates), knowsDocuments: knowsDocuments)
            let narrowing = try RowNarrowing(plan.predicate, context)
            isExact = isExact && (narrowing?.isExact ?? false)
            if let narrowing {
                tests.add(narrowing.sql, narrowing.values)
                if let match = narrowing.names {
                    sources = match.others
                    names = FoundByName(match: match, isAll: narrowing.isNamesAlone && !isFiltered)
                }
            }
        }
        if names == nil, let folders = try folders() { tests.add(folders: folders) }
        names?.source.add(tests.condition, tests.values)
        for place in sources.indices { sources[place].add(tests.condition, tests.values) }
    }
}

/// One statement of a search.
struct SearchSource {
    let tables: String
    var condition: String
    var values: [SQLValue]

    func select(_ columns: String) -> String { "SELECT \(columns) FROM \(tables) WHERE \(condition)" }

    mutating func add(_ test: String, _ values: [SQLValue] = []) {
        condition += condition.isEmpty ? test : " AND \(test)"
        self.values += values
    }

    /// All but the predicate.
    fileprivate mutating func add(_ query: NameQuery) {
        if !query.extensions.isEmpty {
            // By length, of which names have few: a chain of alternatives may be 1,000 long (`SQLITE_MAX_EXPR_DEPTH`).
            let endings = Dictionary(
                grouping: query.extensions.map { NameFolding.folded(Array(".\($0)".utf8)) }, by: \.count
            )
            .sorted { $0.key < $1.key }
            let tests = endings.map { length, all in
                "substr(coalesce(folded, row.name), -\(length)) IN (\(all.map { _ in "?" }.joined(separator: ", ")))"
            }
            add("(" + tests.joined(separator: " OR ") + ")", endings.flatMap { $0.value.map { .blob($0) } })
        }
        if let name = query.name { add("row.name = ?", [.name(name)]) }
        if !query.kinds.isEmpty {
            add("row.kind IN (\(query.kinds.map { String($0.rawValue) }.sorted().joined(separator: ", ")))")
        }
        if let size = query.size {
            add("row.kind <> 1 AND size >= ?", [.int(Int64(clamping: size.lowerBound))])
            add("size <= ?", [.int(Int64(clamping: size.upperBound))])
        }
        if let since = query.since { add("modified >= ?", [.int(since.seconds)]) }
        if let before = query.before { add("modified <= ?", [.int(before.seconds)]) }
    }
}
