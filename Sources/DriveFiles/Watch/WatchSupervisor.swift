import Dispatch
import DriveCore
import Glibc
import Synchronization
import WatchProtocol

/// Keeps the watcher process running and reads from it, on a thread of its own since reading blocks.
final class WatchSupervisor: Sendable {
    private struct State {
        /// The process that runs now.
        var process: WatchProcess?
        var isStopped = false
        var isEnded = false
        var coverage = WatchCoverage(watched: 0, unwatched: 0)
        /// Waits for the first greeting.
        var starter: CheckedContinuation<Void, any Error>?
        var enders: [CheckedContinuation<Void, Never>] = []
    }

    private let program: String
    private let arguments: [[UInt8]]
    private let queue: WatchEventQueue
    private let barriers: WatchBarriers
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    private static let graceMilliseconds: Int32 = 1000

    init(program: String, arguments: [[UInt8]], queue: WatchEventQueue, barriers: WatchBarriers) {
        self.program = program
        self.arguments = arguments
        self.queue = queue
        self.barriers = barriers
    }

    var coverage: WatchCoverage { state.withLock(\.coverage) }

    var pid: pid_t? { state.withLock { $0.process?.pid } }

    /// Returns when the first process has greeted.
    func start(on makeThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            state.withLock { $0.starter = continuation }
            makeThread { self.run() }
        }
    }

    /// False if there is no process to ask.
    func send(_ command: WatchCommand) -> Bool {
        var bytes: [UInt8] = []
        command.encode(into: &bytes)
        return state.withLock { state in
            guard let process = state.process else { return false }
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            return Glibc.send(process.channel, bytes, bytes.count, flags) == bytes.count
        }
    }

    func requestStop() {
        state.withLock { state in
            state.isStopped = true
            if let process = state.process { shutdown(process.channel, Int32(SHUT_RDWR)) }
        }
        wake.signal()
    }

    func stop() async {
        requestStop()
        await withCheckedContinuation { continuation in
            let isEnded = state.withLock { state in
                if !state.isEnded { state.enders.append(continuation) }
                return state.isEnded
            }
            if isEnded { continuation.resume() }
        }
    }

    // The thread.

    private func run() {
        var restarts = WatchRestarts()
        var isRestart = false
        while !state.withLock(\.isStopped) {
            let began = SuspendingClock.now
            let reason = runOnce(isRestart: isRestart)
            barriers.failAll()
            if let starter = takeStarter() {
                starter.resume(throwing: reason.error)
                break
            }
            isRestart = true
            if reason.wantsRestart { continue }
            let pause = restarts.ended(after: began.duration(to: .now))
            // Changes are not seen meanwhile. The first attempt ends in a rescan of its own, within a tenth of a second.
            if restarts.failures > 1 { queue.put(.rescan(reason: reason.error.message)) }
            rest(pause)
        }
        finish()
    }

    /// So many milliseconds, or until it is to stop. Dispatch's timers go by the monotonic clock. A wait of a semaphore that has a
    /// limit goes by the time of day (sem_timedwait(3)): where that is set back by an hour, an hour would pass.
    private func rest(_ milliseconds: Int) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [wake] in
            _ = wake.signal()
        }
        wake.wait()
    }

    private func takeStarter() -> CheckedContinuation<Void, any Error>? {
        state.withLock { state in
            defer { state.starter = nil }
            return state.starter
        }
    }

    private func finish() {
        let enders = state.withLock { state in
            state.isEnded = true
            defer { state.enders = [] }
            return state.enders
        }
        barriers.failAll()
        queue.finish()
        for ender in enders { ender.resume() }
    }

    /// Starts a process and reads until it ends.
    private func runOnce(isRestart: Bool) -> WatchEnd {
        let process: WatchProcess
        do {
            process = try WatchProcess.start(program: program, arguments: arguments)
        } catch {
            return WatchEnd(error: error as? DriveError ?? DriveError(.internalFault, "\(error)"))
        }
        state.withLock { state in
            state.process = process
            // Asked to stop between the loop's check and now.
            if state.isStopped { shutdown(process.channel, Int32(SHUT_RDWR)) }
        }
        var session = WatchSession(isRestart: isRestart)
        let failure = read(from: process, &session)
        state.withLock { state in
            state.process = nil
            state.coverage = WatchCoverage(watched: 0, unwatched: state.coverage.watched + state.coverage.unwatched)
        }
        let end = process.end(grace: Self.graceMilliseconds)
        close(process.channel)
        return WatchEnd(failure, end, program: program)
    }

    /// Returns why it was given up, or nil at the end of the stream.
    private func read(from process: WatchProcess, _ session: inout WatchSession) -> DriveError? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var decoder = FrameDecoder<WatchReport>()
        while let bytes = process.read(into: &buffer) {
            decoder.append(bytes)
            do {
                while let report = try decoder.next() { act(try session.receive(report)) }
            } catch let error as DriveError {
                return error
            } catch {
                return DriveError(
                    .corrupt, "the watcher program does not speak its protocol: install it again", path: program)
            }
        }
        return nil
    }

    private func act(_ actions: [WatchSession.Action]) {
        for action in actions {
            switch action {
            case .greeted: takeStarter()?.resume()
            case .event(let event):
                if case .ready(let watched, let unwatched) = event {
                    state.withLock { $0.coverage = WatchCoverage(watched: watched, unwatched: unwatched) }
                }
                queue.put(event)
            case .passed(let token): queue.putBarrier(token)
            case .unsure(let token): barriers.complete(token, isSure: false)
            }
        }
    }
}
