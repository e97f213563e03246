import Synchronization

/// Tells a transfer that goes on, however slowly, from one that hangs.
final class ProgressWatch: Sendable {
    /// Fewer bytes than that in a span are none: a server that drips holds nobody for ever.
    private static let least = 1024

    struct Stalled: Error {
        var seconds: Double
    }

    private struct State {
        var silence = Duration.zero
        var bytes = 0
        /// How many wait for leave to go on. That is our own doing, not the server's.
        var held = 0

        mutating func begin() { (silence, bytes) = (.zero, 0) }
    }

    private let state = Mutex(State())
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
            state.begin()
        }
    }

    /// Throws `Stalled` once nothing moved for a span, or when the task is cancelled.
    ///
    /// Looks now and then, and counts no more between two looks than they should be apart: while this process could not
    /// run, or the machine slept, nothing could move here, whatever the server did.
    func run() async throws {
        let pause = span / 20
        while true {
            let last = ContinuousClock.now
            try await Task.sleep(for: pause)
            let passed = min(ContinuousClock.now - last, pause * 2)
            let isStalled = state.withLock { state in
                if state.held > 0 || state.bytes >= Self.least { state.begin() } else { state.silence += passed }
                return state.silence >= span
            }
            if isStalled { throw Stalled(seconds: seconds) }
        }
    }
}
