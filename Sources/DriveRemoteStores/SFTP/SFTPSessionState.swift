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
        /// Sent; somebody will ask for the answer.
        case sent(opens: Bool)
        /// It came before somebody asked.
        case answered(SFTPReply)
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

    /// Notes a request that is about to be sent, under an id that no other has.
    mutating func add(_ waiter: Waiter) -> UInt32 {
        repeat { lastID &+= 1 } while waiters[lastID] != nil
        waiters[lastID] = waiter
        return lastID
    }

    var isEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    var isStarting: Bool {
        if case .starting = phase { true } else { false }
    }

    /// Who the answer is for. Throws where it answers nothing that was asked.
    mutating func take(_ reply: SFTPReply, to id: UInt32) throws(SFTPFault) -> Waiter {
        guard let waiter = waiters.removeValue(forKey: id) else {
            throw SFTPFault(text: "an answer to request \(id), which nobody made")
        }
        switch waiter {
        case .sent:
            waiters[id] = .answered(reply)
            served += 1
        case .caller: served += 1
        case .answered: throw SFTPFault(text: "a second answer to request \(id)")
        case .nobody, .limits: break
        }
        return waiter
    }

    /// All that wait, for the last time.
    mutating func end(_ error: DriveError) -> [Continuation] {
        phase = .ended(error)
        defer { waiters = [:] }
        return waiters.values.compactMap { if case .caller(let continuation, _) = $0 { continuation } else { nil } }
    }
}
