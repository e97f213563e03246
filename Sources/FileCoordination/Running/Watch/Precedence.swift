import Synchronization

/// Lets somebody in before what is under way has ended: that is broken off, and nothing begins until they are done.
final class Precedence: Sendable {
    /// What ran was broken off.
    struct BrokenOff: Error {}

    private struct State {
        var guests = 0
        var breakOff: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Somebody is let in: begin nothing.
    var isTaken: Bool { state.withLock { $0.guests > 0 } }

    /// Runs what may be broken off; throws `BrokenOff` where it was. One thing at a time.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        // A task of its own: it is cancelled, and whoever runs it goes on.
        let task = Task { try await body() }
        let isBroken = state.withLock { state in
            state.breakOff = { task.cancel() }
            return state.guests > 0
        }
        if isBroken { task.cancel() }
        defer { state.withLock { $0.breakOff = nil } }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            // Whatever it throws comes of that, unless whoever runs it was stopped too.
            if task.isCancelled, !Task.isCancelled { throw BrokenOff() }
            throw error
        }
    }

    func begin() {
        let breakOff = state.withLock { state in
            state.guests += 1
            return state.breakOff
        }
        breakOff?()
    }

    func end() { state.withLock { $0.guests -= 1 } }
}
