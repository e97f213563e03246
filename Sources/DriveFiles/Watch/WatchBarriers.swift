import Synchronization

/// Who waits for which barrier. A token may be completed before, while or after it is waited for; the first answer
/// counts.
final class WatchBarriers: Sendable {
    private enum Slot {
        case open
        case waiting(CheckedContinuation<Bool, Never>)
        case done(Bool)
    }

    private struct State {
        var slots: [UInt64: Slot] = [:]
        var last: UInt64 = 0
    }

    private let state = Mutex(State())

    func open() -> UInt64 {
        state.withLock { state in
            state.last += 1
            state.slots[state.last] = .open
            return state.last
        }
    }

    /// Call once for each opened token.
    func wait(_ token: UInt64) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Bool? in
                if case .done(let isSure) = state.slots[token] {
                    state.slots[token] = nil
                    return isSure
                }
                state.slots[token] = .waiting(continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    func complete(_ token: UInt64, isSure: Bool) {
        let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            switch state.slots[token] {
            case .open: state.slots[token] = .done(isSure)
            case .waiting(let continuation):
                state.slots[token] = nil
                return continuation
            case .done, nil: break
            }
            return nil
        }
        waiter?.resume(returning: isSure)
    }

    func failAll() {
        for token in state.withLock({ Array($0.slots.keys) }) { complete(token, isSure: false) }
    }
}
