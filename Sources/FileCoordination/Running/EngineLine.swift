import DriveCore
import Synchronization

/// Who is next at an engine. Needs no thread of the engine's: that may be at work for long.
final class EngineLine: Sendable {
    private struct State {
        var isBusy = false
        var isClosed = false
        var last: UInt64 = 0
        /// In the order of asking.
        var waiting: [(ticket: UInt64, continuation: CheckedContinuation<Outcome, Never>)] = []
    }

    private enum Outcome { case turn, cancelled, closed, expired }

    private let state: Mutex<State>
    private let closed: DriveError

    /// `closed` is thrown once the line is closed. What is busy from the beginning is so until `leave`.
    init(isBusy: Bool = false, closed: DriveError) {
        state = Mutex(State(isBusy: isBusy))
        self.closed = closed
    }

    /// Returns when it is the caller's turn, which ends with `leave`. Throws `CancellationError` as soon as the task is
    /// cancelled, and `temporary` where it is not before `deadline`.
    func enter(until deadline: ContinuousClock.Instant? = nil) async throws {
        try Task.checkCancellation()
        let ticket = state.withLock { state in
            state.last += 1
            return state.last
        }
        // No child, for which this would wait: whoever gets a turn before goes on at once. What it touches is under the lock, and
        // each who waits is taken out of the line by one.
        let timer = deadline.map { end in
            Task {
                try await Task.sleep(until: end, clock: .continuous)
                take { $0 == ticket }.first?.resume(returning: .expired)
            }
        }
        defer { timer?.cancel() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = state.withLock { state -> Outcome? in
                    if state.isClosed { return .closed }
                    if Task.isCancelled { return .cancelled }
                    if state.isBusy {
                        // The timer may have gone off before there was anybody to tell.
                        if let deadline, deadline <= .now { return .expired }
                        state.waiting.append((ticket, continuation))
                        return nil
                    }
                    state.isBusy = true
                    return .turn
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            take { $0 == ticket }.first?.resume(returning: .cancelled)
        }
        switch outcome {
        case .turn: return
        case .cancelled: throw CancellationError()
        case .closed: throw closed
        case .expired:
            throw DriveError(
                .temporary, "the drive is still busy with something else; try again later", path: closed.path)
        }
    }

    func requireOpen() throws(DriveError) { if state.withLock({ $0.isClosed }) { throw closed } }

    /// The next in line takes over without the engine ever being free.
    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            if state.waiting.isEmpty { state.isBusy = false }
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst().continuation
        }
        next?.resume(returning: .turn)
    }

    /// Nobody gets a turn any more; returns once nobody has one.
    func close() async {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting.map(\.continuation)
        }
        for continuation in waiting { continuation.resume(returning: .closed) }
        _ = await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
            let isFree = state.withLock { state in
                if state.isBusy { state.waiting.append((0, continuation)) }
                return !state.isBusy
            }
            if isFree { continuation.resume(returning: .turn) }
        }
        // Another one may close it too.
        leave()
    }

    private func take(_ isMeant: (UInt64) -> Bool) -> [CheckedContinuation<Outcome, Never>] {
        state.withLock { state in
            let taken = state.waiting.filter { isMeant($0.ticket) }.map(\.continuation)
            state.waiting.removeAll { isMeant($0.ticket) }
            return taken
        }
    }
}
