public import DriveCore
import DrivePredicates

// One walk over the rows that SQLite and the search index leave, and a closer look at each.
extension DriveIndex {
    /// In no particular order. Stops at the limit; what is not found costs no more than a look at its name.
    ///
    /// `types` tells what kind of document an item is by its name. Without `documents`, no item has text or what documents
    /// say of themselves. Throws `PredicateEvaluationError` where the query's predicate compares what cannot be compared.
    public func search(
        _ query: NameQuery, in drive: [UInt8] = [], documents: SearchIndex? = nil,
        types: (Row) -> ItemType? = { _ in nil }
    ) throws -> [FoundItem] {
        var found: [FoundItem] = []
        try each(query, in: drive, documents: documents, types: types) { item, _ in
            found.append(FoundItem(item.row, item.path, item.state))
            return found.count != query.limit
        }
        return found
    }

    /// As `search`, and all that is known of what it finds.
    public func snapshots(
        _ query: NameQuery, in drive: [UInt8], documents: SearchIndex?, types: (Row) -> ItemType?
    ) throws -> [ItemSnapshot] {
        var found: [ItemSnapshot] = []
        try each(query, in: drive, documents: documents, types: types) { item, reader in
            found.append(try ItemSnapshot(item, reader))
            return found.count != query.limit
        }
        return found
    }

    private func each(
        _ query: NameQuery, in drive: [UInt8], documents: SearchIndex?, types: (Row) -> ItemType?,
        body: (ItemMetadata, DocumentReader) throws -> Bool
    ) throws {
        if query.limit == 0 { return }
        try atOnce(documents) { try walk(query, drive, documents, types, body) }
    }

    /// Grows whenever somebody else has changed the index, by whatever amount.
    public func changeCount() throws -> Int64 { try connection.changeCount() }

    /// The rows, what of them the index of names lacks, and the documents: each of one moment.
    private func atOnce<Result>(_ documents: SearchIndex?, _ body: () throws -> Result) throws -> Result {
        try transaction { try documents?.transaction(body) ?? body() }
    }

    private func walk(
        _ query: NameQuery, _ drive: [UInt8], _ documents: SearchIndex?, _ types: (Row) -> ItemType?,
        _ body: (ItemMetadata, DocumentReader) throws -> Bool
    ) throws {
        let plan = try query.predicate.map { try SearchPlan($0, names: nameLookup(), documents: documents) }
        let predicate = try plan?.predicate.prepared()
        let reader = try DocumentReader(documents, plan?.lookups ?? [])
        let condition = SearchCondition(query, plan, knowsDocuments: documents != nil)
        let published = try journal().published
        var paths = FolderPaths(self)
        try connection.each(
            "SELECT \(Self.rowColumns) FROM row WHERE \(condition.sql)", condition.values
        ) { cursor in
            let row = try readRow(cursor)
            let modified = row.facts.modified
            if let since = query.since, modified < since { return true }
            if let before = query.before, modified >= before { return true }
            let path = try paths.path(of: row)
            if let folder = query.folder, path == folder || !path.isInside(folder) { return true }
            let state = try state(of: row, published: published)
            if !query.states.isEmpty, !query.states.contains(state) { return true }
            let item = ItemMetadata(
                row: row, path: path, state: state, drive: drive, type: types(row), documents: reader)
            if let predicate {
                let isFound = try predicate.evaluate(item)
                try reader.throwFailure()
                guard isFound else { return true }
            }
            return try body(item, reader)
        }
    }

    /// The attributes of the item that a row stands for.
    public func metadata(
        of row: Row, in drive: [UInt8], documents: SearchIndex? = nil, type: ItemType?
    ) throws -> ItemMetadata {
        ItemMetadata(
            row: row, path: try path(of: row), state: try syncState(of: row), drive: drive, type: type,
            documents: try DocumentReader(documents))
    }

    /// What SQLite is asked for a query, and how it goes about it.
    public func explanation(of query: NameQuery, documents: SearchIndex?) throws -> SearchExplanation {
        try atOnce(documents) {
            let plan = try query.predicate.map { try SearchPlan($0, names: nameLookup(), documents: documents) }
            let condition = SearchCondition(query, plan, knowsDocuments: documents != nil)
            var result = SearchExplanation(sql: condition.sql)
            for (number, lookup) in (plan?.lookups ?? []).enumerated() {
                result.lookups.append(
                    SearchExplanation.Lookup(
                        number: number,
                        format: MetadataPredicate.comparison(lookup.comparison).predicateFormat,
                        sure: lookup.candidates.sure.count, maybe: lookup.candidates.maybe.count))
            }
            let sql = "EXPLAIN QUERY PLAN SELECT \(Self.rowColumns) FROM row WHERE \(condition.sql)"
            try connection.each(sql, condition.values) {
                result.steps.append($0.text(3))
                return true
            }
            return result
        }
    }

    /// How the file of a row stands.
    public func syncState(of row: Row) throws -> SyncState {
        try state(of: row, published: journal().published)
    }

    private func state(of row: Row, published: UInt64) throws -> SyncState {
        if row.isHeld { return .held }
        if row.isParked { return .waiting }
        if row.isDerived { return .conflict }
        if try row.members.contains(where: { try isDirty($0.item) }) { return .downloading }
        let isUploading = try row.members.contains { try ownRecord(of: $0.item).map { $0.n > published } ?? false }
        return isUploading ? .uploading : .synced
    }
}

/// The part of a query that SQLite decides.
private struct SearchCondition {
    var sql = "id <> 1"
    var values: [SQLValue] = []

    init(_ query: NameQuery, _ plan: SearchPlan?, knowsDocuments: Bool) {
        if !query.extensions.isEmpty {
            let endings = query.extensions.map { NameFolding.folded(Array(".\($0)".utf8)) }
            let test = "substr(coalesce(folded, row.name), -?) = ?"
            sql += " AND (" + endings.map { _ in test }.joined(separator: " OR ") + ")"
            for ending in endings { values += [.int(Int64(ending.count)), .blob(ending)] }
        }
        if !query.kinds.isEmpty {
            let kinds = query.kinds.map { String($0.rawValue) }.sorted().joined(separator: ", ")
            sql += " AND row.kind IN (\(kinds))"
        }
        if let size = query.size {
            add("row.kind <> 1 AND size >= ?", .int(Int64(clamping: size.lowerBound)))
            add("size <= ?", .int(Int64(clamping: size.upperBound)))
        }
        let context = NarrowingContext(
            names: plan?.names, lookups: plan?.lookups.map(\.candidates) ?? [], knowsDocuments: knowsDocuments)
        if let narrowing = plan.flatMap({ RowNarrowing($0.predicate, context) }) {
            sql += " AND \(narrowing.sql)"
            values += narrowing.values
        }
        // Whole seconds; the caller looks closer.
        if let since = query.since { add("modified >= ?", .int(since.seconds)) }
        if let before = query.before { add("modified <= ?", .int(before.seconds)) }
    }

    private mutating func add(_ test: String, _ value: SQLValue) {
        sql += " AND \(test)"
        values.append(value)
    }
}

/// Paths of folders, each walked up once.
private struct FolderPaths {
    private let index: DriveIndex
    private var known: [RowID: DrivePath] = [.root: .root]

    init(_ index: DriveIndex) { self.index = index }

    mutating func path(of row: Row) throws -> DrivePath {
        try folder(row.parent).appending(row.name)
    }

    private mutating func folder(_ id: RowID) throws -> DrivePath {
        if let path = known[id] { return path }
        guard let row = try index.row(id), !row.isParked else { return .root }
        let path = try folder(row.parent).appending(row.name)
        known[id] = path
        return path
    }
}

/// How a query is answered, for people.
public struct SearchExplanation: Hashable, Sendable {
    /// What documents are asked for, by the search index, before the rows are looked at.
    public struct Lookup: Hashable, Sendable {
        public var number: Int
        public var format: String
        /// Documents that fulfil it, and those whose text or attributes have to be looked at.
        public var sure: Int
        public var maybe: Int
    }

    /// The condition on rows, with ? for each value.
    public var sql: String
    public var lookups: [Lookup] = []
    /// SQLite's own account (EXPLAIN QUERY PLAN).
    public var steps: [String] = []
}
