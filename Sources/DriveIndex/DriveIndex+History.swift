import DriveCore

// Earlier contents, operations, and what is known of conflicts.
extension DriveIndex {
    public func keep(_ versions: [PastVersion]) throws {
        try transaction {
            let since = try sinceNow()
            for version in versions {
                let dot = version.head.dot
                try connection.run(
                    Self.addVersion, .int(try keys.key(of: version.item)), .int(try keys.key(of: dot.device)),
                    .bits(dot.n), .bits(version.until), .bits(version.head.content.hash.words.0),
                    .blob(try StateCoding.encode(version.head, keys)), .optional(since))
            }
        }
    }

    public func pastVersions(of item: ItemID) throws -> [PastVersion] {
        guard let key = try keys.knownKey(of: item) else { return [] }
        return try connection.all(Self.versionsOfItem, .int(key)) { row in
            PastVersion(item: item, head: try StateCoding.decodeHead(row.blob(0), keys), until: row.bits(1))
        }
    }

    public func pastVersion(of content: ContentHash) throws -> PastVersion? {
        try connection.all(Self.versionsWithHash, .bits(content.words.0)) { row in
            PastVersion(
                item: try keys.item(row.int(0)), head: try StateCoding.decodeHead(row.blob(1), keys), until: row.bits(2)
            )
        }.first { $0.head.content.hash == content }
    }

    /// The contents of all past versions.
    public func pastContents() throws -> [Content] {
        try connection.all(Self.versionHeads) { try StateCoding.decodeHead($0.blob(0), keys).content }
    }

    public func removePastVersions(before time: UInt64, but kept: Set<ContentHash>) throws {
        let words = Set(kept.map(\.words.0))
        try transaction {
            let old = try connection.all(Self.oldVersions, .bits(time)) { row in
                (item: row.int(0), device: row.int(1), n: row.bits(2), hash: row.bits(3))
            }
            for version in old where !words.contains(version.hash) {
                try connection.run(Self.removeVersion, .int(version.item), .int(version.device), .bits(version.n))
            }
        }
    }

    public func lastOperation() throws -> UInt64 {
        try connection.first(Self.newestOperation) { $0.bits(0) } ?? 0
    }

    public func operations(limit: Int) throws -> [DriveOperation] {
        try connection.all(Self.newestOperations, .int(Int64(max(limit, 0)))) { row in
            var operation = try operation(row, from: 0)
            let all = row.optionalText(4) ?? ""
            operation.reversed.formUnion(all.split(separator: ",").compactMap { UInt64($0) })
            return operation
        }
    }

    /// Four columns: number, cause, begin, and what it undoes.
    func operation(_ row: borrowing Cursor, from column: CInt) throws -> DriveOperation {
        DriveOperation(
            id: row.bits(column), kind: try value(row.text(column + 1)), time: row.bits(column + 2),
            undoes: row.optionalInt(column + 3).map { UInt64(bitPattern: $0) })
    }

    public func conflictRecords() throws -> [ConflictRecord] {
        try connection.all(Self.allConflicts) { row in
            ConflictRecord(
                item: try keys.item(row.int(0)), dot: Dot(device: try keys.device(row.int(1)), n: row.bits(2)),
                current: row.optionalBlob(4).flatMap { ContentHash(bytes: $0) },
                copy: row.optionalBlob(5).flatMap { ContentHash(bytes: $0) },
                ancestor: row.optionalBlob(6).flatMap { ContentHash(bytes: $0) }, kind: try value(row.text(3)),
                context: try MemoryCoding.vector(row.blob(7)), time: row.bits(8))
        }
    }

    public func save(_ record: ConflictRecord) throws {
        placeChanges.forget()
        try transaction {
            try connection.run(
                Self.saveConflict, .int(try keys.key(of: record.item)), .int(try keys.key(of: record.dot.device)),
                .bits(record.dot.n), .text(record.kind.rawValue), .optional(record.current?.bytes),
                .optional(record.copy?.bytes), .optional(record.ancestor?.bytes),
                .blob(MemoryCoding.encode(record.context)), .bits(record.time))
        }
    }

    public func removeConflictRecord(of item: ItemID, _ dot: Dot) throws {
        placeChanges.forget()
        guard let key = try keys.knownKey(of: item) else { return }
        try connection.run(Self.removeConflict, .int(key), .int(try keys.key(of: dot.device)), .bits(dot.n))
    }

    private static let addVersion = Query(
        "INSERT OR IGNORE INTO version (item, device, n, until, hash, head, since) VALUES (?, ?, ?, ?, ?, ?, ?)")
    private static let versionsOfItem = Query(
        "SELECT head, until FROM version WHERE item = ? ORDER BY until, device, n")
    private static let versionHeads = Query("SELECT head FROM version")
    private static let versionsWithHash = Query("SELECT item, head, until FROM version WHERE hash = ?")
    private static let oldVersions = Query("SELECT item, device, n, hash FROM version WHERE coalesce(since, until) < ?")
    private static let removeVersion = Query("DELETE FROM version WHERE item = ? AND device = ? AND n = ?")
    private static let newestOperation = Query("SELECT max(operation) FROM log WHERE operation IS NOT NULL")
    private static let newestOperations = Query(
        """
        SELECT operation, cause, began, undoes, group_concat(DISTINCT undoes) FROM log WHERE operation IS NOT NULL
        GROUP BY operation ORDER BY operation DESC LIMIT ?
        """)
    private static let allConflicts = Query(
        "SELECT item, device, n, kind, current, copy, ancestor, context, time FROM conflict ORDER BY item, device, n")
    private static let saveConflict = Query(
        """
        INSERT OR REPLACE INTO conflict (item, device, n, kind, current, copy, ancestor, context, time)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    private static let removeConflict = Query("DELETE FROM conflict WHERE item = ? AND device = ? AND n = ?")
}
