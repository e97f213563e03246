import Dispatch
import DriveFiles
import Glibc
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

/// The threads that run the program's tasks, as many as there are processors.
///
/// Swift's own executor keeps them in queues of libdispatch that wake the process every second (see `Lanes`), also while
/// nothing is to do, and a drive that is watched is idle nearly always. Only of a program: a library leaves its user's
/// tasks where they are.
enum TaskThreads {
    /// Before the first task is made, once.
    static func start() {
        // Where a compiler has this otherwise, or not at all, tasks run on Swift's own.
        #if compiler(>=6.3) && compiler(<6.4)
            _createExecutors(factory: Factory.self)
        #endif
    }
}

#if compiler(>=6.3) && compiler(<6.4)
    private struct Factory: ExecutorFactory {
        static let mainExecutor: any MainExecutor = PlatformExecutorFactory.mainExecutor
        static let defaultExecutor: any TaskExecutor = LaneExecutor()
    }

    private final class LaneExecutor: TaskExecutor, SchedulingExecutor {
        private let lanes: Lanes<@Sendable () -> Void>
        private let timers = DispatchQueue(label: "docdrive.sleepers")

        init() {
            let width = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
            // A task that hands over to another ends its own part at once, and none may wait for another but by `await`.
            lanes = Lanes(label: "docdrive.tasks", width: width, takesOver: true) { $0() }
        }

        func enqueue(_ job: consuming ExecutorJob) { lanes.add(running(job)) }

        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
        ) {
            guard let delay = delay as? Duration else {
                preconditionFailure("a clock whose durations are not Swift's cannot be waited for")
            }
            let run = running(job)
            let (seconds, attoseconds) = delay.components
            let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
            timers.asyncAfter(deadline: .now() + .nanoseconds(Int(exactly: nanoseconds.rounded(.up)) ?? .max)) {
                [lanes] in lanes.add(run)
            }
        }

        func enqueue<C: Clock>(
            _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
        ) {
            enqueue(job, after: clock.now.duration(to: instant), tolerance: tolerance, clock: clock)
        }

        private func running(_ job: consuming ExecutorJob) -> @Sendable () -> Void {
            let job = UnownedJob(job)
            return { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
#endif
