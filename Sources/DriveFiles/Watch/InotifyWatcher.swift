import DriveCore
import Foundation

/// How many folders are watched; the unwatched ones must be polled.
public struct WatchCoverage: Hashable, Sendable {
    public var watched: Int
    public var unwatched: Int

    public init(watched: Int, unwatched: Int) {
        self.watched = watched
        self.unwatched = unwatched
    }
}

/// Watches a folder and everything beneath it on the same file system, through the process `docdrive-watch`.
///
/// The process is started again when it dies, and then everything is to be looked at. Events come without order between
/// names, and one change may make several; the only promise is that no change in a watched folder goes untold.
public final class InotifyWatcher: FolderWatcher {
    public let events: AsyncStream<WatchEvent>
    private let supervisor: WatchSupervisor
    private let barriers: WatchBarriers

    public struct Configuration: Sendable {
        /// The folder, as the bytes of its absolute path.
        public var root: [UInt8]
        /// An existing folder for barrier files that nothing else uses, usually inside a left-out one.
        public var control: [UInt8]
        /// Names directly beneath the root that are not watched.
        public var leaveOut: [FileName]
        /// What the names directly beneath the root begin with of which nothing is to be told.
        public var leaveOutPrefixes: [[UInt8]] = []
        /// Tell only of what comes directly beneath the root, not of what goes.
        public var onlyArrivals = false
        /// The path of `docdrive-watch`; nil to look for it.
        public var program: String?
        /// How many events wait for the consumer before they become one rescan.
        public var capacity = 65_536
        /// Dead library entries (about 285 bytes each) after which the process is exchanged.
        public var leakLimit = 100_000
        /// After how many seconds a write is told of though the file was not closed.
        public var openTime = 10

        public init(root: [UInt8], control: [UInt8], leaveOut: [FileName] = [], program: String? = nil) {
            self.root = root
            self.control = control
            self.leaveOut = leaveOut
            self.program = program
        }
    }

    /// Returns when the process runs; `ready` comes as an event when all folders are watched. Throws a `DriveError` if the
    /// program is missing or of another version, the folders cannot be opened, or inotify is exhausted.
    public static func start(_ configuration: Configuration) async throws -> InotifyWatcher {
        let watcher = InotifyWatcher(configuration, program: try configuration.program ?? WatchProgram.find())
        try await watcher.supervisor.start { body in Thread.detachNewThread(body) }
        return watcher
    }

    private init(_ configuration: Configuration, program: String) {
        var arguments = [configuration.root, configuration.control]
        for name in configuration.leaveOut { arguments += [Array("--leave-out".utf8), name.bytes] }
        for prefix in configuration.leaveOutPrefixes { arguments += [Array("--leave-out-prefix".utf8), prefix] }
        if configuration.onlyArrivals { arguments.append(Array("--arrivals".utf8)) }
        arguments += [Array("--leak-limit".utf8), Array(String(configuration.leakLimit).utf8)]
        arguments += [Array("--open-time".utf8), Array(String(configuration.openTime).utf8)]
        let barriers = WatchBarriers()
        let queue = WatchEventQueue(capacity: configuration.capacity, barriers: barriers)
        self.barriers = barriers
        events = AsyncStream(unfolding: { await queue.next() })
        supervisor = WatchSupervisor(program: program, arguments: arguments, queue: queue, barriers: barriers)
    }

    deinit { supervisor.requestStop() }

    /// What is covered now; nothing while the process is down.
    public var coverage: WatchCoverage { supervisor.coverage }

    /// The process that watches now, for diagnosis.
    public var processID: Int32? { supervisor.pid }

    public func barrier() async -> Bool { await barrier(timeout: .seconds(30)) }

    /// As `barrier()`, false at the latest after `timeout` or when the task is cancelled.
    public func barrier(timeout: Duration) async -> Bool {
        let token = barriers.open()
        if !supervisor.send(.barrier(token: token)) { barriers.complete(token, isSure: false) }
        return await withTaskGroup(of: Void.self) { [barriers] group in
            group.addTask {
                // Cancelled when the answer is here or nobody wants it any more.
                try? await Task.sleep(for: timeout)
                barriers.complete(token, isSure: false)
            }
            let isSure = await barriers.wait(token)
            group.cancelAll()
            return isSure
        }
    }

    /// Returns when the process is gone. What was read from it before is still delivered, then `events` ends.
    public func stop() async { await supervisor.stop() }
}
