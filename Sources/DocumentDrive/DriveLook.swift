import DriveFiles
import FileCoordination
import Synchronization

/// What makes an open drive the only one.
final class DriveHold: Sendable {
    private let lock: DriveLock
    private let look: DriveLook?

    /// `look` has the lock too, and is waited for.
    init(_ lock: DriveLock, after look: DriveLook? = nil) {
        self.lock = lock
        self.look = look
    }

    var isHeldUp: Bool { look != nil }

    /// Has the engine go on as soon as it is the only one.
    func hand(to engine: SyncEngine) { look?.whenOver { [weak engine] in engine?.goOn() } }
}

/// A drive that this process has opened by itself, to look at it for a moment. Nobody could close it: whoever opens the drive
/// meanwhile gets it, and is kept from its engine until the look is over.
final class DriveLook: Sendable {
    private struct State {
        var lock: DriveLock?
        weak var heir: DriveHold?
        var isOver = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state: Mutex<State>

    init(_ lock: DriveLock) { state = Mutex(State(lock: lock)) }

    /// Nil where somebody has opened the drive already.
    func bequeath() -> DriveHold? {
        state.withLock { state in
            guard let lock = state.lock, state.heir == nil else { return nil }
            let heir = DriveHold(lock, after: self)
            state.heir = heir
            return heir
        }
    }

    func whenOver(_ body: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.waiting.append(body) }
            return state.isOver
        }
        if isOver { body() }
    }

    /// The lock is the heir's, if there is one, and free otherwise.
    func giveUp() { state.withLock { $0.lock = nil } }

    func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for body in waiting { body() }
    }
}
