import Dispatch
import Synchronization

/// A few threads for jobs: at most so many run at a time, the others wait their turn, first come, first served.
///
/// Each lane is a serial queue. libdispatch watches over the threads of concurrent queues with a timer that wakes the
/// process every second for as long as it lives; it does not over those of serial ones.
public final class Lanes<Job: Sendable>: Sendable {
    private struct State {
        var idle: [DispatchQueue]
        /// Newest first, so that taking the oldest is cheap.
        var waiting: [Job] = []
        var arrived: [Job] = []

        mutating func next() -> Job? {
            if waiting.isEmpty {
                waiting = arrived.reversed()
                arrived = []
            }
            return waiting.popLast()
        }
    }

    private let state: Mutex<State>
    private let run: @Sendable (Job) -> Void

    /// `run` may block.
    public init(label: String, width: Int, run: @escaping @Sendable (Job) -> Void) {
        let lanes = (0..<max(1, width)).map { DispatchQueue(label: "\(label).\($0)") }
        // The first ones are taken first, so that few jobs need few threads.
        state = Mutex(State(idle: lanes.reversed()))
        self.run = run
    }

    public func add(_ job: Job) {
        let free = state.withLock { state in
            state.arrived.append(job)
            return state.idle.popLast()
        }
        if let free { free.async { self.work(free) } }
    }

    private func work(_ lane: DispatchQueue) {
        while let job = next(for: lane) { run(job) }
    }

    /// A lane goes idle in the same step that finds nothing to do, so no job is left behind.
    private func next(for lane: DispatchQueue) -> Job? {
        state.withLock { state in
            let job = state.next()
            if job == nil { state.idle.append(lane) }
            return job
        }
    }
}
