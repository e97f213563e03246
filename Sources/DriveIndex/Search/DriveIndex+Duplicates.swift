public import DriveCore

extension DriveIndex {
    /// Rows of files whose contents another file has too, those of one content together; files of at least so many bytes.
    public func duplicates(minimumSize: UInt64) throws -> [[Row]] {
        var groups: [[Row]] = []
        var group: [Row] = []
        func end() {
            // The index column holds a part of the hash only.
            for rows in Dictionary(grouping: group, by: \.hash).values where rows.count > 1 {
                groups.append(rows.sorted { $0.id < $1.id })
            }
            group = []
        }
        try connection.each(Self.sharedContents, [.int(Int64(clamping: minimumSize))]) { cursor in
            let row = try readRow(cursor)
            guard row.kind == .file, !row.isParked, row.hash != nil else { return true }
            if let first = group.first, first.hash?.words.0 != row.hash?.words.0 { end() }
            group.append(row)
            return true
        }
        end()
        return groups
    }

    private static let sharedContents = """
        SELECT \(rowColumns) FROM row WHERE size >= ? AND hash IN
            (SELECT hash FROM row WHERE hash IS NOT NULL GROUP BY hash HAVING count(*) > 1)
        ORDER BY hash
        """
}
