import DriveCore
import GRDB

/// What a drive remembers, in SQLite: one file, or memory for tests.
///
/// For one thread at a time. A transaction that returned is on the disk and survives a power cut (write-ahead log,
/// `synchronous=FULL`). Errors are `DriveError`; a damaged file throws `corrupt` and one of a later version
/// `newerFormat` without being touched.
public final class DriveIndex: DriveState {
    /// In bytes. SQLite opens no file whose path is longer together with the ending of its log (MAX_PATHNAME in its
    /// os_unix.c).
    public static let longestPath = 512 - "-journal".utf8.count

    let connection: Connection
    let keys: Interner
    /// What is known of the tables and would cost a query; thrown away with a transaction that was thrown away.
    var known = Known()
    // What the transaction under way has read or changed.
    var items = ItemsAtHand()
    var rows = RowsAtHand()
    var placeChanges = PlaceChanges()
    var isSettling = false
    /// What is to be done once the transaction under way has ended well.
    private var committed: [() -> Void] = []
    /// Nil where something was in the tables before.
    private(set) var filter: AbsenceFilter?
    /// Nothing was there before.
    public let isNew: Bool
    /// The version of the schema that this program writes.
    public static var formatVersion: Int { Schema.version }

    struct Known {
        var dirt: KeptDirt?
        var rowCount: Int?
        var nextRow: Int64?
        var isNextRowSaved = true
        var hasUploaded: Bool?
        var eventCount: Int?
        var marks: SearchMarks?
        var numbers: RecordNumbers?
        var labels: DeviceLabels?
        var seenTime: SeenTime?
    }

    /// Opens or makes the index in the file at `path`, or one in memory. Older versions are brought up to date.
    public convenience init(path: [UInt8]?) throws {
        try self.init(path: path, migrations: Migrations())
    }

    init(path: [UInt8]?, migrations: Migrations) throws {
        let opened = try Opening.writable(path, migrations)
        connection = Connection(opened.queue, at: path, isReadOnly: false, sharesReads: true)
        keys = Interner(connection)
        isNew = opened.isNew
        connection.settle = { [unowned self] in try settle() }
        // Not only where it is new: whoever made it may have been killed in between.
        if try row(.root) == nil { try save(DriveCore.Row.root) }
        if try isEmpty() {
            let filter = AbsenceFilter()
            filter.note(DriveCore.Row.root)
            filter.note(.item, ItemID.root.high, ItemID.root.low)
            try noteUploaded(in: filter)
            keys.filter = filter
            self.filter = filter
        }
    }

    /// The root is there in any case.
    private func isEmpty() throws -> Bool {
        try nextRow().rawValue == RowID.root.rawValue + 1 && connection.first(Self.anything) { _ in true } == nil
    }

    private static let anything = Query(
        "SELECT 1 FROM item WHERE uid <> zeroblob(16) UNION ALL SELECT 1 FROM log LIMIT 1")

    /// Opens an index for reading, beside a running drive too. What was committed up to a query is what it finds.
    ///
    /// Where the folder cannot be written, or with `isUnchanging`, the file is taken for one that nobody changes meanwhile, unless there
    /// is a log beside it; nothing is made beside it then. With `isMapped` it is read as
    /// memory, which saves searches a call for each page; where a page cannot be read the process gets SIGBUS then, and no error.
    public init(readOnlyAt path: [UInt8], isMapped: Bool = false, isUnchanging: Bool = false) throws {
        let queue = try Opening.readOnly(path, Migrations(), isMapped: isMapped, isUnchanging: isUnchanging)
        connection = Connection(queue, at: path, isReadOnly: true)
        keys = Interner(connection)
        isNew = false
    }

    public func transaction<Result>(isDurable: Bool, _ body: () throws -> Result) throws -> Result {
        let isOuter = !connection.isInTransaction
        let result = try connection.transaction(body, isDurable: isDurable, willCommit: saveAtEnd) {
            forgetKnown()
            keys.forget()
            forgetAtHand()
            committed = []
        }
        if isOuter {
            let due = committed
            committed = []
            for body in due { body() }
        }
        return result
    }

    public func whenCommitted(_ body: @escaping () -> Void) {
        if connection.isInTransaction { committed.append(body) } else { body() }
    }

    public func endReading() throws { try connection.endReading() }

    /// The pages that SQLite keeps.
    public func releaseMemory() throws { try connection.alone { $0.releaseMemory() } }

    /// What is written once for each transaction.
    private func saveAtEnd() throws {
        try settle()
        forgetAtHand()
        try saveDirt()
        try saveNextRow()
    }

    /// All but the numbers that were given: they may be in use already.
    private func forgetKnown() {
        let next = known.nextRow
        known = Known()
        known.nextRow = next
        known.isNextRowSaved = next == nil
    }

    /// Looks for damage that SQLite can find; takes about as long as reading the file. Throws `corrupt` with what it
    /// found.
    public func check() throws {
        try connection.alone {
            let found = try String.fetchAll($0, sql: "PRAGMA quick_check(3)")
            guard found == ["ok"] else {
                throw Failure.damaged(found.joined(separator: ", "), in: $0.sqliteConnection)
            }
        }
    }

    /// Brings everything from the write-ahead log into the file and empties the log, which SQLite does by itself from time to time.
    package func checkpoint() throws {
        _ = try connection.alone { try $0.checkpoint(.truncate) }
    }
}

extension DriveCore.Row {
    /// The folder itself.
    fileprivate static var root: DriveCore.Row {
        let start = FileTime(seconds: 0)
        return DriveCore.Row(
            id: .root, parent: .root, name: FileName(bytes: []), kind: .folder,
            facts: FileFacts(
                kind: .folder, identity: FileIdentity(inode: 0, birth: nil), size: 0, modified: start, changed: start),
            members: [Member(item: .root)])
    }
}
