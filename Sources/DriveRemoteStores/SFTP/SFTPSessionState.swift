import DriveCore

/// Which requests are under way in a session, and what it has come to. Changes only; whoever holds it sends what comes
/// out and wakes who waits.
struct SFTPSessionState: ~Copyable {
    typealias Answer = Result<SFTPReply, DriveError>
    typealias Continuation = CheckedContinuation<Answer, Never>

    enum Phase {
        /// Until the server says its version, requests are held back (section 4 of the draft).
        case starting(held: [[UInt8]])
        case open
        case ended(DriveError)
    }

    enum Waiter {
        /// An id that somebody is about to use.
        case claimed
        case caller(Continuation, opens: Bool)
        /// Nobody wants the answer any more; what it opens has to be closed.
        case nobody(opens: Bool)
        /// The session's own question about the longest requests.
        case limits
    }

    var phase = Phase.starting(held: [])
    var waiters: [UInt32: Waiter] = [:]
    var extensions: Set<String> = []
    /// Bytes of file that one request may ask for or bring; every server takes 32 KiB (section 3).
    var pieceSize = 32 * 1024
    /// Operations that use the session now.
    var users = 0
    /// Answers that somebody waited for.
    var served = 0
    private var lastID: UInt32 = 0

    /// An id that no request under way has.
    mutating func claim() -> UInt32 {
        repeat { lastID &+= 1 } while waiters[lastID] != nil
        waiters[lastID] = .claimed
        return lastID
    }

    var isEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    var isStarting: Bool {
        if case .starting = phase { true } else { false }
    }

    /// Who waited for the answer; nil where nobody did. Throws where it answers nothing that was asked.
    mutating func take(_ id: UInt32) throws(SFTPFault) -> Waiter {
        guard let waiter = waiters.removeValue(forKey: id) else {
            throw SFTPFault(text: "an answer to request \(id), which nobody made")
        }
        if case .caller = waiter { served += 1 }
        return waiter
    }

    /// All that wait, for the last time.
    mutating func end(_ error: DriveError) -> [Continuation] {
        phase = .ended(error)
        defer { waiters = [:] }
        return waiters.values.compactMap { if case .caller(let continuation, _) = $0 { continuation } else { nil } }
    }
}
