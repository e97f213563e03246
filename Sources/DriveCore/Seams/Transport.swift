/// How a drive meets its other devices: journals and contents. Implemented over any `ObjectStore`.
///
/// A transport keeps nothing between calls that matters: what must be remembered is in `JournalMemory`, which the
/// caller saves before the next call.
public protocol Transport: Sendable {
    /// Compares the store's newest own head with the memory: at start and after any unclear answer.
    func recover(_ memory: JournalMemory) async throws(DriveError) -> RecoverOutcome

    /// What somebody else has published under this device's id, as the newest head shows that is whole, not named by the memory, and
    /// not `known` to be this device's own; nil where there is none. `heads` are all of this id that
    /// the store has; it is asked for them where they are nil.
    func branch(
        from memory: JournalMemory, among heads: Set<ObjectKey>?, except known: Set<ObjectKey>
    ) async throws(DriveError) -> JournalBranch?

    /// Stores the records up to number `through` as segments and names the head that would publish them.
    ///
    /// The memory that comes back differs in `intended` only; save it, then `publish`. Groups are never split across
    /// heads. `seen` goes into the head.
    func prepare(
        _ groups: [RecordGroup], through: UInt64, seen: DeviceVector, memory: JournalMemory
    ) async throws(DriveError) -> JournalMemory

    /// Puts the intended head: the commit point. Returns the memory with it in force, and removes own heads that are
    /// older than the last two.
    func publish(_ memory: JournalMemory, seen: DeviceVector) async throws(DriveError) -> JournalMemory

    /// What other devices' journals hold beyond `token`, for each device all of it or nothing, in device order: as much as fits into
    /// memory at once, and the rest with the next call (`FetchOutcome.isPartial`). `only` restricts it to some devices.
    func fetch(
        since token: DeviceVector, own: DeviceID, only: Set<DeviceID>?
    ) async throws(DriveError) -> FetchOutcome

    /// What the writer of a head was called; nil where it is not there or cannot be read.
    func labels(inHead key: ObjectKey) async throws(DriveError) -> [DeviceLabel]?

    /// Rewrites the own log without the records that `isNeeded` refuses, if that pays. Only with nothing unpublished.
    ///
    /// What is prepared is like that of `prepare`: save, then `publish`, then `discard` what it replaced.
    func compact(
        _ memory: JournalMemory, seen: DeviceVector, isNeeded: (ItemID, UInt64) throws -> Bool
    ) async throws(DriveError) -> CompactOutcome

    /// Removes segments of the own log that the memory in force does not list any more.
    func discardReplacedSegments(_ memory: JournalMemory) async throws(DriveError)

    /// Stores contents. `known` tells where a chunk with this id lies already, if the drive's state refers to it. `stored` is told
    /// of chunks that lie in the store by then, before `finish` returns the rest: after some MiB of them, and where a call throws.
    /// `listed` is told of all chunks of a content that names but the list of them, before `add` returns it.
    func contentWriter(
        known: @escaping (ContentHash) throws -> ChunkReference?, stored: @escaping ([ChunkReference]) throws -> Void,
        listed: @escaping ([ChunkReference]) throws -> Void
    ) -> any ContentWriter

    /// Whether the store takes a few bytes of contents, which nothing refers to and which are removed again: it may refuse some for
    /// what they are. Throws where it is not in reach.
    func takesObjects() async throws(DriveError) -> Bool

    func contentReader() -> any ContentReader

    /// All objects that hold contents and can be seen now, with their sizes. Costs a listing of the whole store.
    func contentObjects() async throws(DriveError) -> [ObjectKey: UInt64]

    /// Those of the objects with contents that cannot be seen now, or are shorter than so many bytes. Of a few, each is asked for;
    /// of more, all are listed.
    func missing(of objects: [ObjectKey: UInt64]) async throws(DriveError) -> Set<ObjectKey>

    /// All chunks of a content, in order; reads the list of a very large one. Throws `notFound` where the store does not have that.
    func chunks(of content: Content) async throws(DriveError) -> [ChunkReference]

    /// Every object that a content lies in; reads the list of a very large one.
    func objects(of content: Content) async throws(DriveError) -> Set<ObjectKey>

    /// How the journals of all devices stand, in device order.
    func standings() async throws(DriveError) -> [JournalStanding]

    /// Stores what is about to be removed; it counts once a head refers to it.
    func store(_ notice: CollectionNotice) async throws(DriveError) -> CollectionReference

    /// What a head refers to; nil where it is not there or not whole (yet).
    func notice(
        of device: DeviceID, _ reference: CollectionReference
    ) async throws(DriveError) -> CollectionNotice?

    /// Removes objects with contents.
    func remove(_ objects: [ObjectKey]) async throws(DriveError)

    /// Removes notices of this device that no head refers to any more.
    func removeNotices(of device: DeviceID, but reference: CollectionReference?) async throws(DriveError)
}

public enum RecoverOutcome: Hashable, Sendable {
    /// The store agrees with the memory.
    case unchanged
    /// The answer to the last `publish` was lost, but it arrived: this is the memory now.
    case adopted(JournalMemory)
    /// Somebody else writes under this device's id (a clone, a restored backup): fork.
    case foreign
    /// The store has less than this device published: swapped, emptied or rolled back. The memory names what the
    /// store still has.
    case behind(JournalMemory)
}

public enum CompactOutcome: Hashable, Sendable {
    /// It does not pay.
    case unneeded
    case prepared(JournalMemory)
    /// The store does not have these segments as they were put: nobody can read what they hold, nor what comes after it.
    case damaged([SegmentReference])
}

public struct FetchOutcome: Sendable {
    public var journals: [FetchedJournal]
    /// Journals that could not be read whole, with the reason for people: they are tried again.
    public var problems: [Problem]
    /// Journals of other devices may have news that were left for the next call.
    public var isPartial = false
    /// The heads of the own journal that are there; if the one in force is not, `recover` has to look.
    public var ownHeads: Set<ObjectKey> = []
    /// For each device the highest record number that any of its heads in the store claims, whole or not.
    public var published = DeviceVector()
    /// Of each device the newest head that the store shows, whole or not.
    public var newestHeads: [DeviceID: ObjectKey] = [:]
    /// The newest heads of devices that share the store and have published no record yet.
    public var silentHeads: [DeviceID: ObjectKey] = [:]

    public struct Problem: Hashable, Sendable {
        public var device: DeviceID
        public var reason: String

        public init(device: DeviceID, reason: String) {
            self.device = device
            self.reason = reason
        }
    }

    public init(journals: [FetchedJournal], problems: [Problem] = []) {
        self.journals = journals
        self.problems = problems
    }
}

/// What is new in one device's journal; to be joined whole, in one transaction with the token.
public struct FetchedJournal: Sendable {
    public var device: DeviceID
    /// The token's new entry for this device.
    public var through: UInt64
    public var labels: [DeviceLabel]
    /// What this device had joined when it wrote its head.
    public var seen: DeviceVector
    public var segments: [any FetchedSegment]

    public init(
        device: DeviceID, through: UInt64, labels: [DeviceLabel], seen: DeviceVector, segments: [any FetchedSegment]
    ) {
        self.device = device
        self.through = through
        self.labels = labels
        self.seen = seen
        self.segments = segments
    }
}

/// Verified but still encoded, so that a large journal is never decoded as a whole.
public protocol FetchedSegment: Sendable {
    func records() throws(DriveError) -> [ItemState]
}

/// Cuts files into chunks and stores those that are not known yet, small ones packed. Not shared between tasks.
public protocol ContentWriter: AnyObject {
    /// Reads the file to its end. Nil where it changed meanwhile: look again later.
    /// What comes back may be referred to only after `finish`. What the file has in common with one of the lists, in the same
    /// order, is found sooner; the outcome is the same whichever contents they are of.
    func add(_ reader: any FileReader, like lists: ChunkLists) async throws(DriveError) -> Content?
    /// Stores what is still buffered. The references of all chunks stored by this writer that were not known before, and that it
    /// has not told of.
    func finish() async throws(DriveError) -> [ChunkReference]
    /// The object that a call threw for, because the store refused several small chunks together and may take them in smaller parts:
    /// nothing may refer to it, and another writer is to be given again what does.
    var givenUp: ObjectKey? { get }
    /// The last call threw because the store refuses what was to be put, for its size or for what it is, and takes other things.
    var isRefusedAlone: Bool { get }
}

extension ContentWriter {
    public func add(_ reader: any FileReader) async throws(DriveError) -> Content? {
        try await add(reader, like: ChunkLists())
    }
}

/// Brings contents back, every chunk verified by length and SHA-256 before a byte of it is delivered. Keeps recently
/// read objects, so read in the order of the references. Not shared between tasks.
public protocol ContentReader: AnyObject {
    /// Chunks that `local` files have are taken from them, and verified as well; returns how many bytes were fetched.
    /// Throws `notFound` where an object is not there (yet), `corrupt` where it fails its check. With the bytes it tells where
    /// they lie in a local file that stays as it is.
    func read(
        _ content: Content, reusing local: [LocalContent],
        deliver: (UnsafeRawBufferPointer, LocalPlace?) throws(DriveError) -> Void
    ) async throws(DriveError) -> UInt64
}

extension ContentReader {
    public func read(
        _ content: Content, reusing local: [LocalContent],
        deliver: (UnsafeRawBufferPointer) throws(DriveError) -> Void
    ) async throws(DriveError) -> UInt64 {
        try await read(content, reusing: local) { bytes, _ throws(DriveError) in try deliver(bytes) }
    }

    public func read(
        _ content: Content, deliver: (UnsafeRawBufferPointer) throws(DriveError) -> Void
    ) async throws(DriveError) {
        _ = try await read(content, reusing: [], deliver: deliver)
    }
}

/// A file on this disk that has, or had, a content, or the beginning of it.
public struct LocalContent {
    public var content: Content
    public var file: any FileReader
    /// Nobody writes the file any more.
    public var isFrozen: Bool

    public init(content: Content, file: any FileReader, isFrozen: Bool = false) {
        self.content = content
        self.file = file
        self.isFrozen = isFrozen
    }
}

/// Where bytes lie in a file on this disk.
public struct LocalPlace {
    public var file: any FileReader
    public var offset: UInt64

    public init(file: any FileReader, offset: UInt64) {
        self.file = file
        self.offset = offset
    }
}
