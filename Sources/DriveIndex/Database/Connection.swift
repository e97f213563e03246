import DriveCore
import GRDB
import GRDBSQLite

/// The one connection of an index, for one thread at a time.
///
/// Every access goes through GRDB's queue, but within a transaction the database is at hand, so that a statement costs
/// no more than SQLite's own work. Where nobody else writes, reads between transactions share one of their own, so that
/// not each of them locks the file.
final class Connection {
    private let queue: DatabaseQueue
    /// By the numbers of their queries.
    private var statements: [Statement?] = []
    /// The database, while the queue lends it.
    private var database: Database?
    private(set) var isInTransaction = false
    private var changesBefore: CInt = 0
    /// Brings into the tables what the transaction has at hand.
    var settle: () throws -> Void = {}

    let isReadOnly: Bool
    /// This is the only connection that writes, so what was read stays true until it does.
    private let sharesReads: Bool

    /// The file, as errors name it; nil for one in memory.
    let place: String?
    private let log: LogGuard?

    init(_ queue: DatabaseQueue, at path: [UInt8]?, isReadOnly: Bool, sharesReads: Bool = false) {
        self.queue = queue
        place = path.map { String(decoding: $0, as: UTF8.self) }
        log = path.map { LogGuard(of: $0) }
        self.isReadOnly = isReadOnly
        self.sharesReads = sharesReads
    }

    deinit {
        // Before the connection that they belong to.
        statements.removeAll()
        if let log { queue.unsafeReentrantWrite { log.release($0.sqliteConnection) } }
        try? queue.close()
    }

    func access<Result>(_ body: (Database) throws -> Result) throws -> Result {
        if let database { return try body(database) }
        do {
            return try queue.unsafeReentrantWrite { db in
                database = db
                defer { database = nil }
                do { return try body(db) } catch { throw Failure.of(error, at: place, in: db.sqliteConnection) }
            }
        } catch { throw Failure.of(error, at: place) }
    }

    /// Runs the body in the transaction under way, or else in one of its own: `willCommit` before its commit,
    /// `didRollBack` after it was thrown away. One that is not durable reaches the disk with the next one that is, or before:
    /// always in the order in which they were made (`synchronous`, sqlite.org/pragma.html).
    func transaction<Result>(
        _ body: () throws -> Result, isDurable: Bool = true, willCommit: () throws -> Void, didRollBack: () -> Void
    ) throws -> Result {
        if isInTransaction { return try body() }
        return try access { db in
            if isDurable { return try ownTransaction(body, db, willCommit: willCommit, didRollBack: didRollBack) }
            // SQLite refuses to change it within a transaction, also one that only reads.
            try endReading(db)
            try setSynchronous("NORMAL", db)
            let result = Swift.Result { try ownTransaction(body, db, willCommit: willCommit, didRollBack: didRollBack) }
            try setSynchronous("FULL", db)
            return try result.get()
        }
    }

    /// SQLite does it when it compiles the statement, so there is nothing to keep prepared.
    private func setSynchronous(_ level: String, _ db: Database) throws {
        let code = sqlite3_exec(db.sqliteConnection, "PRAGMA synchronous = \(level)", nil, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    private func ownTransaction<Result>(
        _ body: () throws -> Result, _ db: Database, willCommit: () throws -> Void, didRollBack: () -> Void
    ) throws -> Result {
        try endReading(db)
        try step(isReadOnly ? Self.begin : Self.beginWriting, db)
        changesBefore = sqlite3_total_changes(db.sqliteConnection)
        isInTransaction = true
        defer { isInTransaction = false }
        do {
            let result = try body()
            try willCommit()
            try requireOpenTransaction(db)
            try step(Self.commit, db)
            return result
        } catch {
            // SQLite may have rolled back by itself, and what made it do so is the error to tell.
            try? db.rollback()
            didRollBack()
            throw error
        }
    }

    /// Whether the transaction under way has changed a row of some table.
    func hasChanged() throws -> Bool { try access { sqlite3_total_changes($0.sqliteConnection) != changesBefore } }

    /// Runs the body outside of every transaction.
    func alone<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try access { db in
            try endReading(db)
            return try body(db)
        }
    }

    /// Nothing is to be read for a while: what was changed since the first of the reads that share a transaction may be
    /// brought from the log into the file.
    func endReading() throws {
        if sharesReads, !isInTransaction { try access { try endReading($0) } }
    }

    private func endReading(_ db: Database) throws {
        if sharesReads, !isInTransaction, Self.hasTransaction(db) { try step(Self.commit, db) }
    }

    /// What writes does not join the reads: outside of a transaction it is on the disk when it returns.
    private func prepareReading(_ query: Query, _ db: Database) throws {
        guard sharesReads, !isInTransaction else { return }
        if !query.isSelection { return try endReading(db) }
        if !Self.hasTransaction(db) { try step(Self.begin, db) }
    }

    /// GRDB's own answer asks first on which queue it is asked, which takes longer.
    private static func hasTransaction(_ db: Database) -> Bool { sqlite3_get_autocommit(db.sqliteConnection) == 0 }

    private func step(_ query: Query, _ db: Database) throws { _ = try Cursor(try prepared(query, db), []).step() }

    // Compiled once: GRDB's own compile them each time.
    private static let begin = Query("BEGIN DEFERRED")
    private static let beginWriting = Query("BEGIN IMMEDIATE")
    private static let commit = Query("COMMIT")

    /// A full disk makes SQLite roll back by itself. What a body that goes on then writes must not stay.
    private func requireOpenTransaction(_ db: Database) throws {
        guard Self.hasTransaction(db) else {
            throw DriveError(.internalFault, "A transaction of the index ended before its time; try again")
        }
    }

    /// Runs a statement to its end.
    func run(_ query: Query, _ values: SQLValue...) throws {
        try settle(for: query)
        try access { db in
            if isInTransaction { try requireOpenTransaction(db) }
            try prepareReading(query, db)
            let cursor = try Cursor(try prepared(query, db), values)
            while try cursor.step() {}
        }
    }

    /// What `read` makes of the first row.
    func first<Result>(_ query: Query, _ values: SQLValue..., read: (borrowing Cursor) throws -> Result) throws
        -> Result?
    {
        try settle(for: query)
        return try access { db in
            try prepareReading(query, db)
            let cursor = try Cursor(try prepared(query, db), values)
            return try cursor.step() ? try read(cursor) : nil
        }
    }

    /// What `read` makes of each row. `read` must not run the same query.
    func all<Result>(_ query: Query, _ values: SQLValue..., read: (borrowing Cursor) throws -> Result) throws
        -> [Result]
    {
        var result: [Result] = []
        try each(query, values) { result.append(try read($0)) }
        return result
    }

    /// One row after the other; whoever reads them does not ask the same again meanwhile.
    func each(_ query: Query, _ values: [SQLValue] = [], read: (borrowing Cursor) throws -> Void) throws {
        try settle(for: query)
        try access { db in
            try prepareReading(query, db)
            let cursor = try Cursor(try prepared(query, db), values)
            while try cursor.step() { try read(cursor) }
        }
    }

    /// As `each`, as long as `read` returns true.
    func eachWhile(_ query: Query, _ values: SQLValue..., read: (borrowing Cursor) throws -> Bool) throws {
        try settle(for: query)
        try access { db in
            try prepareReading(query, db)
            let cursor = try Cursor(try prepared(query, db), values)
            while try cursor.step(), try read(cursor) {}
        }
    }

    /// For a statement that is made for one use: goes on while `read` returns true.
    func each(_ sql: String, _ values: [SQLValue], read: (borrowing Cursor) throws -> Bool) throws {
        if isInTransaction { try settle() }
        try access { db in
            let cursor = try Cursor(try db.makeStatement(sql: sql), values)
            while try cursor.step(), try read(cursor) {}
        }
    }

    /// Grows whenever another connection has changed the database.
    func changeCount() throws -> Int64 { try first(Self.dataVersion) { $0.int(0) } ?? 0 }

    private static let dataVersion = Query("PRAGMA data_version")

    /// The statements that SQLite has compiled more than once. None should be: it costs more than most of them do.
    var compiledAnew: [String] { statements(counting: SQLITE_STMTSTATUS_REPREPARE) }

    /// The statements that went through a table row by row.
    var scanning: [String] { statements(counting: SQLITE_STMTSTATUS_FULLSCAN_STEP) }

    /// What SQLite has done for the statements so far, in its own steps.
    var stepsTaken: Int {
        statements.compactMap(\.self).reduce(0) {
            $0 + Int(sqlite3_stmt_status($1.sqliteStatement, SQLITE_STMTSTATUS_VM_STEP, 0))
        }
    }

    private func statements(counting status: CInt) -> [String] {
        statements.compactMap(\.self).filter { sqlite3_stmt_status($0.sqliteStatement, status, 0) > 0 }
            .map { String(cString: sqlite3_sql($0.sqliteStatement)) }
    }

    private func settle(for query: Query) throws { if isInTransaction, !isReadOnly, query.needsTables { try settle() } }

    private func prepared(_ query: Query, _ db: Database) throws -> Statement {
        let number = query.number
        if number < statements.count, let known = statements[number] { return known }
        let statement = try db.makeStatement(sql: query.sql)
        while statements.count <= number { statements.append(nil) }
        statements[number] = statement
        return statement
    }
}
