public import DriveCore
import Synchronization

/// Remembers that a store cannot be reached, so that one call finds out and the others do not wait for the same; and that it knows
/// nobody by what there is to sign in with: servers shut out whoever tries that again and again.
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
    let failing = FailingObjects()
    private let clock: any WallClock

    public static let first = 1.0
    public static let longest = 60.0
    /// The same after a login that was refused.
    public static let firstOfRefused = 60.0
    public static let longestOfRefused = 3600.0

    public init(clock: any WallClock) { self.clock = clock }

    /// What a call is told instead of being made, with the seconds until one will be; nil lets it through. Of a login that was
    /// refused without them: whoever signs in anew is let through before, and the rest of a pass need not wait.
    public func refusal() -> DriveError? {
        let now = clock.milliseconds()
        return state.withLock { state in
            guard var error = state.error, state.openUntil > now else { return nil }
            // A clock that was set back would hold it for ever.
            let left = Double(state.openUntil - now) / 1000
            let isOfLogin = error.kind == .notAuthenticated
            let longest = isOfLogin ? Self.longestOfRefused : max(Self.longest, error.retryAfter ?? 0)
            guard left <= longest else { return nil }
            if !isOfLogin { error.retryAfter = left }
            return error
        }
    }

    /// A call gave up. Only silence, a store that asks for time, and a login that is refused say anything about the next call.
    public func failed(_ error: DriveError) {
        let now = clock.milliseconds()
        let isOfLogin = error.kind == .notAuthenticated
        state.withLock { state in
            guard isOfLogin || error.kind == .unreachable || error.kind == .temporary && error.retryAfter != nil
            else { return }
            if isOfLogin != (state.error?.kind == .notAuthenticated) { state.failures = 0 }
            // Those that were under way at the same time are one try.
            if isOfLogin, state.failures > 0, state.openUntil > now { return }
            let (first, longest) =
                isOfLogin ? (Self.firstOfRefused, Self.longestOfRefused) : (Self.first, Self.longest)
            let own = min(longest, first * Double(1 << min(state.failures, 10)))
            state.failures += 1
            state.error = error
            state.openUntil = now + UInt64((max(own, isOfLogin ? 0 : error.retryAfter ?? 0) * 1000).rounded(.up))
        }
    }

    public func succeeded() { state.withLock { $0 = State() } }

    /// The next call is made whatever happened before. That somebody tries a login once more is none of the tries that go on by
    /// themselves: refused, it is tried as late as it would have been.
    public func close() {
        failing.lookAgain()
        state.withLock { state in
            if state.openUntil > 0, state.error?.kind == .notAuthenticated, state.failures > 0 { state.failures -= 1 }
            state.openUntil = 0
        }
    }
}
