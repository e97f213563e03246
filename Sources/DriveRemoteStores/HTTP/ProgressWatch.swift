import Synchronization

/// Tells a transfer that goes on, however slowly, from one that hangs.
final class ProgressWatch: Sendable {
    /// Fewer bytes than that in a span are none: a server that drips holds nobody for ever.
    private static let least = 1024

    struct Stalled: Error {
        var seconds: Double
    }

    private struct State {
        var spanStart: ContinuousClock.Instant
        var bytes = 0
        /// How many wait for leave to go on. That is our own doing, not the server's.
        var held = 0
    }

    private let state = Mutex(State(spanStart: .now))
    private let span: Duration
    private let seconds: Double

    init(seconds: Double) {
        self.seconds = seconds
        span = .seconds(seconds)
    }

    func moved(_ bytes: Int) { state.withLock { $0.bytes += bytes } }

    /// Runs what waits by our own will.
    func holding(_ body: () async -> Void) async {
        state.withLock { $0.held += 1 }
        await body()
        state.withLock { state in
            state.held -= 1
            (state.spanStart, state.bytes) = (.now, 0)
        }
    }

    /// Throws `Stalled` once nothing moved for a span, or when the task is cancelled.
    func run() async throws {
        while true {
            let next = state.withLock { $0.spanStart } + span
            try await Task.sleep(until: next, clock: .continuous)
            let isStalled = state.withLock { state in
                guard ContinuousClock.now >= state.spanStart + span else { return false }
                defer { (state.spanStart, state.bytes) = (.now, 0) }
                return state.held == 0 && state.bytes < Self.least
            }
            if isStalled { throw Stalled(seconds: seconds) }
        }
    }
}
