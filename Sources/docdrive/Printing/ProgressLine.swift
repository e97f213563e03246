import DriveCore
import FileCoordination
import Glibc
import Synchronization

/// How far a pass is, on stderr: one line that changes on a terminal after 300 ms, a plain line every 10 s elsewhere.
final class ProgressLine: Sendable {
    private struct State {
        let started = ContinuousClock.now
        var phaseStarted = ContinuousClock.now
        var shown: ContinuousClock.Instant?
        var phase = EnginePhase.scan
        var files = 0
        var bytes: UInt64 = 0
        var wait: StoreWait?
    }

    private let state = Mutex(State())
    private static let isShown = Mutex(false)

    func note(_ event: EngineEvent) {
        let line = state.withLock { state -> String? in
            switch event {
            case .phase(let phase):
                guard phase != state.phase else { return nil }
                state.phase = phase
                state.phaseStarted = .now
                state.files = 0
                state.bytes = 0
            case .progress(let files, let bytes):
                state.files += files
                state.bytes += bytes
            case .storeWaits(let wait): state.wait = wait
            case .happened, .passedOver, .troubleUnnoted: return nil
            }
            return Self.due(&state)
        }
        guard let line else { return }
        if Output.isErrorTerminal {
            Self.isShown.withLock { $0 = true }
            Output.errorText("\r\u{1B}[K\(DisplayWidth.cut(line, to: Output.errorColumns))")
        } else {
            Output.errorText("docdrive: \(line)\n")
        }
    }

    private static func due(_ state: inout State) -> String? {
        let now = ContinuousClock.now
        let pause: Duration = Output.isErrorTerminal ? .milliseconds(100) : .seconds(10)
        let first: Duration = Output.isErrorTerminal ? .milliseconds(300) : .seconds(10)
        guard now - state.started >= first, state.shown.map({ now - $0 >= pause }) ?? true else { return nil }
        state.shown = now
        return text(state, now)
    }

    private static func text(_ state: State, _ now: ContinuousClock.Instant) -> String {
        if let wait = state.wait {
            return "waiting for the store, again at \(Moment.clock(wait.until)): \(Escaped.text(wait.error.message))"
        }
        let what =
            switch state.phase {
            case .scan: "reading the folder"
            case .commit: "publishing"
            case .fetch: "reading the store"
            case .apply: "bringing changes"
            case .compact: "tidying the store"
            case .check: "checking"
            }
        guard state.files > 0 || state.bytes > 0 else { return "\(what)…" }
        let rate = UInt64(Double(state.bytes) / max(1, (now - state.phaseStarted) / .seconds(1)))
        return "\(what): \(Quantity.count(state.files, "file")), \(Quantity.bytes(state.bytes)), "
            + "\(Quantity.bytes(rate))/s"
    }

    /// Takes the line away before something else is printed.
    static func clear() {
        let wasShown = isShown.withLock { shown in
            defer { shown = false }
            return shown
        }
        if wasShown { Output.errorText("\r\u{1B}[K") }
    }
}
