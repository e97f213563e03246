import DriveCore
import Synchronization

/// Who uses which items now. Claims on an item also hold for everything in it; readers share.
///
/// Whoever may wait gets its turn in the order of asking; apply never waits, and leaves an item that somebody uses for a
/// later turn.
public final class FileClaims: Sendable {
    struct Claim: Hashable {
        var paths: [DrivePath]
        var isWriting: Bool

        func conflicts(with other: Claim) -> Bool {
            guard isWriting || other.isWriting else { return false }
            return paths.contains { path in other.paths.contains { path.isInside($0) || $0.isInside(path) } }
        }
    }

    private struct Waiter {
        var id: UInt64
        var claim: Claim
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var held: [UInt64: Claim] = [:]
        var waiting: [Waiter] = []
        var cancelled: Set<UInt64> = []
        var next: UInt64 = 0
        /// Apply was refused something since this was last told.
        var wasRefused = false
        var whenFreed: (@Sendable () -> Void)?

        func isFree(_ claim: Claim) -> Bool { !held.values.contains { $0.conflicts(with: claim) } }
    }

    private let state = Mutex(State())

    public init() {}

    /// Called when an item that apply was refused is free again.
    public func setWhenFreed(_ body: (@Sendable () -> Void)?) { state.withLock { $0.whenFreed = body } }

    /// Without waiting; nil where somebody uses one of them.
    func tryWriting(_ paths: [DrivePath]) -> UInt64? {
        state.withLock { state in
            let claim = Claim(paths: paths, isWriting: true)
            guard state.isFree(claim) else {
                state.wasRefused = true
                return nil
            }
            state.next += 1
            state.held[state.next] = claim
            return state.next
        }
    }

    /// Waits for its turn. Throws only where the task is cancelled.
    func take(_ claim: Claim) async throws -> UInt64 {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        let isGranted = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enqueue(Waiter(id: id, claim: claim, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
        guard isGranted else { throw CancellationError() }
        return id
    }

    /// `tells` unless it was apply's own claim, whose end frees nothing that apply was refused.
    func release(_ id: UInt64, tells: Bool = true) {
        let (granted, told) = state.withLock { state in
            state.held[id] = nil
            let told = tells && state.wasRefused ? state.whenFreed : nil
            if tells { state.wasRefused = false }
            return (Self.grant(&state), told)
        }
        for waiter in granted { waiter.continuation.resume(returning: true) }
        told?()
    }

    private func enqueue(_ waiter: Waiter) {
        let granted = state.withLock { state -> [Waiter]? in
            if state.cancelled.remove(waiter.id) != nil { return nil }
            state.waiting.append(waiter)
            return Self.grant(&state)
        }
        guard let granted else { return waiter.continuation.resume(returning: false) }
        for waiter in granted { waiter.continuation.resume(returning: true) }
    }

    private func cancel(_ id: UInt64) {
        let waiter = state.withLock { state -> Waiter? in
            if state.held[id] != nil { return nil }
            guard let place = state.waiting.firstIndex(where: { $0.id == id }) else {
                // It has not begun to wait.
                state.cancelled.insert(id)
                return nil
            }
            return state.waiting.remove(at: place)
        }
        waiter?.continuation.resume(returning: false)
    }

    /// Everybody whose turn it is: nobody overtakes an earlier one that it would be in the way of.
    private static func grant(_ state: inout State) -> [Waiter] {
        var granted: [Waiter] = []
        var left: [Waiter] = []
        for waiter in state.waiting {
            if state.isFree(waiter.claim), !left.contains(where: { $0.claim.conflicts(with: waiter.claim) }) {
                state.held[waiter.id] = waiter.claim
                granted.append(waiter)
            } else {
                left.append(waiter)
            }
        }
        state.waiting = left
        return granted
    }
}
