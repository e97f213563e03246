import DriveCore
import DrivePredicates

/// One search, in one transaction: the rows that SQLite leaves, and a closer look at each.
struct RowSearch {
    private let index: DriveIndex
    private let query: NameQuery
    private let plan: SearchPlan?
    private let condition: SearchCondition
    private let documents: SearchIndex?
    private let hidden: HiddenPlaces

    init(_ query: NameQuery, in index: DriveIndex, documents: SearchIndex?) throws {
        self.index = index
        self.query = query
        self.documents = documents
        hidden = try HiddenPlaces(index, leavesOutHeld: query.leavesOutHeld)
        plan = try query.predicate.map { try SearchPlan($0, names: index.nameLookup(), documents: documents) }
        condition = try SearchCondition(query, plan, knowsDocuments: documents != nil) {
            var folders = try SearchedFolders(index)
            return try folders.ids(of: query)
        }
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
        var hidden = hidden
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
            if isInTime(row), try !hidden.hides(row) {
                try look(row, paths.path(of: row), condition.isExact ? nil : predicate)
            }
            return goesOn
        }
        guard query.includesAbsent, goesOn else { return }
        // Documents that are not here have no text: the predicate is asked as it was written.
        let whole = try query.predicate?.prepared()
        var absent = AbsentItems(index)
        for (row, path) in try absent.all() where try goesOn && query.admits(row) && isInTime(row) && !hidden.hides(row)
        {
            try look(row, path, whole)
        }
    }

    private func isInTime(_ row: Row) -> Bool {
        guard query.since != nil || query.before != nil else { return true }
        guard let modified = row.modified else { return false }
        if let since = query.since, modified < since { return false }
        if let before = query.before, modified >= before { return false }
        return true
    }

    /// As `items`, for who wants nothing but places.
    func paths(in drive: [UInt8], types: @escaping ItemTypes, _ body: (DrivePath) throws -> Bool) throws {
        guard isDecidedBySQL else { return try items(in: drive, types: types) { item, _ in try body(item.path) } }
        var paths = FolderPaths(index)
        try eachPlace { name, parent in
            let path = try paths.path(name, in: parent)
            return try isInFolder(path) ? body(path) : true
        }
    }

    /// As `paths`.
    func list(in drive: [UInt8], types: @escaping ItemTypes) throws -> PathList {
        var list = PathList()
        guard isDecidedBySQL, query.onlyFolder == nil else {
            try paths(in: drive, types: types) {
                list.append($0)
                return list.count != query.limit
            }
            return list
        }
        var paths = FolderPaths(index)
        try eachPlace { name, parent in
            list.append(name, in: try paths.listed(parent))
            return list.count != query.limit
        }
        return list
    }

    private func eachPlace(_ body: (FileName, RowID) throws -> Bool) throws {
        var goesOn = true
        var hidden = hidden
        func look(_ cursor: borrowing Cursor) throws -> Bool {
            let parent = RowID(rawValue: cursor.int(0))
            if try hidden.hides(RowID(rawValue: cursor.int(2)), in: parent) { return true }
            goesOn = try body(cursor.name(1), parent)
            return goesOn
        }
        let columns = "row.parent, row.name, row.id"
        guard let names = condition.names, names.isAll else { return try each(columns, look) }
        try names.match.lookup.each(names.match.tests) { hit in
            if try hidden.hides(RowID(rawValue: hit.id), in: hit.parent) { return true }
            goesOn = try body(hit.name(), hit.parent)
            return goesOn
        }
        if goesOn { try eachOther(columns, look) }
    }

    func count(in drive: [UInt8], types: @escaping ItemTypes) throws -> Int {
        var count = 0
        func add(_ cursor: borrowing Cursor) -> Bool {
            count += Int(cursor.int(0))
            return true
        }
        if isDecidedBySQL, query.onlyFolder == nil, hidden.isEmpty {
            if let names = condition.names, names.isAll {
                count = try names.match.count()
                try eachOther("count(*)", add)
            } else {
                try each("count(*)", add)
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
        let sources = [condition.names?.source].compactMap(\.self) + condition.sources
        var result = SearchExplanation(sql: sources.map { $0.select("*") }, isExact: isDecidedBySQL)
        for (number, lookup) in (plan?.lookups ?? []).enumerated() {
            result.lookups.append(
                SearchExplanation.Lookup(
                    number: number, format: MetadataPredicate.comparison(lookup.comparison).predicateFormat,
                    sure: lookup.candidates.sure.count, maybe: lookup.candidates.maybe.count))
        }
        if let names = condition.names {
            result.steps.append(
                "SCAN nameIndexBlock FOR \(names.match.tests.map(\.description).joined(separator: ", "))")
        }
        for source in sources {
            let sql = "EXPLAIN QUERY PLAN " + source.select(DriveIndex.rowColumns)
            try index.connection.each(sql, source.values) {
                result.steps.append($0.text(3))
                return true
            }
        }
        return result
    }

    private func isInFolder(_ path: DrivePath) -> Bool {
        guard let folder = query.onlyFolder else { return true }
        if query.isShallow { return path.parent == folder }
        return path != folder && path.isInside(folder)
    }

    private func each(_ columns: String, _ body: (borrowing Cursor) throws -> Bool) throws {
        var goesOn = true
        if let names = condition.names {
            var ids: [Int64] = []
            // Few at first, for who wants the first alone.
            var most = 64
            func lookUp() throws {
                guard !ids.isEmpty else { return }
                let values = [NameMatch.list(ids)] + names.source.values
                try index.connection.each(names.source.select(columns), values) { cursor in
                    goesOn = try body(cursor)
                    return goesOn
                }
                (ids, most) = ([], min(most * 4, 16_384))
            }
            try names.match.lookup.each(names.match.tests) {
                ids.append($0.id)
                if ids.count == most { try lookUp() }
                return goesOn
            }
            if goesOn { try lookUp() }
        }
        if goesOn { try eachOther(columns, body) }
    }

    /// Of what the index of names does not find.
    private func eachOther(_ columns: String, _ body: (borrowing Cursor) throws -> Bool) throws {
        var goesOn = true
        for source in condition.sources where goesOn {
            try index.connection.each(source.select(columns), source.values) { cursor in
                goesOn = try body(cursor)
                return goesOn
            }
        }
    }
}
