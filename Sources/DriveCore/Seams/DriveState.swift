/// Everything that a drive remembers. Implemented by the SQLite index and in memory, with one contract.
///
/// What is done in a transaction is there whole after a crash, or not at all.
public protocol DriveState: ViewStorage, RowStorage, JournalState, DiaryStorage, HistoryStorage {
    /// Nested calls join the outer one. Throws away everything done in it if the body throws.
    ///
    /// What a durable one changes survives a power cut once the call returns, with all that was done before. Any other may
    /// be lost to a power cut until then, and what followed it with it: for what nothing but the state itself relies on,
    /// neither on the disk nor in the store.
    func transaction<Result>(isDurable: Bool, _ body: () throws -> Result) throws -> Result
    /// Runs the body once the transaction under way has ended well; never where it is taken back, at once where there is none.
    func whenCommitted(_ body: @escaping () -> Void)
    /// Says that nothing is to be read for a while. Until then, and until the next transaction, reads may see no change
    /// that somebody else made meanwhile.
    func endReading() throws
    /// What has changed since somebody was given this mark, with the mark for the next time; nil to ask for the first time.
    func changedPlaces(since mark: UInt64?) throws -> ChangedPlaces
    /// Gives up what is kept in memory for speed alone. For when much was gone through and little follows.
    func releaseMemory() throws
}

extension DriveState {
    /// A durable one.
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try transaction(isDurable: true, body)
    }

    /// For a state that keeps no account of it.
    public func changedPlaces(since mark: UInt64?) -> ChangedPlaces { ChangedPlaces(mark: 0, places: nil) }
}

/// What the journal must remember durably.
public protocol JournalState: AnyObject {
    func numbers() throws -> RecordNumbers
    func setNumbers(_ numbers: RecordNumbers) throws
    func journal() throws -> JournalMemory
    func setJournal(_ memory: JournalMemory) throws
    /// What has been joined, for each device.
    func token() throws -> DeviceVector
    func setToken(_ token: DeviceVector) throws
    /// Groups made here and not yet published, oldest first.
    func pendingGroups() throws -> [RecordGroup]
    func addPending(_ group: RecordGroup) throws
    /// Forgets pending groups all of whose records are numbered up to `n`.
    func removePending(through n: UInt64) throws
    func setPending(_ groups: [RecordGroup]) throws
    /// The number of the last own record of an item, and the greatest of them that a fetched record contains.
    func ownRecord(of item: ItemID) throws -> OwnRecord?
    func setOwnRecord(_ record: OwnRecord?, of item: ItemID) throws
    func removeOwnRecords() throws
    /// Where a chunk lies that an item refers to which is alive, or that was uploaded and waits to be. What only dead items
    /// refer to may leave the store.
    func knownChunk(_ id: ContentHash) throws -> ChunkReference?
    /// Chunks uploaded for records to come, so that an interrupted import does not send them again. `source` is the file that
    /// was being read, while it is not known whether a record will ever name them.
    /// Those of the source `.root` are about to leave the store: nothing answers them any more.
    func addUploaded(_ chunks: [ChunkReference], of source: DrivePath?) throws
    /// One of them, with its source if it has one.
    func uploadedChunk(_ id: ContentHash) throws -> (chunk: ChunkReference, source: DrivePath?)?
    /// A list of chunks names these from now on, which a record may name: they have no source any more.
    func listUploaded(_ chunks: [ChunkReference]) throws
    /// The file, as it is now, has no use for any chunk of this source but these: the source of the others is `.root` from then on.
    func abandonUploads(of source: DrivePath, but used: Set<ContentHash>) throws
    /// Those that have a source: no record of this device has ever named them, by itself or by a list.
    func unfinishedUploads() throws -> [UnfinishedUpload]
    /// Forgets those that lie in these objects.
    func forgetUploaded(in objects: Set<ObjectKey>) throws
}

public struct OwnRecord: Hashable, Sendable {
    public var n: UInt64
    public var covered: UInt64

    public init(n: UInt64, covered: UInt64 = 0) {
        self.n = n
        self.covered = covered
    }

    /// Nobody else's record contains it, so that it must stay in the own log.
    public var isNeeded: Bool { covered < n }
}

/// A chunk that was stored while a file was read, before the end of it.
public struct UnfinishedUpload: Hashable, Sendable {
    public var chunk: ChunkReference
    /// Of the file, at that time; `.root` where nothing goes on with it.
    public var source: DrivePath

    public init(_ chunk: ChunkReference, of source: DrivePath) {
        self.chunk = chunk
        self.source = source
    }
}

/// What was done, is being done, and went wrong.
public protocol DiaryStorage: AnyObject {
    func intents() throws -> [Intent]
    func setIntents(_ intents: [Intent]) throws
    func trash() throws -> [TrashEntry]
    /// From now on it is there, by the time that has been seen pass.
    func addTrash(_ entry: TrashEntry) throws
    func removeTrash(_ name: FileName) throws
    func log(_ event: DriveEvent) throws
    /// The newest `limit` events, newest first.
    func events(limit: Int) throws -> [DriveEvent]
    func problems() throws -> [Problem]
    /// Replaces all problems of one kind of work.
    func setProblems(_ problems: [Problem], from source: Problem.Source) throws
    /// Small settings by name.
    func setting(_ name: String) throws -> [UInt8]?
    func setSetting(_ value: [UInt8]?, _ name: String) throws
    /// Nil where the clock has never been looked at.
    func seenTime() throws -> SeenTime?
    func setSeenTime(_ time: SeenTime) throws
}

/// One item that cannot be synced now; cleared when it can.
public struct Problem: Hashable, Sendable {
    public var path: DrivePath
    public var reason: String
    public var source: Source
    /// Milliseconds since 1970.
    public var since: UInt64

    public enum Source: String, Hashable, Sendable { case scan, apply, fetch, scrub }

    public init(path: DrivePath, reason: String, source: Source, since: UInt64) {
        self.path = path
        self.reason = reason
        self.source = source
        self.since = since
    }
}

/// Something that happened to the drive, for the log and for people who watch.
public struct DriveEvent: Hashable, Sendable {
    /// Milliseconds since 1970.
    public var time: UInt64
    public var kind: Kind
    public var path: DrivePath
    /// Where it was before, for a move.
    public var from: DrivePath?
    /// Whose change it was: nil for this device's own.
    public var device: String?
    /// One sentence where a rule may surprise, with the command that reverses it.
    public var note: String?
    /// What it was done with; nil for what is only told.
    public var operation: DriveOperation?
    /// The content that was there, and the one that is there now; of a folder both are nil.
    public var before: ContentHash?
    public var after: ContentHash?
    /// What the attributes were, where they changed or what had them was replaced or went.
    public var attributes: Attributes?

    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case added, edited, moved, deleted, attributes, conflict, resolved, recovered, forked, trashed, error
    }

    public init(
        time: UInt64, kind: Kind, path: DrivePath, from: DrivePath? = nil, device: String? = nil, note: String? = nil,
        operation: DriveOperation? = nil, before: ContentHash? = nil, after: ContentHash? = nil,
        attributes: Attributes? = nil
    ) {
        self.time = time
        self.kind = kind
        self.path = path
        self.from = from
        self.device = device
        self.note = note
        self.operation = operation
        self.before = before
        self.after = after
        self.attributes = attributes
    }

    /// Nothing is left at its path.
    public var isGone: Bool { kind == .deleted || kind == .trashed }

    /// A delete and a change met, and the change is kept. What mends damage is an operation of its own.
    public var isKeptChange: Bool { kind == .recovered && operation == nil }
}
