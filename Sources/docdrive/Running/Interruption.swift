import Dispatch
import DocumentDrive
import Glibc
import Synchronization

/// Ctrl-C, SIGTERM and `--timeout`. What was done so far is kept and consistent at any moment, so that after a short
/// grace for closing things the process simply ends.
enum Interruption {
    private struct State {
        var code: ExitStatus?
        var handlers: [@Sendable () -> Void] = []
        /// Was asked for something, and has not answered yet.
        var asked: Asked?
        /// What the end of this process leaves behind.
        var outlook: String?
        var timeout: ContinuousClock.Instant?
        /// Decides when to end: this process goes on until it does.
        var program: Program?
    }

    private struct Asked {
        var process: Int32?
    }

    private enum Program {
        /// Nobody knows its number yet; this is what it is to be told then.
        case starting(ExitStatus?)
        case running(pid_t)
    }

    private static let state = Mutex(State())
    private static let queue = DispatchQueue(label: "docdrive.interruption")
    private static let grace = DispatchTimeInterval.milliseconds(700)

    static func listen() {
        let signals = [(SIGINT, ExitStatus.interrupted), (SIGTERM, .terminated), (SIGHUP, .terminated)]
        for (number, code) in signals where !ChildSignals.ignored.contains(number) {
            // Until the source is registered, which it does with a handler of its own on another thread, a signal ends the
            // process by itself: ignored, one that came in between was lost.
            // Not Sendable, but never touched again: only kept, by its own handler, for as long as the process lives.
            nonisolated(unsafe) let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { withExtendedLifetime(source) { stop(code) } }
            source.resume()
        }
    }

    /// Why the process is ending, once something ends it.
    static var code: ExitStatus? { state.withLock { $0.code } }

    static func onStop(_ handler: @escaping @Sendable () -> Void) {
        state.withLock { $0.handlers.append(handler) }
    }

    /// From now on until `programEnded`, whoever wants to end this process wants to end the program that it starts, and this one
    /// waits for it. A terminal sends Ctrl-C to both. Throws where this process is ending already.
    static func programStarts() throws(CancellationError) {
        let isEnding = state.withLock { state in
            if state.code == nil { state.program = .starting(nil) }
            return state.code != nil
        }
        if isEnding { throw CancellationError() }
    }

    static func programRuns(_ number: pid_t) {
        let missed = state.withLock { state in
            defer { state.program = .running(number) }
            if case .starting(let code) = state.program { return code }
            return nil
        }
        if missed == .terminated { kill(number, SIGTERM) }
    }

    /// Or never ran: then what it was to be told holds for this process.
    static func programEnded() {
        let missed = state.withLock { state in
            defer { state.program = nil }
            if case .starting(let code) = state.program { return code }
            return nil
        }
        if let missed { queue.async { stop(missed) } }
    }

    /// What another process is asked for in the body may be done though nobody waits for it any more; whoever ends this one is
    /// told so.
    static func asking<Answer>(_ client: DriveClient, _ body: () async throws -> Answer) async throws -> Answer {
        state.withLock { $0.asked = Asked(process: client.process) }
        let answer = try await body()
        // An error may be that of the interruption.
        state.withLock { $0.asked = nil }
        return answer
    }

    /// Whoever ends this process in the body is told what it leaves behind.
    static func leaving<Result>(_ outlook: String, _ body: () async throws -> Result) async rethrows -> Result {
        state.withLock { $0.outlook = outlook }
        let result = try await body()
        state.withLock { $0.outlook = nil }
        return result
    }

    /// Seconds until `--timeout` ends the process; nil without one.
    static var timeLeft: Double? {
        state.withLock { $0.timeout }.map { (ContinuousClock.now.duration(to: $0)) / .seconds(1) }
    }

    static func timeout(after seconds: Double) {
        state.withLock { $0.timeout = .now + .seconds(seconds) }
        queue.asyncAfter(deadline: .now() + seconds) { stop(.timedOut) }
    }

    private static func stop(_ code: ExitStatus) {
        if leaveToProgram(code) { return }
        let (handlers, asked, left) = state.withLock { state -> ([@Sendable () -> Void]?, Asked?, String?) in
            if state.code != nil { return (nil, nil, nil) }
            state.code = code
            return (state.handlers, state.asked, state.outlook)
        }
        // The second time: at once.
        guard let handlers else { end(code) }
        let outlook = asked.map { asked in
            "\(asked.process.map { "process \($0)" } ?? "the process") that watches the drive was asked, and may still do it"
        }
        Output.error(
            "docdrive: \(code == .timedOut ? "the time is up" : "stopped"); \(outlook ?? left ?? "everything is consistent")"
        )
        for handler in handlers { handler() }
        queue.asyncAfter(deadline: .now() + grace) { end(code) }
    }

    private static func end(_ code: ExitStatus) -> Never {
        StartedPrograms.end()
        _exit(code.rawValue)
    }

    private static func leaveToProgram(_ code: ExitStatus) -> Bool {
        state.withLock { state in
            switch state.program {
            case nil: return false
            case .starting(let missed):
                // The strongest word counts.
                if missed != .terminated { state.program = .starting(code) }
            case .running(let number):
                if code == .terminated { kill(number, SIGTERM) }
            }
            return true
        }
    }

    /// Ends the process; with the code of the interruption if there was one. Who is not told everything is not told that all is
    /// done.
    static func finish(_ code: ExitStatus) -> Never {
        Output.flush()
        if let code = self.code { exit(code.rawValue) }
        guard let failure = Output.failure else { exit(code.rawValue) }
        Output.error(Sentence(failure).text)
        exit((code == .done || code == .no ? ExitStatus(failure.kind) : code).rawValue)
    }

    /// With the code of another program.
    static func finish(rawCode code: Int32) -> Never { exit(code) }
}
