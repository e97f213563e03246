import Synchronization

/// Tells a transfer that goes on, however slowly, from one that hangs.
final class ProgressWatch: Sendable {
    /// Fewer bytes than that in a span are none: a server that drips holds nobody for ever.
    private static let least = 1024
    /// What the system takes of an upload at once: the low water of `HTTPExchange` and a piece.
    private static let hidden = HTTPExchange.lowWater + HTTPPieces.size
    /// So much of it may be on its way still for each look: all of it in less than three spans.
    private static let hiddenShare = 4 << 10

    struct Stalled: Error {
        var seconds: Double
    }

    private struct State {
        var silence = Duration.zero
        var bytes = 0
        /// What the system has taken, and may not have sent yet. Nobody says when it has.
        var onTheWay = 0
        /// How many wait for leave to go on. That is our own doing, not the server's.
        var held = 0
        /// Since when somebody does, as far as it is not counted yet; and what is counted since the last look.
        var heldSince: ContinuousClock.Instant?
        var heldTime = Duration.zero

        mutating func hold(_ now: ContinuousClock.Instant) {
            if held == 0 { heldSince = now }
            held += 1
        }

        mutating func letGo(_ now: ContinuousClock.Instant) {
            countHeld(now)
            held -= 1
            if held == 0 { heldSince = nil }
        }

        private mutating func countHeld(_ now: ContinuousClock.Instant) {
            guard let since = heldSince else { return }
            heldTime += now - since
            heldSince = now
        }

        /// Of what passed since the last look only what nobody held is silence.
        mutating func look(_ passed: Duration, _ now: ContinuousClock.Instant) {
            countHeld(now)
            let free = max(.zero, passed - heldTime)
            heldTime = .zero
            if bytes >= ProgressWatch.least {
                (silence, bytes) = (.zero, 0)
            } else if onTheWay == 0 {
                silence += free
            }
            onTheWay = max(0, onTheWay - ProgressWatch.hiddenShare)
        }
    }

    private let state = Mutex(State())
    private let span: Duration
    private let seconds: Double

    init(seconds: Double) {
        self.seconds = seconds
        span = .seconds(seconds)
    }

    func moved(_ bytes: Int) { state.withLock { $0.bytes += bytes } }

    /// The system has taken so many bytes, which are sent as fast as the line is: one of 32 kbit/s needs most of a minute for them.
    func handedOver(_ bytes: Int) {
        state.withLock { state in
            state.bytes += bytes
            state.onTheWay = min(state.onTheWay + bytes, Self.hidden)
        }
    }

    /// Runs what waits by our own will: it takes nothing of a span, and begins none anew.
    func holding(_ body: () async -> Void) async {
        state.withLock { $0.hold(.now) }
        await body()
        state.withLock { $0.letGo(.now) }
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
            let now = ContinuousClock.now
            let passed = min(now - last, pause * 2)
            let isStalled = state.withLock { state in
                state.look(passed, now)
                return state.silence >= span
            }
            if isStalled { throw Stalled(seconds: seconds) }
        }
    }
}
