import DriveCore
import Synchronization

/// One conversation with an SFTP server: requests of many callers at once, each answer to the one that asked. It knows
/// nothing of processes: it says what to send, and is told what came.
///
/// Once it has ended, for whatever reason, every call throws that reason.
final class SFTPSession: Sendable {
    private let state: Mutex<SFTPSessionState>
    /// What is to be sent, in order. Its length is bounded by what callers have under way.
    let outbox: AsyncStream<[UInt8]>
    private let sending: AsyncStream<[UInt8]>.Continuation
    /// Finishes when the session ends.
    let end: AsyncStream<Never>
    private let ending: AsyncStream<Never>.Continuation
    /// Bytes sent and received, and answers: how one sees that it goes on.
    let meter = TransferMeter()

    init() {
        state = Mutex(SFTPSessionState())
        (outbox, sending) = AsyncStream.makeStream()
        (end, ending) = AsyncStream.makeStream()
        sending.yield(SFTPRequest.hello)
    }

    /// The server's answer. Throws at once when the task is cancelled; what the request would have opened is then closed.
    func call(_ request: SFTPRequest) async throws(DriveError) -> SFTPReply {
        if Task.isCancelled, !request.isDue { throw .stopped }
        return try await answer(begin(request))
    }

    /// Sends at once, so in the order of the calls. The answer is to be asked for, once.
    func begin(_ request: SFTPRequest) -> SFTPTicket {
        state.withLock { state in
            guard !state.isEnded else { return SFTPTicket(id: 0) }
            let id = state.add(.sent(opens: request.opens))
            post(request.packet(id: id), &state)
            return SFTPTicket(id: id)
        }
    }

    /// As of `call`.
    func answer(_ ticket: SFTPTicket) async throws(DriveError) -> SFTPReply {
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { wait(ticket.id, $0) }
        } onCancel: {
            abandon(ticket.id)
        }
        return try answer.get()
    }

    /// Sends without waiting for the answer, which has no consequences.
    func send(_ request: SFTPRequest) {
        state.withLock { state in
            guard !state.isEnded else { return }
            let id = state.add(.nobody(opens: request.opens))
            post(request.packet(id: id), &state)
        }
    }

    private func wait(_ id: UInt32, _ continuation: SFTPSessionState.Continuation) {
        let answer = state.withLock { state -> SFTPSessionState.Answer? in
            if case .ended(let error) = state.phase { return .failure(error) }
            switch state.waiters[id] {
            case .sent(let opens):
                state.waiters[id] = .caller(continuation, opens: opens)
                return nil
            case .answered(let reply):
                state.waiters[id] = nil
                return .success(reply)
            default: return .failure(.stopped)
            }
        }
        if let answer { continuation.resume(returning: answer) }
    }

    private func post(_ packet: [UInt8], _ state: inout SFTPSessionState) {
        if case .starting(let held) = state.phase {
            state.phase = .starting(held: held + [packet])
        } else {
            sending.yield(packet)
        }
    }

    private func abandon(_ id: UInt32) {
        let waiter = state.withLock { state -> SFTPSessionState.Waiter? in
            let waiter = state.waiters[id]
            switch waiter {
            case .caller(_, let opens), .sent(let opens): state.waiters[id] = .nobody(opens: opens)
            case .answered(let reply):
                state.waiters[id] = nil
                close(reply, &state)
            default: break
            }
            return waiter
        }
        if case .caller(let continuation, _)? = waiter { continuation.resume(returning: .failure(.stopped)) }
    }

    /// What nobody took is closed.
    private func close(_ reply: SFTPReply, _ state: inout SFTPSessionState) {
        guard case .handle(let handle) = reply else { return }
        let request = SFTPRequest.close(handle: handle)
        post(request.packet(id: state.add(.nobody(opens: false))), &state)
    }
}

// What the server says.
extension SFTPSession {
    /// Takes a packet. Throws where it is none, or answers nothing; the session is then to be ended.
    func receive(_ packet: [UInt8]) throws(SFTPFault) {
        if state.withLock({ $0.isStarting }) { return try receiveHello(packet) }
        let (id, reply) = try SFTPReply.read(packet[...])
        let waiter = try state.withLock { state throws(SFTPFault) in try state.take(reply, to: id) }
        meter.countAnswer()
        switch (waiter, reply) {
        case (.caller(let continuation, _), _): continuation.resume(returning: .success(reply))
        case (.nobody(opens: true), .handle(let handle)): send(.close(handle: handle))
        case (.limits, .extended(let limits)): try takeLimits(limits)
        case (.nobody, _), (.limits, _), (.sent, _), (.answered, _): break
        }
    }

    private func receiveHello(_ packet: [UInt8]) throws(SFTPFault) {
        let extensions = try SFTPReply.readHello(packet[...])
        state.withLock { state in
            guard case .starting(let held) = state.phase else { return }
            state.extensions = extensions
            state.phase = .open
            if extensions.contains(SFTPRequest.Extension.limits) {
                let id = state.add(.limits)
                sending.yield(SFTPRequest.limits.packet(id: id))
            }
            for packet in held { sending.yield(packet) }
        }
    }

    /// OpenSSH's PROTOCOL, section 4.8: longest packet, read and write, where 0 says nothing.
    private func takeLimits(_ bytes: ArraySlice<UInt8>) throws(SFTPFault) {
        var reader = SFTPPacketReader(bytes)
        var numbers: [UInt64] = []
        for _ in 0..<3 { numbers.append(try reader.number()) }
        let smallest = numbers[1...].filter { $0 > 0 }.min() ?? .max
        state.withLock { $0.pieceSize = Int(min(UInt64($0.pieceSize), max(smallest, 1024))) }
    }

    func offers(_ name: String) -> Bool { state.withLock { $0.extensions.contains(name) } }

    /// Bytes of file that one request may ask for or bring.
    var pieceSize: Int { state.withLock { $0.pieceSize } }
}

// Its life.
extension SFTPSession {
    /// Nothing after this. All that wait get the error; it is kept as the reason.
    func end(_ error: DriveError) {
        let waiting = state.withLock { state -> [SFTPSessionState.Continuation] in
            state.isEnded ? [] : state.end(error)
        }
        for continuation in waiting { continuation.resume(returning: .failure(error)) }
        sending.finish()
        ending.finish()
    }

    /// Why it ended; nil while it has not.
    var failure: DriveError? {
        state.withLock { if case .ended(let error) = $0.phase { error } else { nil } }
    }

    var isStarting: Bool { state.withLock { $0.isStarting } }
    /// How many answers somebody waited for.
    var served: Int { state.withLock { $0.served } }

    var isWaiting: Bool { state.withLock { !$0.waiters.isEmpty } }

    /// False where the session has ended: use another.
    func acquire() -> Bool {
        state.withLock { state in
            if state.isEnded { return false }
            state.users += 1
            return true
        }
    }

    func release() { state.withLock { $0.users -= 1 } }

    var isUsed: Bool { state.withLock { $0.users > 0 } }

    /// Ends it unless somebody uses it.
    func endIfUnused() {
        let isOver = state.withLock { state in
            guard state.users == 0, !state.isEnded else { return false }
            return state.end(.sessionClosed).isEmpty
        }
        guard isOver else { return }
        sending.finish()
        ending.finish()
    }
}

/// Stands for an answer that is still to be asked for.
struct SFTPTicket: Hashable, Sendable {
    fileprivate let id: UInt32
}

/// Counts what moves.
final class TransferMeter: Sendable {
    private let bytes = Atomic(0)
    private let answers = Atomic(0)

    func count(_ count: Int) { bytes.add(count, ordering: .relaxed) }
    func countAnswer() { answers.add(1, ordering: .relaxed) }

    struct Reading: Hashable, Sendable {
        var bytes: Int
        var answers: Int
    }

    var reading: Reading {
        Reading(bytes: bytes.load(ordering: .relaxed), answers: answers.load(ordering: .relaxed))
    }
}

extension DriveError {
    static let stopped = DriveError(.temporary, "stopped before it was done")
    static let sessionClosed = DriveError(.unreachable, "the connection was closed")
}
