import DriveCompression
public import DriveCore
import GRDB
import Glibc

/// What was read out of documents, by the rows of an index, in a SQLite file of its own.
///
/// A cache: whatever is wrong with the file, it is made anew, which costs the time of reading the documents again. For one
/// thread at a time.
public final class SearchIndex {
    let connection: Connection
    let zstd = Zstd()
    /// Keys of names of attributes, once they were asked for.
    var keys: [String: Int64] = [:]
    /// Some of the words that are in the table of words for good.
    var knownWords = SeenWords()

    private init(_ connection: Connection) { self.connection = connection }

    /// Opens or makes the file for the index of a device; one that is damaged, of another version or of another index is
    /// made anew. With `isChecked` it is looked over for damage, which takes as long as reading the file. What a file needs that is
    /// to be made is done by `preparing` it.
    public static func open(
        path: [UInt8], of device: DeviceID, isChecked: Bool = false, preparing: ([UInt8]) -> Void = { _ in }
    ) throws -> SearchIndex {
        // Whoever still reads what was emptied or removed shares no log with the new one.
        if isVoid(path) { try? remove(path) }
        preparing(path)
        do {
            let index = try SearchIndex(path, writable: device)
            if try index.isOf(device), try !isChecked || index.isSound() { return index }
        } catch let error as DriveError where [.corrupt, .newerFormat, .internalFault].contains(error.kind) {}
        try remove(path)
        preparing(path)
        return try SearchIndex(path, writable: device)
    }

    /// In memory, for tests.
    public convenience init(of device: DeviceID) throws { try self.init(nil, writable: device) }

    private convenience init(_ path: [UInt8]?, writable device: DeviceID) throws {
        let opened = try Opening.writable(path, SearchSchema.migrations)
        self.init(Connection(opened.queue, at: path, isReadOnly: false))
        if try connection.first(Self.origin, read: { $0.text(0) }) == nil {
            try connection.run(Self.setOrigin, .text("\(device)"))
        }
    }

    /// Opens the file for reading, beside whoever writes it; nil where there is none, or it is of another version or of another
    /// index. Throws `corrupt`, or `internalFault` where tables are missing, of one that is damaged. `isMapped` as for `DriveIndex`.
    public static func readOnly(path: [UInt8], of device: DeviceID, isMapped: Bool = false) throws -> SearchIndex? {
        // One that is about to be made is empty.
        if isVoid(path) { return nil }
        do {
            let index = SearchIndex(
                Connection(
                    try Opening.readOnly(path, SearchSchema.migrations, isMapped: isMapped), at: path, isReadOnly: true)
            )
            return try index.isOf(device) && index.isKnown() ? index : nil
        } catch let error as DriveError
            where [.newerFormat, .readOnly].contains(error.kind) || isVoid(path)
        { return nil }
    }

    private func isOf(_ device: DeviceID) throws -> Bool {
        try connection.first(Self.origin) { $0.text(0) } == "\(device)"
    }

    /// The index of the rows knows that this file was made, and what is in it.
    public func isKnown() throws -> Bool { try connection.first(Self.origin) { $0.int(1) != 0 } ?? false }

    public func setKnown() throws { try connection.run(Self.setKnown) }

    /// How often documents were written to it.
    public func writes() throws -> Int64 { try connection.first(Self.origin) { $0.int(2) } ?? 0 }

    public func countWrite() throws { try connection.run(Self.countWrite) }

    /// Looks for damage that SQLite can find without writing, which takes about as long as reading the file. Throws `corrupt`, or
    /// `internalFault` where tables are missing.
    public func check() throws { try connection.alone { try Self.findDamage(in: $0) } }

    private static func findDamage(in db: Database) throws {
        let found = try String.fetchAll(db, sql: "PRAGMA quick_check(1)")
        guard found == ["ok"] else {
            throw Failure.damaged(found.joined(separator: ", "), in: db.sqliteConnection)
        }
        for table in SearchSchema.tables { try db.execute(sql: "SELECT 1 FROM \(table) LIMIT 1") }
    }

    private func isSound() throws -> Bool {
        try connection.access { db in
            try Self.findDamage(in: db)
            for table in ["wordIndex", "textIndex"] {
                // Raises SQLITE_CORRUPT_VTAB where its own parts do not fit together.
                try db.execute(sql: "INSERT INTO \(table) (\(table)) VALUES ('integrity-check')")
            }
            return true
        }
    }

    /// Gives up what is kept in memory for speed alone.
    public func releaseMemory() throws { try connection.alone { $0.releaseMemory() } }

    /// Not durable: what a power cut takes is noticed by the number of writes, and read again (`DriveIndex.knows`).
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try connection.transaction(body, isDurable: false, willCommit: {}) {
            keys = [:]
            knownWords = SeenWords()
        }
    }

    /// There is no file, or nothing in it.
    private static func isVoid(_ path: [UInt8]) -> Bool {
        var facts = stat()
        guard stat(path.map { CChar(bitPattern: $0) } + [0], &facts) == 0 else { return errno == ENOENT }
        return facts.st_mode & S_IFMT == S_IFREG && facts.st_size == 0
    }

    /// What cannot be decoded is damage of this file, and says so by its path.
    func decoding<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as DriveError where error.kind == .corrupt && error.path == nil {
            throw DriveError(.corrupt, error.message, path: connection.place)
        }
    }

    /// The file and what belongs to it.
    public static func remove(_ path: [UInt8]) throws {
        for ending in ["", "-wal", "-shm"] {
            let file = (path + Array(ending.utf8)).map { CChar(bitPattern: $0) } + [0]
            guard unlink(file) == 0 || errno == ENOENT else {
                throw DriveError(
                    .permissionDenied, "The search index is damaged and cannot be removed; remove it",
                    path: String(decoding: path, as: UTF8.self))
            }
        }
    }

    private static let origin = Query("SELECT device, known, writes FROM origin")
    private static let setOrigin = Query("INSERT INTO origin (device, known, writes) VALUES (?, 0, 0)")
    private static let countWrite = Query("UPDATE origin SET writes = writes + 1")
    private static let setKnown = Query("UPDATE origin SET known = 1")

    /// Grows whenever somebody else has changed it, by whatever amount.
    public func changeCount() throws -> Int64 { try connection.changeCount() }
}
