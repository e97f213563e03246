import Glibc
import Synchronization

/// The processes of ssh that this one has started. One whose server hangs ends neither when its input is closed nor when its parent
/// goes, so whatever ends this process ends them before.
public enum RunningSSH {
    private struct State {
        var groups: Set<pid_t> = []
        /// Being started: their numbers are not known yet.
        var starts: Set<UInt64> = []
        var lastStart: UInt64 = 0
        var isEnding = false
    }

    private static let state = Mutex(State())
    /// Once; not called where a signal or `_exit` ends the process.
    private static let endsWithThis: Void = { atexit { RunningSSH.end() } }()

    /// Before one is started.
    static func starts() -> UInt64 {
        endsWithThis
        return state.withLock { state in
            state.lastStart += 1
            state.starts.insert(state.lastStart)
            return state.lastStart
        }
    }

    static func begins(_ process: pid_t, _ start: UInt64) {
        let isLate = state.withLock { state in
            state.starts.remove(start)
            state.groups.insert(process)
            return state.isEnding
        }
        if isLate { end(process) }
    }

    /// Also where it never began.
    static func ended(_ process: pid_t?, _ start: UInt64) {
        state.withLock { state in
            state.starts.remove(start)
            if let process { state.groups.remove(process) }
        }
    }

    /// Asks all to end, with what they have started. For whoever is about to end this process; waits a moment for those that are
    /// being started.
    public static func end() {
        let groups = state.withLock { state in
            state.isEnding = true
            return state.groups
        }
        for group in groups { end(group) }
        for _ in 0..<100 where state.withLock({ !$0.starts.isEmpty }) { usleep(5_000) }
    }

    /// Each leads a session of its own, and so a group.
    private static func end(_ group: pid_t) { kill(-group, SIGTERM) }
}
