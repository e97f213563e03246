import Foundation

/// A thread that runs what prefers it, and that may be blocked without taking a thread from anybody else.
///
/// Unchecked: its queue is guarded by its condition.
public final class OwnThread: TaskExecutor, @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var isOver = false

    public init() {
        let thread = Thread { [self] in work() }
        thread.stackSize = 4 << 20
        thread.start()
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            jobs.append(job)
            condition.broadcast()
        }
    }

    /// The thread ends with what it has to do.
    public func end() {
        condition.withLock {
            isOver = true
            condition.broadcast()
        }
    }

    private func work() {
        while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func next() -> UnownedJob? {
        condition.lock()
        defer { condition.unlock() }
        while jobs.isEmpty {
            if isOver { return nil }
            condition.wait()
        }
        return jobs.removeFirst()
    }
}

/// A thread of its own on which the passes of one simulated device run, so that one can stand still in the middle of a
/// call while commands go on elsewhere. Only one of all the threads of a history is ever awake, which makes a history
/// with passes in the background a function of its seed.
///
/// Unchecked: everything is guarded by the condition.
final class PassThread: @unchecked Sendable {
    private let thread = OwnThread()
    private let condition = NSCondition()
    /// Calls that the pass may still make.
    private var allowance = 0
    private var isStanding = false
    private var isRunning = false

    /// Starts the work, which stands still before its first call.
    func start(_ work: @escaping @Sendable () async -> Void) {
        condition.withLock { (isRunning, isStanding, allowance) = (true, false, 0) }
        Task(executorPreference: thread) {
            await work()
            self.ended()
        }
        goOn(0)
    }

    private func ended() {
        condition.withLock {
            isRunning = false
            condition.broadcast()
        }
    }

    /// Asked before each call of the pass: waits until it may be made.
    func beforeCall() {
        condition.lock()
        defer { condition.unlock() }
        while allowance == 0 {
            isStanding = true
            condition.broadcast()
            condition.wait()
        }
        isStanding = false
        allowance -= 1
    }

    /// Lets the pass make so many calls, and waits until it has; whether it still runs.
    @discardableResult
    func goOn(_ calls: Int) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        allowance += calls
        if calls > 0 { isStanding = false }
        condition.broadcast()
        while isRunning, !(isStanding && allowance == 0) { condition.wait() }
        return isRunning
    }

    func end() { thread.end() }
}
