public import DriveCore

extension DriveIndex {
    /// Rows of files whose contents another file has too, those of one content together; files of at least so many bytes.
    public func duplicates(minimumSize: UInt64) throws -> [[PlacedRow]] {
        var groups: [[PlacedRow]] = []
        var paths = FolderPaths(self)
        var group: [Row] = []
        func end() throws {
            // The index column holds a part of the hash only.
            for rows in Dictionary(grouping: group, by: \.hash).values where rows.count > 1 {
                groups.append(try rows.map { PlacedRow(row: $0, path: try paths.path(of: $0)) })
            }
            group = []
        }
        try connection.each(Self.sharedContents, [.int(Int64(clamping: minimumSize))]) { cursor in
            let row = try readRow(cursor)
            guard row.kind == .file, !row.isParked, row.hash != nil else { return true }
            if let first = group.first, first.hash?.words.0 != row.hash?.words.0 { try end() }
            group.append(row)
            return true
        }
        try end()
        return groups
    }

    private static let sharedContents = """
        SELECT \(rowColumns) FROM row WHERE size >= ? AND hash IN
            (SELECT hash FROM row WHERE hash IS NOT NULL GROUP BY hash HAVING count(*) > 1)
        ORDER BY hash
        """
}

/// A row and where it is.
public struct PlacedRow: Sendable {
    public var row: Row
    public var path: DrivePath
}
