import Dispatch
import DriveCore
import DriveFiles
import Glibc
import Synchronization
import Testing

struct LanesTests {
    /// How many jobs run, and how many ran at once.
    private final class Count: Sendable {
        private struct State {
            var running = 0
            var most = 0
            var done: [Int] = []
        }

        private let state = Mutex(State())

        var most: Int { state.withLock(\.most) }
        var done: [Int] { state.withLock(\.done) }

        func begin() {
            state.withLock { state in
                state.running += 1
                state.most = max(state.most, state.running)
            }
        }

        func end(_ job: Int) {
            state.withLock { state in
                state.running -= 1
                state.done.append(job)
            }
        }
    }

    private func run(_ jobs: Int, width: Int) async -> Count {
        let count = Count()
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let lanes = Lanes<Int>(label: "test", width: width) { job in
            count.begin()
            count.end(job)
            end.yield()
        }
        for job in 0..<jobs { lanes.add(job) }
        var left = jobs
        for await _ in ends {
            left -= 1
            if left == 0 { break }
        }
        return count
    }

    @Test(arguments: [1, 2, 5])
    func everyJobRunsOnceAndNoMoreAtATimeThanThereAreLanes(width: Int) async {
        let count = await run(2_000, width: width)
        #expect(count.done.sorted() == Array(0..<2_000))
        #expect(count.most <= width)
    }

    @Test func oneLaneKeepsTheOrder() async {
        let count = await run(500, width: 1)
        #expect(count.done == Array(0..<500))
    }

    /// The first job ends only once the second has run.
    @Test func aJobThatWaitsHoldsUpItsOwnLaneOnly() async {
        let (ends, end) = AsyncStream.makeStream(of: Int.self)
        let second = Mutex(false)
        let lanes = Lanes<Int>(label: "test", width: 2) { job in
            if job == 1 { second.withLock { $0 = true } }
            while job == 0, !second.withLock({ $0 }) { _ = poll(nil, 0, 1) }
            end.yield(job)
        }
        lanes.add(0)
        lanes.add(1)
        var ended: [Int] = []
        for await job in ends {
            ended.append(job)
            if ended.count == 2 { break }
        }
        #expect(ended == [1, 0])
    }

    private final class Ended: Sendable {
        private let jobs = Mutex<[Int]>([])

        var all: [Int] { jobs.withLock(\.self) }
        func append(_ job: Int) { jobs.withLock { $0.append(job) } }
    }

    /// Runs job 0, which adds the others before it ends; the order in which jobs ended. `body` is the rest of job 0.
    private func takenOver(
        _ jobs: ClosedRange<Int>, _ body: @escaping @Sendable (Ended) -> Void
    ) async -> [Int] {
        let (ends, end) = AsyncStream.makeStream(of: Int.self)
        let ended = Ended()
        let lanes = Mutex<Lanes<Int>?>(nil)
        let made = Lanes<Int>(label: "test", width: 2, takesOver: true) { job in
            if job == 0 {
                for next in jobs { lanes.withLock { $0 }?.add(next) }
                body(ended)
            }
            ended.append(job)
            end.yield(job)
        }
        lanes.withLock { $0 = made }
        made.add(0)
        var left = jobs.count + 1
        for await _ in ends {
            left -= 1
            if left == 0 { break }
        }
        lanes.withLock { $0 = nil }
        return ended.all
    }

    @Test func whatAJobAddsIsTakenOverByItsLane() async {
        #expect(await takenOver(1...1) { _ in _ = poll(nil, 0, 20) } == [0, 1])
    }

    /// The first is left to the lane, and so another is woken for the second.
    @Test func whoAddsTwoJobsHoldsUpNeither() async {
        let ended = await takenOver(1...2) { ended in
            while ended.all.count < 2 { _ = poll(nil, 0, 1) }
        }
        #expect(ended == [1, 2, 0])
    }

    /// A thread that may block makes the call itself.
    @Test(arguments: [true, false]) func aCallIsMadeWhereItMayBlock(mayBlock: Bool) async throws {
        let pool = DiskPool(label: "test", width: 1) { mayBlock }
        let (mark, value) = (DispatchSpecificKey<Int>(), 7)
        let queue = DispatchQueue(label: "test.own")
        queue.setSpecific(key: mark, value: value)
        let executor = QueueExecutor(queue: queue)
        let seen = try await Task(executorPreference: executor) {
            try await pool.run { () throws(DriveError) in DispatchQueue.getSpecific(key: mark) }
        }.value
        #expect(seen == (mayBlock ? value : nil))
    }
}

private final class QueueExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(queue: DispatchQueue) { self.queue = queue }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
