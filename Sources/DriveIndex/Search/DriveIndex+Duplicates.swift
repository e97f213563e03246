public import DriveCore

extension DriveIndex {
    /// Rows of files whose contents another file has too, those of one content together; files of at least so many bytes.
    public func duplicates(minimumSize: UInt64) throws -> [[PlacedRow]] {
        var paths = FolderPaths(self)
        var hidden = try HiddenPlaces(self)
        var groups: [ContentHash: [PlacedRow]] = [:]
        try connection.each(Self.sharedContents, [.int(Int64(clamping: minimumSize))]) { cursor in
            let row = try readRow(cursor)
            // The index column holds a part of the hash only.
            guard row.kind == .file, !row.isParked, let hash = row.hash, try !hidden.hides(row) else { return }
            groups[hash, default: []].append(PlacedRow(row: row, path: try paths.path(of: row)))
        }
        return groups.values.filter { $0.count > 1 }
    }

    /// In the order of rows, so that each of their pages is read once.
    private static let sharedContents = Query(
        """
        SELECT \(rowColumns) FROM row WHERE size >= ? AND id IN
            (SELECT id FROM row WHERE hash IN
                (SELECT hash FROM row WHERE hash IS NOT NULL GROUP BY hash HAVING count(*) > 1))
        ORDER BY id
        """)
}

/// A row and where it is.
public struct PlacedRow: Sendable {
    public var row: Row
    public var path: DrivePath
}
