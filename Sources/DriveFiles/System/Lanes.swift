import Dispatch
import Synchronization

/// A few threads for jobs: at most so many run at a time, the others wait their turn, first come, first served.
///
/// Each lane is a serial queue. libdispatch watches over the threads of concurrent queues with a timer that wakes the
/// process every second for as long as it lives; it does not over those of serial ones.
///
/// Of jobs that end soon after they have added another one, as those of tasks do that go on elsewhere, the lane itself may take
/// the next: waking a thread costs more than most of them do.
public final class Lanes<Job: Sendable>: Sendable {
    private struct State {
        var idle: [Lane]
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

    private struct Lane {
        let queue: DispatchQueue
        let turn = Turn()
    }

    private final class Turn: Sendable {
        /// A job waits for the one that runs to end.
        let isAwaited = Atomic(false)
    }

    private let state: Mutex<State>
    private let run: @Sendable (Job) -> Void
    /// Tells the lane whose thread this is; nil where none takes over what its jobs add.
    private let own: DispatchSpecificKey<Turn>?

    /// `run` may block; with `takesOver` not for a job that it has added, which may have to wait until it ends.
    public init(label: String, width: Int, takesOver: Bool = false, run: @escaping @Sendable (Job) -> Void) {
        let lanes = (0..<max(1, width)).map { Lane(queue: DispatchQueue(label: "\(label).\($0)")) }
        own = takesOver ? DispatchSpecificKey() : nil
        if let own { for lane in lanes { lane.queue.setSpecific(key: own, value: lane.turn) } }
        // The first ones are taken first, so that few jobs need few threads.
        state = Mutex(State(idle: lanes.reversed()))
        self.run = run
    }

    public func add(_ job: Job) {
        let takesOver = isTakenOver()
        let free = state.withLock { state -> Lane? in
            state.arrived.append(job)
            return takesOver ? nil : state.idle.popLast()
        }
        if let free { free.queue.async { self.work(free) } }
    }

    /// One job of each that runs: others have somebody woken.
    private func isTakenOver() -> Bool {
        guard let own, let turn = DispatchQueue.getSpecific(key: own) else { return false }
        return !turn.isAwaited.exchange(true, ordering: .relaxed)
    }

    private func work(_ lane: Lane) {
        while let job = next(for: lane) {
            lane.turn.isAwaited.store(false, ordering: .relaxed)
            run(job)
        }
    }

    /// A lane goes idle in the same step that finds nothing to do, so no job is left behind.
    private func next(for lane: Lane) -> Job? {
        state.withLock { state in
            let job = state.next()
            if job == nil { state.idle.append(lane) }
            return job
        }
    }
}
