public import DriveCore
import Synchronization

/// Remembers that a store cannot be reached, so that one call finds out and the others do not wait for the same; and that it knows
/// nobody by what there is to sign in with: servers shut out whoever tries that again and again.
///
/// After a failure calls are refused for a while, longer each time; then the next call goes through, and what it meets
/// decides. `close` lets one through at once.
public final class StoreCircuit: Sendable {
    private struct State {
        var error: DriveError?
        var pause = GrowingPause(first: StoreCircuit.first, longest: StoreCircuit.longest)

        var isOfLogin: Bool { error?.kind == .notAuthenticated }
    }

    private let state = Mutex(State())
    let failing = FailingObjects()
    private let clock: any WallClock

    /// In milliseconds. After a login that was refused the pause is as long as `GrowingPause` has it else.
    private static let first: UInt64 = 1_000
    private static let longest: UInt64 = 60_000

    public init(clock: any WallClock) { self.clock = clock }

    /// What a call is told instead of being made, with the seconds until one will be; nil lets it through. Of a login that was
    /// refused without them: whoever signs in anew is let through before, and the rest of a pass need not wait.
    public func refusal() -> DriveError? {
        let now = clock.milliseconds()
        return state.withLock { state in
            guard var error = state.error, let left = state.pause.left(now: now) else { return nil }
            if !state.isOfLogin { error.retryAfter = Double(left) / 1000 }
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
            if isOfLogin != state.isOfLogin { state = State() }
            if isOfLogin, state.error == nil { state.pause = GrowingPause() }
            // Those that were under way at the same time are one try.
            if isOfLogin, state.pause.isOn(now: now) { return }
            let asked = isOfLogin ? 0 : (error.retryAfter ?? 0) * 1000
            state.error = error
            state.pause.fail(now: now, atLeast: UInt64(max(0, min(asked, 1e15)).rounded(.up)))
        }
    }

    public func succeeded() { state.withLock { $0 = State() } }

    /// The next call is made whatever happened before. That somebody tries a login once more is none of the tries that go on by
    /// themselves: refused, it is tried as late as it would have been.
    public func close() {
        failing.lookAgain()
        state.withLock { state in
            state.pause.cut(isExtra: state.isOfLogin)
        }
    }
}
