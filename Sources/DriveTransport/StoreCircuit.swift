public import DriveCore
import Synchronization

/// Remembers that a store cannot be reached, so that one call finds out and the others do not wait for the same.
///
/// After a failure calls are refused for a while, longer each time; then the next call goes through, and what it meets
/// decides. `close` lets one through at once.
public final class StoreCircuit: Sendable {
    private struct State {
        var failures = 0
        var error: DriveError?
        /// Milliseconds since 1970.
        var openUntil: UInt64 = 0
    }

    private let state = Mutex(State())
    private let clock: any WallClock

    public static let first = 1.0
    public static let longest = 60.0

    public init(clock: any WallClock) { self.clock = clock }

    /// What a call is told instead of being made, with the seconds until one will be; nil lets it through.
    public func refusal() -> DriveError? {
        let now = clock.milliseconds()
        return state.withLock { state in
            guard var error = state.error, state.openUntil > now else { return nil }
            // A clock that was set back would hold it for ever.
            let left = Double(state.openUntil - now) / 1000
            guard left <= max(Self.longest, error.retryAfter ?? 0) else { return nil }
            error.retryAfter = left
            return error
        }
    }

    /// A call gave up. Only silence, and a store that asks for time, say anything about the next call.
    public func failed(_ error: DriveError) {
        let now = clock.milliseconds()
        state.withLock { state in
            guard error.kind == .unreachable || error.kind == .temporary && error.retryAfter != nil else { return }
            let own = min(Self.longest, Self.first * Double(1 << min(state.failures, 10)))
            state.failures += 1
            state.error = error
            state.openUntil = now + UInt64((max(own, error.retryAfter ?? 0) * 1000).rounded(.up))
        }
    }

    public func succeeded() { state.withLock { $0 = State() } }

    /// The next call is made whatever happened before.
    public func close() { state.withLock { $0.openUntil = 0 } }
}
