import DriveCore

// What was done, is being done, and went wrong.
extension DriveIndex {
    public func intents() throws -> [Intent] {
        try connection.all(Self.allIntents) { try IntentCoding.decode($0.blob(0), keys) }
    }

    public func setIntents(_ intents: [Intent]) throws {
        try transaction {
            try connection.run(Self.clearIntents)
            for intent in intents { try connection.run(Self.addIntent, .blob(try IntentCoding.encode(intent, keys))) }
        }
    }

    public func trash() throws -> [TrashEntry] {
        try connection.all(Self.allTrash) { row in
            TrashEntry(
                name: row.name(0), path: DrivePath(bytes: row.blob(1)),
                hash: row.optionalBlob(2).flatMap { ContentHash(bytes: $0) }, size: row.bits(3),
                reason: try value(row.text(4)), time: row.bits(5),
                since: row.optionalInt(6).map { UInt64(bitPattern: $0) })
        }
    }

    public func addTrash(_ entry: TrashEntry) throws {
        try connection.run(
            Self.addTrash, .name(entry.name), .blob(entry.path.bytes), .optional(entry.hash?.bytes),
            .bits(entry.size), .text(entry.reason.rawValue), .bits(entry.time), .optional(try sinceNow()))
    }

    public func removeTrash(_ name: FileName) throws { try connection.run(Self.removeTrash, .name(name)) }

    /// The newest events are kept, and this many at least.
    public static var keptEvents: Int { 100_000 }

    public func log(_ event: DriveEvent) throws {
        try transaction {
            try connection.run(
                Self.addEvent, .bits(event.time), .text(event.kind.rawValue), .blob(event.path.bytes),
                .optional(event.from?.bytes), .optional(event.device), .optional(event.note),
                .optional(event.operation.map { Int64(bitPattern: $0.id) }), .optional(event.operation?.kind.rawValue),
                .optional(event.operation.map { Int64(bitPattern: $0.time) }),
                .optional(event.operation?.undoes.map { Int64(bitPattern: $0) }), .optional(event.before?.bytes),
                .optional(event.after?.bytes), .optional(event.attributes.map(AttributesCoding.encode)))
            filter?.note(eventAt: event.path)
            let count = known.eventCount ?? 0
            // Rarely, since a look at the oldest costs as much as adding one.
            if count % 256 == 0 { try connection.run(Self.removeOldEvents, .int(Int64(Self.keptEvents))) }
            known.eventCount = count + 1
        }
    }

    /// Whether there were more events than are kept.
    public func isLogCut() throws -> Bool {
        let oldest = try connection.first(Self.oldestEvent) { $0.int(0) }
        return (oldest ?? 1) > 1
    }

    public func events(limit: Int) throws -> [DriveEvent] {
        try connection.all(Self.newestEvents, .int(Int64(max(limit, 0)))) { try event($0) }
    }

    public func events(of operation: UInt64) throws -> [DriveEvent] {
        try connection.all(Self.eventsOfOperation, .bits(operation)) { try event($0) }
    }

    public func newestEvent(at path: DrivePath) throws -> DriveEvent? {
        if let filter, !filter.mayHave(eventAt: path) { return nil }
        return try connection.first(Self.newestEventOfPath, .blob(path.bytes)) { try event($0) }
    }

    /// Those about a path, the newest first, as long as the body returns true.
    public func events(at path: DrivePath, while body: (DriveEvent) throws -> Bool) throws {
        if let filter, !filter.mayHave(eventAt: path) { return }
        try connection.eachWhile(Self.eventsOfPath, .blob(path.bytes)) { try body(try event($0)) }
    }

    private func event(_ row: borrowing Cursor) throws -> DriveEvent {
        DriveEvent(
            time: row.bits(0), kind: try value(row.text(1)), path: DrivePath(bytes: row.blob(2)),
            from: row.optionalBlob(3).map { DrivePath(bytes: $0) }, device: row.optionalText(4),
            note: row.optionalText(5), operation: try row.isNull(6) ? nil : operation(row, from: 6),
            before: row.optionalBlob(10).flatMap { ContentHash(bytes: $0) },
            after: row.optionalBlob(11).flatMap { ContentHash(bytes: $0) },
            attributes: try row.optionalBlob(12).map(AttributesCoding.decode))
    }

    public func problems() throws -> [Problem] {
        try connection.all(Self.allProblems) { row in
            Problem(
                path: DrivePath(bytes: row.blob(0)), reason: row.text(1), source: try value(row.text(2)),
                since: row.bits(3))
        }
    }

    public func setProblems(_ problems: [Problem], from source: Problem.Source) throws {
        try transaction {
            try connection.run(Self.removeProblems, .text(source.rawValue))
            for problem in problems {
                try connection.run(
                    Self.addProblem, .text(problem.source.rawValue), .blob(problem.path.bytes), .text(problem.reason),
                    .bits(problem.since))
            }
        }
    }

    public func setting(_ name: String) throws -> [UInt8]? {
        try connection.first(Self.setting, .text(name)) { $0.blob(0) }
    }

    public func setSetting(_ value: [UInt8]?, _ name: String) throws {
        if let value {
            try connection.run(Self.setSetting, .text(name), .blob(value))
        } else {
            try connection.run(Self.removeSetting, .text(name))
        }
    }

    public func seenTime() throws -> SeenTime? {
        if let time = known.seenTime { return time }
        let time = try memory(Self.seenTimeName).map { try SeenTime($0) }
        if !connection.isReadOnly { known.seenTime = time }
        return time
    }

    public func setSeenTime(_ time: SeenTime) throws {
        try setMemory(time.bytes, Self.seenTimeName)
        known.seenTime = time
    }

    /// For what is kept from now on.
    func sinceNow() throws -> Int64? { try seenTime().map { Int64(bitPattern: $0.now) } }

    private static let seenTimeName = "seenTime"

    func value<Value: RawRepresentable<String>>(_ text: String) throws -> Value {
        guard let value = Value(rawValue: text) else { throw DriveError.damagedBlob }
        return value
    }

    private static let allIntents = Query("SELECT step FROM intent ORDER BY sequence")
    private static let addIntent = Query("INSERT INTO intent (step) VALUES (?)")
    private static let clearIntents = Query("DELETE FROM intent")
    private static let allTrash = Query(
        "SELECT name, path, hash, size, reason, time, since FROM trash ORDER BY sequence")
    private static let addTrash = Query(
        "INSERT OR REPLACE INTO trash (name, path, hash, size, reason, time, since) VALUES (?, ?, ?, ?, ?, ?, ?)")
    private static let removeTrash = Query("DELETE FROM trash WHERE name = ?")
    private static let addEvent = Query(
        """
        INSERT INTO log
            (time, kind, path, source, device, note, operation, cause, began, undoes, before, after, attributes)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    private static let removeOldEvents = Query(
        "DELETE FROM log WHERE sequence <= (SELECT max(sequence) FROM log) - ?")
    private static let oldestEvent = Query("SELECT sequence FROM log ORDER BY sequence LIMIT 1")
    private static let eventColumns =
        "time, kind, path, source, device, note, operation, cause, began, undoes, before, after, attributes"
    private static let newestEvents = Query("SELECT \(eventColumns) FROM log ORDER BY sequence DESC LIMIT ?")
    private static let newestEventOfPath = Query(
        "SELECT \(eventColumns) FROM log WHERE path = ? ORDER BY sequence DESC LIMIT 1")
    static let eventsOfPath = Query("SELECT \(eventColumns) FROM log WHERE path = ? ORDER BY sequence DESC")
    private static let eventsOfOperation = Query(
        "SELECT \(eventColumns) FROM log WHERE operation = ? ORDER BY sequence DESC")
    private static let allProblems = Query("SELECT path, reason, source, since FROM problem ORDER BY sequence")
    private static let addProblem = Query("INSERT INTO problem (source, path, reason, since) VALUES (?, ?, ?, ?)")
    private static let removeProblems = Query("DELETE FROM problem WHERE source = ?")
    private static let setting = Query("SELECT value FROM setting WHERE name = ?")
    private static let setSetting = Query("INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)")
    private static let removeSetting = Query("DELETE FROM setting WHERE name = ?")
}
