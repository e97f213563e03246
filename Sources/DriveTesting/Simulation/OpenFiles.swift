import Synchronization

/// Files that a program has open for writing now and then: what others have made of them waits meanwhile, and what they hold.
public final class OpenFiles: Sendable {
    private struct State {
        var generator: SeededGenerator
        var areClosed = false
        var met = 0
    }

    private let state: Mutex<State>

    public init(seed: UInt64) { state = Mutex(State(generator: SeededGenerator(seed: seed))) }

    /// Whether the file that somebody asks about is open now.
    func isOpen(percent: Int = 60) -> Bool {
        state.withLock { state in
            guard !state.areClosed, state.generator.chance(percent: percent) else { return false }
            state.met += 1
            return true
        }
    }

    /// How often one was.
    var met: Int { state.withLock { $0.met } }

    func close() { state.withLock { $0.areClosed = true } }
    func open() { state.withLock { $0.areClosed = false } }
}
