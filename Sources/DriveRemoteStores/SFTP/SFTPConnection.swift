import DriveCore
import Synchronization

/// Keeps a session to a server: starts it with the first call, again when it has ended, and shares it among all calls.
final class SFTPConnection: Sendable {
    private let process: SSHProcess
    private let session = Mutex<SFTPSession?>(nil)

    init(_ process: SSHProcess) { self.process = process }

    deinit { session.withLock { $0?.endIfUnused() } }

    /// What `body` does over a session. Where that had served before and was closed before it answered anything of this,
    /// once more over a new one.
    func use<Value>(
        _ body: (SFTPSession) async throws(DriveError) -> Value
    ) async throws(DriveError) -> Value {
        let session = acquire()
        let served = session.served
        do throws(DriveError) {
            defer { session.release() }
            return try await body(session)
        } catch {
            guard served > 0, session.failure != nil, session.served == served, !Task.isCancelled else {
                throw error
            }
        }
        let fresh = acquire()
        defer { fresh.release() }
        return try await body(fresh)
    }

    private func acquire() -> SFTPSession {
        session.withLock { present in
            if let present, present.acquire() { return present }
            let fresh = SFTPSession()
            _ = fresh.acquire()
            present = fresh
            // It ends when the session does: closed when unused, or when this connection goes.
            Task.detached { [process] in await process.run(fresh) }
            return fresh
        }
    }
}
