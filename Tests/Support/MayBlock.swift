import Foundation
import Synchronization
import Testing

extension Trait where Self == MayBlock {
    /// Tests that wait for programs where they stand: they run on threads of their own, and only a few at a time.
    public static var mayBlock: MayBlock { MayBlock() }
}

public struct MayBlock: SuiteTrait, TestTrait, TestScoping {
    /// A test and its suite may both have the trait; it takes one turn.
    @TaskLocal private static var hasTurn = false

    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        if Self.hasTurn { return try await function() }
        await Turns.shared.take()
        defer { Turns.shared.giveBack() }
        try await Self.$hasTurn.withValue(true) {
            try await withTaskExecutorPreference(OwnThreads.shared) { try await function() }
        }
    }
}

/// Twice as many at once as there are processors, in the order in which they came.
private final class Turns: Sendable {
    static let shared = Turns(2 * ProcessInfo.processInfo.activeProcessorCount)

    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state: Mutex<State>

    private init(_ count: Int) { state = Mutex(State(free: count)) }

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free == 0 {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func giveBack() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
