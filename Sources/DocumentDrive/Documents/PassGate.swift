import Synchronization

/// Lets work that can wait go on only while no pass is under way.
final class PassGate: Sendable {
    private struct State {
        var passes = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func begin() { state.withLock { $0.passes += 1 } }

    func end() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.passes -= 1
            guard state.passes == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns at once where no pass is under way.
    func pass() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.passes == 0 { return true }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }
}
