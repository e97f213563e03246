public import DriveCore
import DriveFiles
public import FileCoordination
import Glibc

/// Who works on a drive now, as others see it.
public enum DriveHolder: Sendable {
    case nobody
    /// Watches it, and answers.
    case watch(DriveClient, RunningStatus)
    /// Watches it, and gives no answer: it is stopped, hangs, or is of another version.
    case silent(Silence)
    /// Works on it, and cannot be asked: a command, or a watch whose socket is gone, which that makes anew after its next
    /// pass. The process is nil where it cannot be told.
    case apart(process: Int32?)

    public struct Silence: Sendable {
        public var process: Int32?
        /// It was stopped by a signal, and does nothing until it gets another one. It may be a command then.
        public var isStopped = false
        public var error: DriveError?

        /// What is the matter, and what to do.
        public var sentence: String {
            let who = process.map { "process \($0)" } ?? "a process"
            if let error, SocketClient.isLoss(error) { return error.message }
            if let error { return "\(who) watches the drive and cannot be asked: \(error.message)" }
            guard let process else { return "\(who) watches the drive and does not answer; wait, or start it again" }
            return isStopped
                ? "\(who) works on the drive and is stopped; `kill -CONT \(process)` lets it go on"
                : "\(who) watches the drive and does not answer; wait, or end it with `kill \(process)`"
        }
    }

    /// Waits for an answer for so long.
    public static func of(_ folder: FolderPath, patience: Duration = .seconds(5)) async throws -> DriveHolder {
        if let stopped = stopped(folder) { return stopped }
        let end = ContinuousClock.now + patience
        var isFirst = true
        while let client = try DriveClient(folder) {
            do throws(DriveError) {
                if let status = try await client.status(within: patience) { return .watch(client, status) }
                return .silent(Silence(process: client.process))
            } catch {
                // It may have ended just now, and one that is about to keeps its socket for a moment.
                let isEnding = SocketClient.isLoss(error) && .now < end
                guard isFirst || isEnding else { return .silent(Silence(process: client.process, error: error)) }
            }
            isFirst = false
            try await Task.sleep(for: .milliseconds(10))
        }
        return withoutClient(folder)
    }

    /// Nil where somebody listens who is not stopped. Asks nobody, and takes next to no time.
    public static func obstacle(_ folder: FolderPath) throws -> DriveHolder? {
        if let stopped = stopped(folder) { return stopped }
        return try DriveClient(folder) == nil ? withoutClient(folder) : nil
    }

    /// Before anybody comes to its socket: of those that come to one that is stopped, only a few are let wait.
    private static func stopped(_ folder: FolderPath) -> DriveHolder? {
        guard let process = DriveLock.holder(at: folder.bytes), ProcFile.isStopped(process) else { return nil }
        return .silent(Silence(process: process, isStopped: true))
    }

    private static func withoutClient(_ folder: FolderPath) -> DriveHolder {
        guard let process = DriveLock.holder(at: folder.bytes), process != getpid() else { return .nobody }
        // One of another container has no number here.
        return .apart(process: process > 0 ? process : nil)
    }

    /// Why nobody can be asked, though somebody works on it; nil for the rest.
    public var sentence: String? {
        switch self {
        case .nobody, .watch: nil
        case .silent(let silence): silence.sentence
        case .apart(let process):
            process.flatMap { ForeignProcess($0)?.words }
                ?? "\(process.map { "process \($0)" } ?? "another process") works on the drive and cannot be asked; "
                + "wait until it is done, or stop it"
        }
    }

    public var process: Int32? {
        switch self {
        case .nobody: nil
        case .watch(_, let status): status.process
        case .silent(let silence): silence.process
        case .apart(let process): process
        }
    }
}

extension DriveClient {
    /// Whoever watches the drive and can be asked for things; nil where nobody watches it, or who does cannot be reached.
    /// Throws `temporary` where it gives no answer for so long.
    @discardableResult
    public static func answering(
        _ folder: FolderPath, within patience: Duration = .seconds(30)
    ) async throws -> DriveClient? {
        switch try await DriveHolder.of(folder, patience: patience) {
        case .nobody, .apart: return nil
        case .watch(let client, _): return client
        case .silent(let silence):
            try Task.checkCancellation()
            if let error = silence.error { throw error }
            throw DriveError(.temporary, "\(silence.sentence); nothing was asked of it", path: folder.description)
        }
    }

    /// Nil where no answer came in time.
    func status(within patience: Duration) async throws(DriveError) -> RunningStatus? {
        do { return try await SocketClient.answer(within: patience) { try await status() } } catch {
            throw error as? DriveError ?? DriveError(.temporary, "nobody waits for its answer any more; try again")
        }
    }
}

extension DriveHolder {
    /// Whether whoever watches knows of everything that was changed in the folder before the call; waits for that for so long. While
    /// a pass waits for the store it does not.
    public func knowsFolder(within patience: Duration) async -> Bool {
        guard case .watch(let client, _) = self else { return false }
        do { return try await SocketClient.answer(within: patience) { try await client.barrier() } != nil } catch {
            // Then nobody knows, which is the answer.
            return false
        }
    }
}

extension ProcFile {
    /// A signal has stopped this process, as far as can be seen from here.
    fileprivate static func isStopped(_ process: Int32) -> Bool {
        guard process > 0, let text = text("\(process)/stat") else { return false }
        // `12 (its name) T ...`, and the name may be anything (proc_pid_stat(5)).
        let state = text[(text.lastIndex(of: ")") ?? text.startIndex)...].dropFirst(2).first
        return state == "T" || state == "t"
    }
}
