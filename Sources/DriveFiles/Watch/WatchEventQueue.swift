import DriveCore
import Synchronization

/// The bounded stream between the reading thread and the consumer. When it is full, everything in it becomes one
/// rescan, which says less but misses nothing.
final class WatchEventQueue: Sendable {
    private enum Entry {
        case event(WatchEvent)
        case barrier(UInt64)
    }

    private struct State {
        var entries: [Entry] = []
        var head = 0
        var waiter: CheckedContinuation<WatchEvent?, Never>?
        var isFinished = false

        var count: Int { entries.count - head }

        mutating func popFirst() -> Entry? {
            guard head < entries.count else { return nil }
            defer {
                head += 1
                if head == entries.count || head > 1024 {
                    entries.removeFirst(head)
                    head = 0
                }
            }
            return entries[head]
        }
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let barriers: WatchBarriers

    init(capacity: Int, barriers: WatchBarriers) {
        self.capacity = max(capacity, 2)
        self.barriers = barriers
    }

    func put(_ event: WatchEvent) {
        let waiter = state.withLock { state -> CheckedContinuation<WatchEvent?, Never>? in
            guard !state.isFinished else { return nil }
            if let waiter = state.waiter {
                state.waiter = nil
                return waiter
            }
            if state.count >= capacity { Self.collapse(&state) }
            state.entries.append(.event(event))
            return nil
        }
        waiter?.resume(returning: event)
    }

    /// Completes the barrier when the consumer has come back for more after everything that is in the queue now.
    func putBarrier(_ token: UInt64) {
        let isPassed = state.withLock { state in
            // A waiting consumer has dealt with all there was.
            if state.waiter != nil { return true }
            state.entries.append(.barrier(token))
            return false
        }
        if isPassed { barriers.complete(token, isSure: true) }
    }

    /// Nil when finished or cancelled.
    func next() async -> WatchEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (passed, result) = state.withLock { state -> ([UInt64], WatchEvent??) in
                    var passed: [UInt64] = []
                    while let entry = state.popFirst() {
                        switch entry {
                        case .barrier(let token): passed.append(token)
                        case .event(let event): return (passed, .some(event))
                        }
                    }
                    if state.isFinished || Task.isCancelled { return (passed, .some(nil)) }
                    state.waiter = continuation
                    return (passed, nil)
                }
                for token in passed { barriers.complete(token, isSure: true) }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            takeWaiter()?.resume(returning: nil)
        }
    }

    /// What is in the queue is still delivered.
    func finish() {
        state.withLock { $0.isFinished = true }
        takeWaiter()?.resume(returning: nil)
    }

    private func takeWaiter() -> CheckedContinuation<WatchEvent?, Never>? {
        state.withLock { state in
            defer { state.waiter = nil }
            return state.waiter
        }
    }

    private static func collapse(_ state: inout State) {
        var ready: WatchEvent?
        var barriers: [Entry] = []
        for entry in state.entries[state.head...] {
            switch entry {
            case .event(.ready(let watched, let unwatched)): ready = .ready(watched: watched, unwatched: unwatched)
            case .event: break
            case .barrier: barriers.append(entry)
            }
        }
        let rescan = WatchEvent.rescan(reason: "changes came faster than they could be handled")
        state.entries = [ready, rescan].compactMap { $0.map(Entry.event) } + barriers
        state.head = 0
    }
}
