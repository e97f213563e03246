public import DriveCore
import DrivePredicates

// Search by name: one walk over the rows, of which SQLite looks at names, sizes and dates.
extension DriveIndex {
    /// In no particular order. Stops at the limit; what is not found costs no more than a look at its name.
    ///
    /// `types` tells what kind of document an item is; the index does not look into files. Throws
    /// `PredicateEvaluationError` where the query's predicate compares what cannot be compared.
    public func search(
        _ query: NameQuery, in drive: [UInt8] = [], types: (Row) -> ItemType? = { _ in nil }
    ) throws -> [FoundItem] {
        if query.limit == 0 { return [] }
        let predicate = try query.predicate?.prepared()
        let condition = SearchCondition(query)
        let published = try journal().published
        var paths = FolderPaths(self)
        var found: [FoundItem] = []
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
            if let predicate {
                let item = ItemMetadata(row: row, path: path, state: state, drive: drive, type: types(row))
                guard try predicate.evaluate(item) else { return true }
            }
            found.append(
                FoundItem(
                    path: path, kind: row.kind, size: row.kind == .folder ? 0 : row.facts.size, modified: modified,
                    state: state))
            return found.count != query.limit
        }
        return found
    }

    /// The attributes of the item that a row stands for.
    public func metadata(of row: Row, in drive: [UInt8], type: ItemType?) throws -> ItemMetadata {
        ItemMetadata(row: row, path: try path(of: row), state: try syncState(of: row), drive: drive, type: type)
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

    init(_ query: NameQuery) {
        for word in query.words where !word.isEmpty {
            add("instr(coalesce(folded, row.name), ?) > 0", .blob(NameFolding.folded(Array(word.utf8))))
        }
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
        if let narrowing = query.predicate.flatMap({ RowNarrowing($0) }) {
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
