public import DriveCore

// Files whose documents are to be read: those beyond the mark, and those that changed since.
extension DriveIndex {
    /// How many files were not read yet as they are now; of what rules hide nothing is to be read.
    public func unreadCount() throws -> Int {
        let hidden = try HiddenPlaces(self)
        if !hidden.isEmpty { return try count(Self.unreadPlaces, [.int(searchMarks().read.rawValue)], but: hidden) }
        return try connection.first(Self.countUnread, .int(searchMarks().read.rawValue)) { Int($0.int(0)) } ?? 0
    }

    public func fileCount() throws -> Int {
        let hidden = try HiddenPlaces(self)
        if !hidden.isEmpty { return try count(Self.filePlaces, [], but: hidden) }
        return try connection.first(Self.countFiles) { Int($0.int(0)) } ?? 0
    }

    private func count(_ places: Query, _ values: [SQLValue], but hidden: HiddenPlaces) throws -> Int {
        var (count, hidden) = (0, hidden)
        try connection.each(places, values) {
            if try !hidden.hides(RowID(rawValue: $0.int(0)), in: RowID(rawValue: $0.int(1))) { count += 1 }
        }
        return count
    }

    /// Files that changed, or are gone, after a row, in the order of ids.
    public func unreadRows(after row: RowID, limit: Int) throws -> [RowID] {
        try connection.all(Self.changedFiles, .int(row.rawValue), .int(Int64(limit))) { RowID(rawValue: $0.int(0)) }
    }

    /// New files, in the order of ids, that are beyond what was read.
    public func newFiles(limit: Int) throws -> [RowID] {
        try connection.all(Self.newFiles, .int(searchMarks().read.rawValue), .int(Int64(limit))) {
            RowID(rawValue: $0.int(0))
        }
    }

    /// These files were read as the version that is given, nil for what is no document any more. A row that is another
    /// version by now stays unread, and so does a new one up to the last that is not among them. `writes` says how often
    /// the search index had been written to then.
    public func noteRead(_ versions: [RowID: DocumentVersion?], through last: RowID?, writes: Int64 = 0) throws {
        // Lost, it is found in the search index.
        try transaction(isDurable: false) {
            var marks = try searchMarks()
            if writes > marks.writes {
                marks.writes = writes
                try setSearchMarks(marks)
            }
            for (id, version) in versions {
                let isSame = try row(id).flatMap(DocumentVersion.init) == version
                if isSame {
                    try connection.run(Self.removeUnread, .int(id.rawValue))
                } else if last.map({ id <= $0 }) ?? true {
                    try connection.run(Self.addUnread, .int(id.rawValue))
                }
            }
            guard let last, last > marks.read else { return }
            for id in try connection.all(
                Self.filesBetween, .int(marks.read.rawValue), .int(last.rawValue), read: { $0.int(0) })
            where versions[RowID(rawValue: id)] == nil { try connection.run(Self.addUnread, .int(id)) }
            marks.read = last
            try setSearchMarks(marks)
        }
    }

    /// Whether a search index that was written to so often is the one that this index knows, not an old copy of it.
    public func knows(searchIndexWith writes: Int64) throws -> Bool { try writes >= searchMarks().writes }

    /// Nothing is known to be held of any document: all are to be looked at.
    public func forgetRead() throws {
        try transaction {
            var marks = try searchMarks()
            marks.read = .root
            marks.writes = 0
            try setSearchMarks(marks)
            try connection.run(Self.clearUnread)
        }
    }

    // CROSS: SQLite would go through all rows and look each up in the few that are unread.
    static let countUnread = Query(
        """
        SELECT (SELECT count(*) FROM row WHERE id > ? AND kind = 0 AND parked = 0 AND held = 0)
            + (SELECT count(*) FROM unread CROSS JOIN row ON id = unread.row WHERE parked = 0 AND held = 0)
        """)
    private static let unreadPlaces = Query(
        """
        SELECT id, parent FROM row WHERE id > ? AND kind = 0 AND parked = 0 AND held = 0 UNION ALL
            SELECT id, parent FROM unread CROSS JOIN row ON id = unread.row WHERE parked = 0 AND held = 0
        """)
    private static let filePlaces = Query("SELECT id, parent FROM row WHERE kind = 0 AND parked = 0 AND held = 0")
    private static let countFiles = Query("SELECT count(*) FROM row WHERE kind = 0 AND parked = 0 AND held = 0")
    private static let changedFiles = Query("SELECT row FROM unread WHERE row > ? ORDER BY row LIMIT ?")
    private static let newFiles = Query("SELECT id FROM row WHERE id > ? AND kind = 0 ORDER BY id LIMIT ?")
    private static let filesBetween = Query("SELECT id FROM row WHERE id > ? AND id <= ? AND kind = 0")
    private static let removeUnread = Query("DELETE FROM unread WHERE row = ?")
    private static let clearUnread = Query("DELETE FROM unread")
}
