import Dispatch
import DriveCore
import Synchronization

/// A few threads for calls that block, so that Swift's cooperative pool, which has one thread per core, never does.
public final class DiskPool: Sendable {
    private struct State {
        var running = 0
        /// Newest first, so that taking the oldest is cheap.
        var waiting: [@Sendable () -> Void] = []
        var arrived: [@Sendable () -> Void] = []

        mutating func next() -> (@Sendable () -> Void)? {
            if waiting.isEmpty {
                waiting = arrived.reversed()
                arrived = []
            }
            return waiting.popLast()
        }
    }

    private let width: Int
    private let queue: DispatchQueue
    private let state = Mutex(State())

    /// At most `width` calls block at a time; the others wait their turn, first come, first served.
    public init(label: String = "docdrive.disk", width: Int = 4) {
        self.width = max(1, width)
        queue = DispatchQueue(label: label, attributes: .concurrent)
    }

    /// Runs a call that blocks. Does not look at cancellation: a call on a disk cannot be taken back.
    public func run<Value: Sendable>(
        _ call: @escaping @Sendable () throws(DriveError) -> Value
    ) async throws(DriveError) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, DriveError>, Never>) in
            enqueue {
                do throws(DriveError) {
                    continuation.resume(returning: .success(try call()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    private func enqueue(_ job: @escaping @Sendable () -> Void) {
        let startsThread = state.withLock { state in
            state.arrived.append(job)
            guard state.running < width else { return false }
            state.running += 1
            return true
        }
        if startsThread { queue.async { self.work() } }
    }

    private func work() {
        while let job = nextJob() { job() }
    }

    /// The thread is counted out in the same step that finds nothing to do, so no job is left behind.
    private func nextJob() -> (@Sendable () -> Void)? {
        state.withLock { state in
            let job = state.next()
            if job == nil { state.running -= 1 }
            return job
        }
    }
}
