import Dispatch

/// Runs an actor's jobs on a queue of its own: what blocks there never blocks Swift's cooperative pool, which has one
/// thread per core.
public final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue
    private static let mark = DispatchSpecificKey<Bool>()

    public init(label: String) {
        queue = DispatchQueue(label: label)
        queue.setSpecific(key: Self.mark, value: true)
    }

    /// Whether the caller runs on a thread that may block.
    public static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) ?? false }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// A place for work that blocks: SQLite, system calls.
public actor WorkThread {
    private let executor: BlockingExecutor

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    public init(label: String = "docdrive.work") { executor = BlockingExecutor(label: label) }

    public func run<Result: Sendable>(_ body: @Sendable () async throws -> Result) async rethrows -> Result {
        try await body()
    }
}
