import DriveCore
import DrivePredicates

/// One search, in one transaction: the rows that SQLite leaves, and a closer look at each.
struct RowSearch {
    private let index: DriveIndex
    private let query: NameQuery
    private let plan: SearchPlan?
    private let condition: SearchCondition
    private let documents: SearchIndex?

    init(_ query: NameQuery, in index: DriveIndex, documents: SearchIndex?) throws {
        self.index = index
        self.query = query
        self.documents = documents
        plan = try query.predicate.map { try SearchPlan($0, names: index.nameLookup(), documents: documents) }
        condition = SearchCondition(query, plan, knowsDocuments: documents != nil)
    }

    /// Names and folders are enough to answer it.
    private var isDecidedBySQL: Bool { condition.isExact && query.states.isEmpty && !query.includesAbsent }

    /// Goes on while the body returns true.
    func items(
        in drive: [UInt8], types: @escaping ItemTypes, _ body: (ItemMetadata, DocumentReader) throws -> Bool
    ) throws {
        let predicate = try plan?.predicate.prepared()
        let reader = try DocumentReader(documents, plan?.lookups ?? [])
        let states = try SyncStates(index)
        var paths = FolderPaths(index)
        var goesOn = true
        func look(_ row: Row, _ path: DrivePath, _ predicate: PreparedPredicate?) throws {
            guard isInFolder(path) else { return }
            let item = ItemMetadata(
                row: row, path: path, drive: drive, states: states, types: types, documents: reader)
            if !query.states.isEmpty, !query.states.contains(item.state) { return }
            if let predicate {
                let isFound = try predicate.evaluate(item)
                try reader.throwFailure()
                try states.throwFailure()
                guard isFound else { return }
            }
            goesOn = try body(item, reader)
            try states.throwFailure()
        }
        try each(DriveIndex.rowColumns) { cursor in
            let row = try index.readRow(cursor)
            if isInTime(row) { try look(row, paths.path(of: row), condition.isExact ? nil : predicate) }
            return goesOn
        }
        guard query.includesAbsent, goesOn else { return }
        // Documents that are not here have no text: the predicate is asked as it was written.
        let whole = try query.predicate?.prepared()
        var absent = AbsentItems(index)
        for (row, path) in try absent.all() where goesOn && query.admits(row) && isInTime(row) {
            try look(row, path, whole)
        }
    }

    private func isInTime(_ row: Row) -> Bool {
        if let since = query.since, row.facts.modified < since { return false }
        if let before = query.before, row.facts.modified >= before { return false }
        return true
    }

    /// As `items`, for who wants nothing but places.
    func paths(in drive: [UInt8], types: @escaping ItemTypes, _ body: (DrivePath) throws -> Bool) throws {
        guard isDecidedBySQL else { return try items(in: drive, types: types) { item, _ in try body(item.path) } }
        var paths = FolderPaths(index)
        try each("row.parent, row.name") { cursor in
            let path = try paths.path(cursor.name(1), in: RowID(rawValue: cursor.int(0)))
            return try isInFolder(path) ? body(path) : true
        }
    }

    func count(in drive: [UInt8], types: @escaping ItemTypes) throws -> Int {
        var count = 0
        if isDecidedBySQL, query.folder == nil {
            try each("count(*)") { cursor in
                count += Int(cursor.int(0))
                return true
            }
        } else {
            try paths(in: drive, types: types) { _ in
                count += 1
                return count != query.limit
            }
        }
        return min(count, query.limit ?? .max)
    }

    func explanation() throws -> SearchExplanation {
        var result = SearchExplanation(sql: condition.sources.map { $0.select("*") }, isExact: isDecidedBySQL)
        for (number, lookup) in (plan?.lookups ?? []).enumerated() {
            result.lookups.append(
                SearchExplanation.Lookup(
                    number: number, format: MetadataPredicate.comparison(lookup.comparison).predicateFormat,
                    sure: lookup.candidates.sure.count, maybe: lookup.candidates.maybe.count))
        }
        for source in condition.sources {
            let sql = "EXPLAIN QUERY PLAN " + source.select(DriveIndex.rowColumns)
            try index.connection.each(sql, source.values) {
                result.steps.append($0.text(3))
                return true
            }
        }
        return result
    }

    private func isInFolder(_ path: DrivePath) -> Bool {
        guard let folder = query.folder else { return true }
        return path != folder && path.isInside(folder)
    }

    private func each(_ columns: String, _ body: (borrowing Cursor) throws -> Bool) throws {
        var goesOn = true
        for source in condition.sources where goesOn {
            try index.connection.each(source.select(columns), source.values) { cursor in
                goesOn = try body(cursor)
                return goesOn
            }
        }
    }
}
