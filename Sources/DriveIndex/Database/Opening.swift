import DriveCore
import GRDB
import GRDBSQLite
import Glibc

/// How connections are made.
enum Opening {
    static func writable(_ path: [UInt8]?, _ migrations: Migrations) throws -> (queue: DatabaseQueue, isNew: Bool) {
        if let path { try checkLength(path) }
        do {
            let queue =
                if let path {
                    try DatabaseQueue(path: name(path), configuration: configuration(isReadOnly: false))
                } else {
                    try DatabaseQueue(configuration: configuration(isReadOnly: false))
                }
            let place = path.map { String(decoding: $0, as: UTF8.self) }
            let isNew = try queue.writeWithoutTransaction { db in
                do { return try prepare(db, migrations, isFile: path != nil) } catch {
                    throw Failure.of(error, at: place, in: db.sqliteConnection)
                }
            }
            return (queue, isNew)
        } catch { throw Failure.of(error, at: path.map { String(decoding: $0, as: UTF8.self) }) }
    }

    /// Returns whether nothing was there before.
    private static func prepare(_ db: Database, _ migrations: Migrations, isFile: Bool) throws -> Bool {
        let isNew = try migrations.bringUpToDate(db)
        // After the version is known to be ours: a newer file keeps its mode.
        if isFile { try db.execute(sql: "PRAGMA journal_mode = WAL") }
        // Pages that fill what is kept of the log: those that are written often are brought into the file seldom.
        try db.execute(
            sql: """
                PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16777216;
                PRAGMA wal_autocheckpoint = 4000
                """)
        return isNew
    }

    static func readOnly(
        _ path: [UInt8], _ migrations: Migrations, isMapped: Bool, isUnchanging: Bool = false
    ) throws -> DatabaseQueue {
        try checkLength(path)
        do {
            let takesForUnchanging = mayTakeForUnchanging(path, isUnchanging)
            let name = takesForUnchanging ? uri(path) + "?immutable=1" : name(path)
            let queue = try DatabaseQueue(
                path: name, configuration: configuration(isReadOnly: true, isMapped: isMapped))
            let found = try queue.unsafeRead { try migrations.check($0) }
            if found == 0 {
                throw DriveError(.corrupt, "The index is empty; `docdrive verify --repair` makes it anew")
            }
            guard found == migrations.version else { throw DriveError.olderIndex }
            return queue
        } catch { throw Failure.of(error, at: String(decoding: path, as: UTF8.self)) }
    }

    private static func checkLength(_ path: [UInt8]) throws(DriveError) {
        guard path.count > DriveIndex.longestPath else { return }
        throw DriveError(
            .usage,
            "the path of the index has more than \(DriveIndex.longestPath) bytes, which SQLite does not open; move the "
                + "drive's folder up", path: String(decoding: path, as: UTF8.self))
    }

    /// The most that SQLite maps of a file, as it is built (sqlite.org/mmap.html); what lies behind is read.
    private static let mapped = 0x7FFF_0000

    private static func configuration(isReadOnly: Bool, isMapped: Bool = false) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = isReadOnly
        configuration.foreignKeysEnabled = false
        // Reads that share a transaction leave it open between accesses.
        configuration.allowsUnsafeTransactions = true
        // Nobody writes for longer; a reader waits out a recovery.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            // Who only reads asks little, or goes through more than would be kept.
            let settings = """
                PRAGMA secure_delete = OFF; PRAGMA cache_size = \(isReadOnly ? -512 : -6144);
                PRAGMA temp_store = MEMORY; PRAGMA mmap_size = \(isMapped ? mapped : 0)
                """
            // GRDB would take them apart first.
            let code = sqlite3_exec(db.sqliteConnection, settings, nil, nil, nil)
            guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        }
        return configuration
    }

    /// SQLite keeps an index of its log beside the file. Where it cannot make one, and no log is there that it would
    /// have to read, it must be told that the file does not change (sqlite.org/wal.html, "Read-Only Databases").
    private static func mayTakeForUnchanging(_ path: [UInt8], _ isUnchanging: Bool) -> Bool {
        let folder = path.lastIndex(of: 0x2F).map { Array(path[..<max($0, 1)]) } ?? [0x2E]
        let isWritable = folder.withPath { access($0, W_OK) == 0 }
        let hasLog = (path + Array("-wal".utf8)).withPath { path in
            var facts = stat()
            return stat(path, &facts) == 0 && facts.st_size > 0
        }
        return (isUnchanging || !isWritable) && !hasLog
    }

    /// SQLite takes text; a path that is none goes in as a URI, whose escapes are bytes (sqlite.org/uri.html).
    private static func name(_ path: [UInt8]) -> String {
        guard let text = String(validating: path, as: UTF8.self), !text.hasPrefix("file:") else { return uri(path) }
        return text
    }

    private static func uri(_ path: [UInt8]) -> String {
        var result = "file:"
        for byte in path {
            switch byte {
            case 0x2D...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
            }
        }
        return result
    }
}

extension [UInt8] {
    fileprivate func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (self.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
    }
}
