import DriveCore
import GRDB
import GRDBSQLite
import Synchronization

/// The text of a statement, prepared once for each connection.
final class Query: Sendable {
    let sql: String
    /// No other has it.
    let number: Int
    private static let count = Atomic(0)
    /// It changes nothing.
    let isSelection: Bool
    /// Found out when it is first asked for; who only reads never asks.
    private let tables: Atomic<Tables>

    private enum Tables: UInt8, AtomicRepresentable { case unknown, needed, unneeded }

    init(_ sql: String) {
        self.sql = sql
        number = Self.count.wrappingAdd(1, ordering: .relaxed).oldValue
        tables = Atomic(.unknown)
        isSelection = Self.selects(sql)
    }

    /// For who knows what the transaction has at hand, and asks for the rest.
    init(beneath sql: String) {
        self.sql = sql
        number = Self.count.wrappingAdd(1, ordering: .relaxed).oldValue
        tables = Atomic(.unneeded)
        isSelection = Self.selects(sql)
    }

    /// It wants to see what the transaction has at hand, so that must be in the tables before it runs.
    var needsTables: Bool {
        let known = tables.load(ordering: .relaxed)
        if known != .unknown { return known == .needed }
        let needsTables = Self.namesTables(sql)
        tables.store(needsTables ? .needed : .unneeded, ordering: .relaxed)
        return needsTables
    }

    private static func selects(_ sql: String) -> Bool { sql.drop(while: \.isWhitespace).hasPrefix("SELECT") }

    /// What is written when the transaction settles.
    private static let heldTables: Set<Substring> = [
        "item", "row", "baseMember", "chunk", "mark", "uploaded", "renamed", "unread", "knownFolder",
    ]

    private static func namesTables(_ sql: String) -> Bool {
        let words = sql.split { $0.isWhitespace || $0 == "(" || $0 == ")" || $0 == "," }
        return zip(words, words.dropFirst()).contains { before, word in
            ["FROM", "JOIN", "INTO", "UPDATE"].contains(before) && heldTables.contains(word)
        }
    }
}

/// What a statement is given.
enum SQLValue {
    case int(Int64)
    case real(Double)
    case blob([UInt8])
    case text(String)
    /// Text as its bytes, of which there is one at least.
    case utf8([UInt8])
    case null

    /// All 64 bits, as SQLite's signed integers hold them.
    static func bits(_ value: UInt64) -> SQLValue { .int(Int64(bitPattern: value)) }
    static func bool(_ value: Bool) -> SQLValue { .int(value ? 1 : 0) }
    static func name(_ value: FileName) -> SQLValue { .blob(value.bytes) }
    static func id(_ value: ItemID) -> SQLValue {
        var writer = ByteWriter(reserving: 16)
        writer.item(value)
        return .blob(writer.bytes)
    }

    static func optional(_ value: Int64?) -> SQLValue { value.map { .int($0) } ?? .null }
    static func optional(_ value: [UInt8]?) -> SQLValue { value.map { .blob($0) } ?? .null }
    static func optional(_ value: String?) -> SQLValue { value.map { .text($0) } ?? .null }
}

/// Walks the rows of a statement that is running; ends it when it goes out of scope.
///
/// GRDB prepares the statement; values go to and from SQLite directly, which takes a third of the time.
struct Cursor: ~Copyable {
    private let statement: OpaquePointer
    /// Keeps a statement that is used once.
    private let keeper: Statement

    init(_ statement: Statement, _ values: [SQLValue]) throws {
        self.statement = statement.sqliteStatement
        keeper = statement
        for (place, value) in values.enumerated() { try bind(value, CInt(place + 1)) }
    }

    deinit { sqlite3_reset(statement) }

    private func bind(_ value: SQLValue, _ place: CInt) throws {
        // SQLITE_TRANSIENT: SQLite copies the bytes.
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let code =
            switch value {
            case .int(let value): sqlite3_bind_int64(statement, place, value)
            case .real(let value): sqlite3_bind_double(statement, place, value)
            case .null: sqlite3_bind_null(statement, place)
            case .text(let text): sqlite3_bind_text(statement, place, text, -1, copies)
            case .utf8(let bytes):
                bytes.withUnsafeBytes {
                    sqlite3_bind_text(
                        statement, place, $0.baseAddress?.assumingMemoryBound(to: CChar.self), CInt($0.count), copies)
                }
            case .blob(let bytes):
                bytes.isEmpty
                    // No bytes have no address, which would bind null.
                    ? sqlite3_bind_zeroblob(statement, place, 0)
                    : bytes.withUnsafeBytes {
                        sqlite3_bind_blob(statement, place, $0.baseAddress, CInt($0.count), copies)
                    }
            }
        if code != SQLITE_OK { throw failure() }
    }

    private func failure() -> DriveError { Failure.last(of: sqlite3_db_handle(statement)) }

    /// False after the last row.
    func step() throws -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case _: throw failure()
        }
    }

    func isNull(_ column: CInt) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
    func int(_ column: CInt) -> Int64 { sqlite3_column_int64(statement, column) }
    func optionalInt(_ column: CInt) -> Int64? { isNull(column) ? nil : int(column) }
    func bits(_ column: CInt) -> UInt64 { UInt64(bitPattern: int(column)) }

    func blob(_ column: CInt) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    /// Valid until the next step.
    func bytes(_ column: CInt) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
    }

    func optionalBlob(_ column: CInt) -> [UInt8]? { isNull(column) ? nil : blob(column) }
    func name(_ column: CInt) -> FileName { FileName(bytes: blob(column)) }
    func text(_ column: CInt) -> String { sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "" }
    func optionalText(_ column: CInt) -> String? { isNull(column) ? nil : text(column) }

    func id(_ column: CInt) throws -> ItemID {
        guard let start = sqlite3_column_blob(statement, column), sqlite3_column_bytes(statement, column) == 16 else {
            throw Failure.damaged("an item's id has not 16 bytes", in: sqlite3_db_handle(statement))
        }
        return ItemID(
            high: UInt64(bigEndian: start.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}
