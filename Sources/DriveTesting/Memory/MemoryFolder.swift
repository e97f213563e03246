import DriveCore

/// A drive's folders in memory, as a Linux file system would keep them: inodes with birth times, names, times,
/// attributes, open files that outlive their names, failures, and power cuts.
///
/// It has two faces: `FileStore` for the engine, and the person's side (`create`, `save`, `move`...), which no hook
/// sees. Hooks run before and after the effect of every call of the engine; what they throw is what the call throws.
///
/// Unchecked, because a simulated device is one thread of work: whoever steps it owns its folder, and a lock around each
/// of 10 million calls would prove nothing.
public final class MemoryFolder: @unchecked Sendable {
    public let clock: ManualClock
    public var options: Options
    public var beforeOperation: ((FolderOperation) throws(DriveError) -> Void)?
    public var afterOperation: ((FolderOperation) throws(DriveError) -> Void)?
    public var failures: [FolderFailure] = []
    /// Thrown when the root is opened: another disk, or an empty mount point, is where it was.
    public var rootFailure: DriveError?
    /// Counts the folders that are open at once, where somebody wants to know.
    public var openFolders: OpenFolderCount?
    /// Calls of the engine so far.
    public private(set) var operations = 0
    /// True between a crash and `restart()`.
    public private(set) var isDead = false

    /// By number; 0 is nobody.
    var nodes: [MemoryNode?] = [nil]
    var freeInodes: [UInt64] = []
    var nextInode: UInt64 = 2
    var used: UInt64 = 0
    var unstored = UnstoredChanges()
    var touched = TouchedNames<Int>()
    /// What was touched before the last look at it.
    var lastTouched = TouchedNames<Int>()
    private var lastStamp: UInt64 = 0

    public struct Options: Hashable, Sendable {
        /// Bytes that files may hold together.
        public var capacity: UInt64 = 1 << 40
        public var isReadOnly = false
        /// Numbers of removed inodes come back, as ext4 does at once.
        public var reusesInodes = false
        /// FAT, some network file systems: inodes without a birth time.
        public var hasBirthTimes = true
        /// Some network file systems, tmpfs before Linux 6.6: no extended attributes of the `user` namespace.
        public var keepsExtendedAttributes = true
        /// FAT, folders with `+F` (chattr(1)): what has a name is found by it in any case (here of ASCII).
        public var ignoresCase = false
        /// Bytes that an extended attribute may have; ext4 has a block for all of them.
        public var longestAttribute = Int.max
        /// Bytes that a name may have; eCryptfs lets it have 143.
        public var longestName = Int.max
        /// mtime and ctime are cut to this many nanoseconds; 1 gives every change a time of its own.
        public var timeGranularity: UInt64 = 1
        /// What somebody sets a later time to; nil where every time can be kept.
        public var lastTime: FileTime?

        public init() {}
    }

    public init(clock: ManualClock = ManualClock(), options: Options = Options()) {
        self.clock = clock
        self.options = options
        for _ in FileArea.allCases { _ = makeNode(.folder, mode: 0o755) }
    }

    /// The process is gone; what it did stays. Every call throws until `restart()`.
    public func kill() { isDead = true }

    /// A new process may use the folder.
    public func restart() { isDead = false }

    /// Runs the hooks around one call of the seam. The order is: dead, before, failures, effect, after.
    func perform<Result>(
        _ kind: FolderOperation.Kind, _ name: FileName = MemoryFolder.noName, in folder: Int = 0,
        effect: () throws(DriveError) -> Result
    ) throws(DriveError) -> Result {
        if isDead { throw .simulatedCrash }
        operations += 1
        let operation = FolderOperation(kind: kind, name: name, folder: folder)
        if let beforeOperation { try call(beforeOperation, operation) }
        for failure in failures where failure.applies(to: operation) { throw failure.error }
        if options.isReadOnly, !kind.isReading, kind != .makeDurable {
            throw DriveError(.readOnly, "The folder is read-only", path: name.description)
        }
        let result = try effect()
        if let afterOperation { try call(afterOperation, operation) }
        return result
    }

    static let noName = FileName(bytes: [])

    private func call(
        _ hook: (FolderOperation) throws(DriveError) -> Void, _ operation: FolderOperation
    ) throws(DriveError) {
        do {
            try hook(operation)
        } catch {
            if error.isSimulatedCrash { isDead = true }
            throw error
        }
        // A hook may also have cut the power.
        if isDead { throw .simulatedCrash }
    }

    /// Nanoseconds since 1970, never the same twice.
    private func stamp() -> UInt64 {
        lastStamp = max(clock.milliseconds() * 1_000_000, lastStamp + 1)
        return lastStamp
    }

    /// The time of a change, as exact as the file system is.
    func now() -> FileTime {
        let stamp = stamp()
        return Self.time(stamp - stamp % max(1, options.timeGranularity))
    }

    /// A time that somebody sets, as exact as the file system is.
    func cut(_ wanted: FileTime) -> FileTime {
        let time = options.lastTime.map { min($0, wanted) } ?? wanted
        let granularity = options.timeGranularity
        if granularity <= 1 { return time }
        let seconds = Int64(max(1, granularity / 1_000_000_000))
        let nanoseconds = granularity >= 1_000_000_000 ? 0 : time.nanoseconds - time.nanoseconds % UInt32(granularity)
        return FileTime(seconds: time.seconds - time.seconds % seconds, nanoseconds: nanoseconds)
    }

    private static func time(_ stamp: UInt64) -> FileTime {
        FileTime(seconds: Int64(stamp / 1_000_000_000), nanoseconds: UInt32(stamp % 1_000_000_000))
    }

    func makeNode(_ kind: FileFacts.Kind, bytes: [UInt8] = [], mode: UInt16) -> MemoryNode {
        let inode: UInt64
        if let free = freeInodes.popLast() {
            inode = free
        } else {
            inode = nextInode
            nextInode += 1
        }
        let node = MemoryNode(
            number: nodes.count, inode: inode, kind: kind, birth: Self.time(stamp()), bytes: bytes, mode: mode)
        node.modified = now()
        node.changed = node.modified
        nodes.append(node)
        used += UInt64(bytes.count)
        return node
    }

    func facts(of node: MemoryNode) -> FileFacts {
        FileFacts(
            kind: node.kind, identity: identity(of: node),
            size: node.kind == .folder ? 4096 : UInt64(node.bytes.count), modified: node.modified,
            changed: node.changed, isExecutable: node.isExecutable)
    }

    func identity(of node: MemoryNode) -> FileIdentity {
        FileIdentity(inode: node.inode, birth: options.hasBirthTimes ? node.birth : nil)
    }
}

extension FileArea {
    /// The number of the area's folder in every `MemoryFolder`.
    var number: Int {
        switch self {
        case .root: 1
        case .incoming: 2
        case .parked: 3
        case .outgoing: 4
        case .trash: 5
        }
    }
}
