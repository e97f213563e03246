public import DriveCore
import DrivePredicates

/// What kind of document an item is, by its row alone.
public typealias ItemTypes = @Sendable (Row) -> ItemType?

// The rows, what of them the index of names lacks, and the documents: each of one moment.
extension DriveIndex {
    /// In no particular order. Stops at the limit; what is not found costs no more than a look at its name.
    ///
    /// Without `documents`, no item has text or what documents say of themselves. Throws `PredicateEvaluationError` where the
    /// query's predicate compares what cannot be compared.
    public func search(
        _ query: NameQuery, in drive: [UInt8] = [], documents: SearchIndex? = nil,
        types: @escaping ItemTypes = { _ in nil }
    ) throws -> [FoundItem] {
        var found: [FoundItem] = []
        try run(query, documents) { search in
            try search.items(in: drive, types: types) { item, _ in
                found.append(FoundItem(item.row, item.path, item.state))
                return found.count != query.limit
            }
        }
        return found
    }

    /// As `search`, and all that is known of what it finds.
    public func snapshots(
        _ query: NameQuery, in drive: [UInt8], documents: SearchIndex?, types: @escaping ItemTypes
    ) throws -> [ItemSnapshot] {
        var found: [ItemSnapshot] = []
        try run(query, documents) { search in
            try search.items(in: drive, types: types) { item, reader in
                found.append(try ItemSnapshot(item, reader))
                return found.count != query.limit
            }
        }
        return found
    }

    /// Of what `snapshots` finds and `isAsked` the first so many in this order; at all others is looked no closer than that takes.
    package func first(
        _ most: Int, by order: ItemOrder, of query: NameQuery, in drive: [UInt8], documents: SearchIndex?,
        types: @escaping ItemTypes, where isAsked: (DrivePath) -> Bool
    ) throws -> [ItemSnapshot] {
        if most <= 0 { return [] }
        var found: [ItemSnapshot] = []
        try run(query, documents) { search in
            var first = FirstItems(most, by: order)
            var reader: DocumentReader?
            try search.items(in: drive, types: types) { item, itsReader in
                reader = itsReader
                if isAsked(item.path) { first.add(item) }
                try itsReader.throwFailure()
                return true
            }
            if let reader { found = try first.items().map { try ItemSnapshot($0, reader) } }
        }
        return found
    }

    /// As `search`, and only where it is.
    public func paths(
        _ query: NameQuery, in drive: [UInt8] = [], documents: SearchIndex? = nil,
        types: @escaping ItemTypes = { _ in nil }
    ) throws -> [DrivePath] {
        var found: [DrivePath] = []
        try run(query, documents) { search in
            try search.paths(in: drive, types: types) { path in
                found.append(path)
                return found.count != query.limit
            }
        }
        return found
    }

    /// As `paths`, in their order, for who prints them.
    package func list(
        _ query: NameQuery, in drive: [UInt8] = [], documents: SearchIndex? = nil,
        types: @escaping ItemTypes = { _ in nil }
    ) throws -> PathList {
        var list = PathList()
        try run(query, documents) { search in list = try search.list(in: drive, types: types) }
        list.sort()
        return list
    }

    /// How many `search` finds.
    public func count(
        _ query: NameQuery, in drive: [UInt8] = [], documents: SearchIndex? = nil,
        types: @escaping ItemTypes = { _ in nil }
    ) throws -> Int {
        var count = 0
        try run(query, documents) { search in count = try search.count(in: drive, types: types) }
        return count
    }

    /// What SQLite is asked for a query, and how it goes about it.
    public func explanation(of query: NameQuery, documents: SearchIndex?) throws -> SearchExplanation {
        try atOnce(documents) { try RowSearch(query, in: self, documents: documents).explanation() }
    }

    /// The attributes of the item that a row stands for.
    public func metadata(
        of row: Row, in drive: [UInt8], documents: SearchIndex? = nil, types: @escaping ItemTypes = { _ in nil }
    ) throws -> ItemMetadata {
        ItemMetadata(
            row: row, path: try path(of: row), drive: drive, states: try SyncStates(self), types: types,
            documents: try DocumentReader(documents))
    }

    /// Grows whenever somebody else has changed the index, by whatever amount.
    public func changeCount() throws -> Int64 { try connection.changeCount() }

    private func run(_ query: NameQuery, _ documents: SearchIndex?, _ body: (RowSearch) throws -> Void) throws {
        if query.limit == 0 { return }
        try atOnce(documents) { try body(RowSearch(query, in: self, documents: documents)) }
    }

    private func atOnce<Result>(_ documents: SearchIndex?, _ body: () throws -> Result) throws -> Result {
        try transaction { try documents?.transaction(body) ?? body() }
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

    /// The statements, with ? for each value; each row that can be found is in one of them.
    public var sql: [String]
    /// They find nothing else, so that no item is looked at one by one.
    public var isExact: Bool
    public var lookups: [Lookup] = []
    /// SQLite's own account (EXPLAIN QUERY PLAN).
    public var steps: [String] = []
}
