import DriveCore

/// The folders in which everything lies that a query for one folder can find, so that not every row has to be looked at.
struct SearchedFolders {
    private let index: DriveIndex
    /// So many rows may be looked at for it: those of a large folder are found as fast among all.
    private var left: Int

    init(_ index: DriveIndex) throws {
        self.index = index
        let all = try index.connection.first(Self.greatest) { Int($0.int(0)) } ?? 0
        left = max(1_024, all / 16)
    }

    /// Nil where all rows are to be looked at.
    mutating func ids(of query: NameQuery) throws -> [Int64]? {
        guard let folder = query.onlyFolder else { return nil }
        // What waits aside is listed where it was, with what is in it.
        if try index.connection.first(Self.parked, read: { _ in true }) != nil { return nil }
        var found = [RowID.root.rawValue]
        for name in folder.components {
            found = try found.flatMap { try index.connection.all(Self.named, .int($0), .name(name)) { $0.int(0) } }
        }
        return query.isShallow ? found : try withFoldersBelow(found)
    }

    private mutating func withFoldersBelow(_ folders: [Int64]) throws -> [Int64]? {
        var found = folders
        var place = 0
        while place < found.count {
            var count = 0
            try index.connection.each(Self.children, [.int(found[place]), .int(Int64(left + 1))]) { row in
                count += 1
                if row.int(1) == Int64(ItemKind.folder.rawValue) { found.append(row.int(0)) }
            }
            left -= count
            guard left >= 0 else { return nil }
            place += 1
        }
        return found
    }

    private static let greatest = Query("SELECT max(id) FROM row")
    private static let parked = Query("SELECT 1 FROM row WHERE parked = 1 LIMIT 1")
    static let named = Query("SELECT id FROM row WHERE parent = ? AND name = ? AND kind = 1 AND id <> 1")
    static let children = Query("SELECT id, kind FROM row WHERE parent = ? AND id <> 1 LIMIT ?")
}

extension NameQuery {
    /// Nil for all of the drive.
    var onlyFolder: DrivePath? { folder ?? (isShallow ? .root : nil) }
}

extension SearchSource {
    /// Only what lies in one of these folders itself.
    mutating func add(folders: [Int64]) {
        // One value, however many there are.
        add("row.parent IN (SELECT value FROM json_each(?))", [NameMatch.list(folders)])
    }
}
