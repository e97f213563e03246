public import DriveCore

/// What an engine works with; wired in one place by whoever makes it.
public struct DriveParts {
    public var files: any FileStore
    public var state: any DriveState
    /// Nil for a drive without a store: rows and index are kept, no records are made.
    public var transport: (any Transport)?
    public var clock: any WallClock
    public var entropy: any Entropy
    public var options: EngineOptions
    /// What other parts of this process use now; apply leaves it for a later turn.
    public var claims: FileClaims?
    /// What waits on this device until the store takes it.
    public var unsent: (any UnsentObjects)?
    /// What is known of closed folders beside the state.
    package var closedNotes: (any ClosedFolderNotes)?
    let refusals = UnsentRefusals()
    let knownCopies = KnownCopies()
    let restless = RestlessFiles()
    let denied = DeniedPlaces()
    /// What happens now belongs to this operation.
    public let operations = OperationLog()
    /// What presenters know of conflicts.
    public let conflictNews = ConflictNews()
    /// Heads that this device had put itself, found late.
    let ownStrays = OwnStrays()
    /// Told what happens, as it happens.
    public var report: (EngineEvent) -> Void

    public init(
        files: any FileStore, state: any DriveState, transport: (any Transport)?, clock: any WallClock,
        entropy: any Entropy, options: EngineOptions = EngineOptions(),
        report: @escaping (EngineEvent) -> Void = { _ in }
    ) {
        self.files = files
        self.state = state
        self.transport = transport
        self.clock = clock
        self.entropy = entropy
        self.options = options
        self.report = report
    }

    /// After copies of refused contents were listed in the trash by somebody else.
    package func rereadCopies() { knownCopies.forgetAll() }
}

public struct EngineOptions: Sendable {
    /// Names and paths that are neither sent nor applied.
    public var ignores: @Sendable (DrivePath, Bool) -> Bool = { _, _ in false }
    /// Called before what is in a folder is compared, where there is an ignore file in it: what that says counts from then
    /// on. Returns whether `ignores` may answer otherwise than before.
    public var meetsIgnoreFile: @Sendable (any FileStore, OpenFolder, DrivePath) throws -> Bool = { _, _, _ in false }
    /// Called after a pass that changed something in the folder. Returns whether `ignores` may answer otherwise than before.
    public var rereadRules: @Sendable (DriveEngine) async throws -> Bool = { _ in false }
    /// Tells one set of rules from another: changes whenever `ignores` may answer otherwise for something directly in this
    /// folder.
    public var ignoreRules: @Sendable (DrivePath) -> Fingerprint = { _ in Fingerprint(high: 0, low: 0) }
    /// Whether a file that changed may be read now; false where a program is still writing it, and the next scan asks
    /// again.
    public var mayRead: @Sendable (FileName, OpenFolder, DrivePath) -> Bool = { _, _, _ in true }
    /// A file of so many bytes is given up as soon as it is seen to change while it is read; a smaller one is read by the time that
    /// one could ask.
    public var largeFile: UInt64 = 8 << 20
    /// Whether a file may give way now to what another device has made of it; false where a program has it open for writing,
    /// and would go on in a file that has no name any more. The next apply asks again.
    public var mayReplace: @Sendable (FileName, OpenFolder, DrivePath) -> Bool = { _, _, _ in true }
    /// How errors name the drive's folder: by the path that it was opened with, and by the one without links.
    public var places: Set<String> = []
    /// False while what a scan records is to stay here.
    public var maySend: @Sendable () -> Bool = { true }
    /// Files of more bytes are not read now; the next scan asks again.
    package var longestFile: @Sendable () -> UInt64 = { .max }
    /// Called with what a scan records, within the transaction, once the numbers are those that it has.
    package var notesUnsent: @Sendable (RecordGroup, any DriveState) throws -> Void = { _, _ in }
    /// Called before what was recorded is published, after a look at the folder: for what waits on this device and the state knows
    /// nothing of.
    package var bringsUnknown: @Sendable (DriveEngine) async throws -> Void = { _ in }
    /// False while something of it is left: only what the state accounts for may be dropped.
    package var mayDropUnsent: @Sendable () -> Bool = { true }
    /// Called within the transaction by which this device goes on under another id: what it knows may be older than its folder.
    package var goesOnAnew: @Sendable (any DriveState) throws -> Void = { _ in }
    /// Whether the text that two others come from, the second, lets them be merged with nothing to decide; nil where that
    /// cannot be told. Asked where comparing them leaves it open.
    public var mergesCleanly: @Sendable ([UInt8], [UInt8], [UInt8]) -> Bool? = { _, _, _ in nil }
    /// Look at every row and entry in each apply, instead of what changed.
    public var appliesEverything = false
    /// After every transaction, compare the maintained view with the full one.
    public var checksView = false
    /// Called after a part of much work, when what it took is free again.
    public var didMuch: @Sendable () -> Void = {}
    /// Tells this boot from others; nil where unknown.
    public var boot: UInt64?
    /// Bytes that downloads leave free: the greater of this and 1 %.
    public var freeSpaceFloor: UInt64 = 1 << 30
    /// At most this many records and bytes of new files a group, so that a first import publishes as it goes; new folders
    /// are left for the next part of a scan once as many things have been found.
    public var groupRecords = 4_096
    public var groupBytes: UInt64 = 256 << 20
    /// So many records are waited for before they are published while a scan goes on; fewer make many small segments.
    public var publishedRecords = 10_000
    /// Of so many segments the journal of this device is tidied with the next commit, whether or not there is quiet for it.
    public var longJournal = 64
    /// Of more than this that is new, apply takes so much at once.
    public var applyPortion = 4_096
    /// At most this many files and bytes are staged before they are made durable and placed together.
    public var batchFiles = 2_048
    public var batchBytes: UInt64 = 128 << 20
    /// So many bytes, and more, that were sent together are remembered before a record names them.
    public var rememberedUpload: UInt64 = 1 << 20
    /// Of a content of so many bytes, and more, what was brought before the download ended early is kept for the next.
    public var keptDownload: UInt64 = 8 << 20
    public var brake = Brake()
    /// Milliseconds after which records of others that the store does not show any more count as lost: 1 hour. A store
    /// that is itself synced, by another tool, may show old things late.
    public var journalLossDelay: UInt64 = 3_600_000
    /// When contents that nobody needs leave the store.
    public var collection = CollectionRule()

    public init() {}
}

/// What an engine tells while it works; the command renders it.
public enum EngineEvent: Sendable {
    case phase(EnginePhase)
    case progress(files: Int, bytes: UInt64)
    case happened(DriveEvent)
    /// Apply found something unexpected at a place and left it for the next turn.
    case passedOver(FileName, String)
    /// A call to the store waits until it is made again; nil once it goes on.
    case storeWaits(StoreWait?)
    /// What ended a pass, where that cannot be written into the index; nil once that is over.
    case troubleUnnoted(Trouble?)
}

public enum EnginePhase: String, Sendable { case scan, commit, fetch, apply, compact, check }

extension DriveParts {
    /// Whether a rule names the place of the row. A conflict copy is shown whatever a rule says.
    package func hides(_ row: Row) throws -> Bool {
        try !row.isDerived && options.ignores(state.path(of: row), row.kind == .folder)
    }
}
