import DriveCore

/// How far the rows are in the indexes for searches. Ids of rows only grow, so what is new lies beyond.
struct SearchMarks: Hashable {
    /// Names of rows up to this one are in the index of names, unless `renamed` has the row.
    var named = RowID.root
    /// Documents of rows up to this one were read, unless `unread` has the row.
    var read = RowID.root
    /// How often the search index had been written to by then: one that was written to less is an old one.
    var writes: Int64 = 0
}

extension DriveIndex {
    func searchMarks() throws -> SearchMarks {
        if let marks = known.marks, !connection.isReadOnly { return marks }
        var marks = SearchMarks()
        if let bytes = try memory(Self.marksName) {
            var reader = ByteReader(bytes)
            marks.named = RowID(rawValue: try reader.fixed(Int64.self))
            marks.read = RowID(rawValue: try reader.fixed(Int64.self))
            marks.writes = try reader.fixed(Int64.self)
        }
        known.marks = marks
        return marks
    }

    func setSearchMarks(_ marks: SearchMarks) throws {
        var writer = ByteWriter(reserving: 24)
        writer.fixed(marks.named.rawValue)
        writer.fixed(marks.read.rawValue)
        writer.fixed(marks.writes)
        try setMemory(writer.bytes, Self.marksName)
        known.marks = marks
    }

    /// Remembers what the indexes for searches no longer have right. Belongs into the transaction of the change.
    func noteForSearch(_ id: RowID, from old: Row?, to new: Row?) throws {
        let marks = try searchMarks()
        if id <= marks.named, old?.name != new?.name || old?.parent != new?.parent {
            try connection.run(Self.addRenamed, .int(id.rawValue))
        }
        if id <= marks.read, (old ?? new)?.kind == .file,
            old.flatMap(DocumentVersion.init) != new.flatMap(DocumentVersion.init)
        {
            try connection.run(Self.addUnread, .int(id.rawValue))
        }
    }

    private static let marksName = "searchMarks"
    private static let addRenamed = Query("INSERT OR IGNORE INTO renamed (row) VALUES (?)")
    static let addUnread = Query("INSERT OR IGNORE INTO unread (row) VALUES (?)")
}
