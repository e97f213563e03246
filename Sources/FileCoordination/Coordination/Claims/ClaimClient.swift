import DriveCore
import Synchronization

/// One asker's side of an arbiter: what it waits for and holds, and its presenters. The arbiter is in this process, or
/// at the other end of a connection.
final class ClaimClient: Sendable {
    private struct State {
        /// What the arbiter calls this client.
        var number: UInt64 = 0
        var last: UInt64 = 0
        var say: (@Sendable (ClaimCall) -> Void)?
        var close: (@Sendable () -> Void)?
        var waiting: [ClaimID: Waiter] = [:]
        var requests: [ClaimID: ClaimRequest] = [:]
        /// In the order of asking: the arbiter answers in it.
        var presenting: [PresenterID: [Settling]] = [:]
        var presenters: [PresenterID: PresenterRun] = [:]
        /// Who has what this client held when its arbiter ended, and under which names.
        var heir: (client: ClaimClient, names: [ClaimID: ClaimID])?
        var isOver = false
        /// Told whether anything is asked for or held; within the lock, so that what is told last is so.
        var tellAsking: (@Sendable (Bool) -> Void)?

        func noteAsking() { tellAsking?(!requests.isEmpty) }
    }

    private struct Waiter {
        let continuation: CheckedContinuation<[FileIntent], any Error>
        /// The arbiter was told of the claim, and can be told to forget it.
        var isAsked = false
    }

    /// An answer that is to come, for the continuation, unless that has given up.
    private struct Settling {
        let number: UInt64
        var continuation: CheckedContinuation<Void, any Error>?
    }

    private let state = Mutex(State())

    /// The arbiter ended: whoever waits asks the next one.
    struct ArbiterEnded: Error {}

    func begin(
        _ number: UInt64, close: (@Sendable () -> Void)? = nil, tellAsking: (@Sendable (Bool) -> Void)? = nil,
        _ say: @escaping @Sendable (ClaimCall) -> Void
    ) {
        state.withLock { state in
            state.number = number
            state.tellAsking = tellAsking
            state.close = close
            state.say = say
        }
    }

    static func local(_ claims: FileClaims) -> ClaimClient {
        let client = ClaimClient()
        let number = claims.join { [weak client] in client?.hear($0) }
        client.begin(number) { [weak claims] in claims?.hear($0, from: number) }
        return client
    }

    /// Nobody needs it any more.
    func close() { state.withLock { $0.close }?() }

    var isOver: Bool { state.withLock { $0.isOver } }

    private func say(_ call: ClaimCall) { state.withLock { $0.say }?(call) }

    func newID() -> ClaimID {
        state.withLock { state in
            state.last += 1
            return ClaimID(client: state.number, number: state.last)
        }
    }

    /// What this client calls a presenter.
    func id(ofPresenter number: UInt64) -> PresenterID {
        PresenterID(client: state.withLock { $0.number }, number: number)
    }
}

// Claims.
extension ClaimClient {
    /// The items as they are when the claim is granted. Throws `CancellationError` where it is taken back, and
    /// `CoordinationError`. `isWanted` is asked once the arbiter knows of the claim, and can be told to forget it.
    func claim(
        _ id: ClaimID, _ request: ClaimRequest, isWanted: @Sendable () -> Bool = { true }
    ) async throws -> [FileIntent] {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !state.isOver else { return true }
                    state.waiting[id] = Waiter(continuation: continuation)
                    state.requests[id] = request
                    state.noteAsking()
                    return false
                }
                if isOver { return continuation.resume(throwing: ArbiterEnded()) }
                say(.claim(id, request))
                state.withLock { $0.waiting[id]?.isAsked = true }
                if Task.isCancelled || !isWanted() { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// The arbiter has not decided yet, as far as is known here.
    func isWaiting(_ id: ClaimID) -> Bool { state.withLock { $0.waiting[id] != nil } }

    /// Whoever waits for the claim goes on, also where the arbiter is stopped and answers nobody.
    func cancel(_ id: ClaimID) {
        // An arbiter in this process has decided when this returns, and mostly told so.
        say(.cancel(id))
        let waiter = state.withLock { state -> Waiter? in
            guard state.waiting[id]?.isAsked == true else { return nil }
            state.requests[id] = nil
            state.noteAsking()
            return state.waiting.removeValue(forKey: id)
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }

    func release(_ id: ClaimID, _ report: AccessReport) {
        // In one step: what is not forgotten here yet the heir takes over, and nobody would ever release it there.
        let heir = state.withLock { state -> (ClaimClient, ClaimID)? in
            if let heir = state.heir, let name = heir.names[id] { return (heir.client, name) }
            state.requests[id] = nil
            state.noteAsking()
            return nil
        }
        if let (heir, name) = heir { return heir.release(name, report) }
        say(.release(id, report))
    }

    func moved(_ move: ItemMove, by id: ClaimID) {
        if let (heir, name) = inheritance(of: id) { return heir.moved(move, by: name) }
        say(.moved(move, by: id))
    }

    func announce(_ path: DrivePath, _ news: VersionNews) { say(.announce(path, news)) }

    private func inheritance(of id: ClaimID) -> (ClaimClient, ClaimID)? {
        state.withLock { state in state.heir.flatMap { heir in heir.names[id].map { (heir.client, $0) } } }
    }

    /// The arbiter, of this process number, ended. What was held goes on at the heir's, `claims`.
    func end(heir: ClaimClient, _ claims: FileClaims, arbiter: Int32 = 0) {
        // In one step, for what is released meanwhile. The claims call no client but their own.
        let (waiting, presenting) = state.withLock { state in
            var names: [ClaimID: ClaimID] = [:]
            for (id, request) in state.requests where state.waiting[id] == nil {
                let name = heir.newID()
                names[id] = name
                claims.adopt(name, request, before: id)
            }
            state.tellAsking = nil
            claims.lost(arbiter: arbiter)
            state.isOver = true
            state.heir = (heir, names)
            defer {
                state.waiting = [:]
                state.presenting = [:]
            }
            return (state.waiting, state.presenting)
        }
        for waiter in waiting.values { waiter.continuation.resume(throwing: ArbiterEnded()) }
        for settling in presenting.values.joined() { settling.continuation?.resume(throwing: ArbiterEnded()) }
    }
}

// Presenters.
extension ClaimClient {
    /// Returns once the arbiter knows of it; it will also where this throws `CancellationError`.
    func present(_ run: PresenterRun, _ presentation: Presentation) async throws {
        let id = id(ofPresenter: run.number)
        state.withLock { $0.presenters[id] = run }
        try await settle(id, .present(id, presentation))
    }

    /// Returns once the arbiter knows that it is gone, or the task is cancelled.
    func withdraw(_ number: UInt64) async {
        let id = id(ofPresenter: number)
        // An arbiter that is over knows of nobody.
        try? await settle(id, .withdraw(id))
        state.withLock { $0.presenters[id] = nil }
    }

    private func settle(_ id: PresenterID, _ call: ClaimCall) async throws {
        let number = newID().number
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let settling = Settling(number: number, continuation: continuation)
                let isOver = state.withLock { state in
                    if !state.isOver { state.presenting[id, default: []].append(settling) }
                    return state.isOver
                }
                if isOver { return continuation.resume(throwing: ArbiterEnded()) }
                say(call)
                if Task.isCancelled { giveUp(number, id) }
            }
        } onCancel: {
            giveUp(number, id)
        }
    }

    /// The answer keeps its place: those that follow are others'.
    private func giveUp(_ number: UInt64, _ id: PresenterID) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard let place = state.presenting[id]?.firstIndex(where: { $0.number == number }) else { return nil }
            return state.presenting[id]?[place].continuation.take()
        }
        continuation?.resume(throwing: CancellationError())
    }

    /// What the arbiter says; from any thread, and never waits.
    func hear(_ news: ClaimNews) {
        switch news {
        case .welcome: break
        case .granted(let id, let intents): resume(id, .success(intents))
        case .failed(let id, .cancelled): resume(id, .failure(CancellationError()))
        case .failed(let id, let error): resume(id, .failure(error))
        case .presented(let id): settled(id)?.resume()
        case .ask(let id, let number, let claim, let question):
            let run = state.withLock { $0.presenters[id] }
            run?.take(
                .question(number, claim, question, asker: self) { [weak self] in
                    self?.say(.answer(question: number, claim, $0))
                })
        case .tell(let id, let notice): state.withLock { $0.presenters[id] }?.take(.notice(notice))
        }
    }

    private func settled(_ id: PresenterID) -> CheckedContinuation<Void, any Error>? {
        state.withLock { state in
            guard var waiting = state.presenting[id], !waiting.isEmpty else { return nil }
            defer { state.presenting[id] = waiting.isEmpty ? nil : waiting }
            return waiting.removeFirst().continuation
        }
    }

    private func resume(_ id: ClaimID, _ result: Result<[FileIntent], any Error>) {
        let (waiter, isUnwanted) = state.withLock { state -> (Waiter?, Bool) in
            let waiter = state.waiting.removeValue(forKey: id)
            guard case .success(let intents) = result else {
                state.requests[id] = nil
                state.noteAsking()
                return (waiter, false)
            }
            state.requests[id]?.intents = intents
            return (waiter, state.requests[id] == nil)
        }
        waiter?.continuation.resume(with: result)
        // The two crossed.
        if isUnwanted { say(.release(id, AccessReport())) }
    }
}
