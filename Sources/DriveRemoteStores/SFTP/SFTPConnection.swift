import DriveCore
import Synchronization

/// Keeps a session to a server: starts it with the first call, again when it has ended, and shares it among all calls.
final class SFTPConnection: Sendable {
    private let process: SSHProcess
    private let session = Mutex<SFTPSession?>(nil)

    init(_ process: SSHProcess) { self.process = process }

    deinit { session.withLock { $0?.endIfUnused() } }

    /// What `body` does over a session. Where the server had closed an idle one before it answered anything, once more over
    /// a new one.
    func use<Value>(
        _ body: (SFTPSession) async throws(DriveError) -> Value
    ) async throws(DriveError) -> Value {
        let (session, isNew) = acquire()
        let answers = session.meter.reading.answers
        do throws(DriveError) {
            defer { session.release() }
            return try await body(session)
        } catch {
            guard !isNew, session.failure != nil, session.meter.reading.answers == answers, !Task.isCancelled else {
                throw error
            }
        }
        let (fresh, _) = acquire()
        defer { fresh.release() }
        return try await body(fresh)
    }

    private func acquire() -> (SFTPSession, isNew: Bool) {
        session.withLock { present in
            if let present, present.acquire() { return (present, false) }
            let fresh = SFTPSession()
            _ = fresh.acquire()
            present = fresh
            // It ends when the session does: closed when unused, or when this connection goes.
            Task.detached { [process] in await process.run(fresh) }
            return (fresh, true)
        }
    }
}
