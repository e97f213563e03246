import Dispatch
import DocumentDrive
import DriveCore
import FileCoordination
import Glibc
import Synchronization

/// Runs a person's command after changes, one at a time; what changes meanwhile comes with the next run.
final class CommandRunner: Sendable {
    private struct State {
        var waiting: [String] = []
        var isRunning = false
        /// Of the command that runs now.
        var group: pid_t?
        var isStopped = false
    }

    private let command: String
    private let folder: FolderPath
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "docdrive.exec")

    init(_ command: String, in folder: FolderPath) {
        self.command = command
        self.folder = folder
    }

    func note(_ announcement: Announcement) {
        switch announcement {
        case .event(let event): state.withLock { $0.waiting.append(JSONText.line(EventReport(event))) }
        case .worked: startIfIdle()
        case .waiting, .goesOn, .held, .problems: break
        }
    }

    /// Nothing starts any more; what runs is asked to end.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            if let group = state.group { kill(-group, SIGTERM) }
        }
    }

    private func runs(_ group: pid_t?) {
        state.withLock { state in
            state.group = group
            if state.isStopped, let group { kill(-group, SIGTERM) }
        }
    }

    private func startIfIdle() {
        let starts = state.withLock { state in
            if state.isRunning || state.isStopped || state.waiting.isEmpty { return false }
            state.isRunning = true
            return true
        }
        if starts { queue.async { self.work() } }
    }

    private func work() {
        while let lines = next() { run(lines) }
    }

    private func next() -> [String]? {
        state.withLock { state in
            if state.waiting.isEmpty || state.isStopped {
                state.isRunning = false
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    private func run(_ lines: [String]) {
        let input = lines.map { $0 + "\n" }.joined()
        guard let status = ShellCommand.run(command, in: folder, input: Array(input.utf8), runs: runs) else {
            return Output.error("docdrive: the command of --exec cannot be run: \(command)")
        }
        if state.withLock(\.isStopped) { return }
        if status != 0 { Output.error("docdrive: the command of --exec ended with status \(status)") }
    }
}
