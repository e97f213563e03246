import DriveCore

/// Who may use what, as a value: everybody who asks, holds or shows something, and what follows for others.
///
/// Nothing here waits or talks; whoever calls carries out `takeActions()`. Claims are granted in the order of asking;
/// nobody overtakes an earlier one that it would be in the way of, except where that one waits for its end anyway.
struct Arbiter: Sendable {
    enum Action: Sendable {
        /// Ask other arbiters on this machine; `locked` tells when they agree.
        case lock(ClaimID, [FileIntent])
        case unlock(ClaimID)
        /// The items as they are now: they may have moved while the claim waited.
        case grant(ClaimID, [FileIntent])
        case fail(ClaimID, CoordinationError)
        /// A presenter has this many milliseconds to answer; `timedOut` tells when they are over.
        case ask(PresenterID, question: UInt64, ClaimID, PresenterQuestion, patience: UInt64)
        case tell(PresenterID, PresenterNotice)
    }

    /// In the order of asking.
    var claims: [Claim] = []
    /// Which items they are about, where that was asked for since it last changed.
    var index: ClaimIndex?
    /// How many pairs of claims were looked at.
    var looks = 0
    var presenters: [PresenterID: Presentation] = [:]
    /// Questions that nobody waits for any more: an answer shows that their presenter lives.
    var late: [UInt64: PresenterID] = [:]
    var actions: [Action] = []
    private var lastOrder: UInt64 = 0
    private var lastNeeded: UInt64 = 0
    var lastQuestion: UInt64 = 0

    /// What is to be done now, once.
    mutating func takeActions() -> [Action] {
        defer { actions = [] }
        return actions
    }

    mutating func claim(_ id: ClaimID, _ request: ClaimRequest) {
        // Whoever is in nobody's way has its turn, however many there are.
        let isTurn = !claims.contains { $0.request.conflicts(with: request) }
        add(id, request, isTurn ? .locking : .waiting)
        if isTurn { actions.append(.lock(id, request.intents)) }
        advance()
    }

    private mutating func add(
        _ id: ClaimID, _ request: ClaimRequest, _ stage: Claim.Stage, before: ClaimID? = nil
    ) {
        lastOrder += 1
        var claim = Claim(id: id, order: lastOrder, request: request, stage: stage)
        claim.before = before
        if !request.inside.isEmpty {
            // Who holds them knows them by the names that they had first.
            for held in claims {
                guard let name = held.before else { continue }
                claim.request.inside = claim.request.inside.map { $0 == name ? held.id : $0 }
            }
        }
        claims.append(claim)
        index = nil
        if stage == .held { noteNeeded(claims.count - 1) }
    }

    /// Others may be a part of it from now on, and overtake who waits for it.
    mutating func noteNeeded(_ place: Int) {
        lastNeeded += 1
        claims[place].needed = lastNeeded
    }

    mutating func setWitness(_ witness: ClaimID?, of place: Int) {
        (claims[place].witness, claims[place].lookedAt) = (witness, lastNeeded)
    }

    /// Granted at once, to somebody who may not wait and whom nobody is asked for; false where that cannot be.
    mutating func tryClaim(_ id: ClaimID, _ request: ClaimRequest) -> Bool {
        guard isFree(request) else { return false }
        add(id, request, .held)
        return true
    }

    /// Nobody here is in the way.
    func isFree(_ request: ClaimRequest) -> Bool {
        !claims.contains { $0.stage != .waiting && $0.request.conflicts(with: request) }
    }

    /// `tryClaim` is undone: nobody has noticed it yet.
    mutating func forgetTrial(_ id: ClaimID) {
        claims.removeAll { $0.id == id }
        index = nil
    }

    /// Granted before, by an arbiter that is gone.
    mutating func adopt(_ id: ClaimID, _ request: ClaimRequest, before: ClaimID? = nil) {
        add(id, request, .held, before: before)
        actions.append(.lock(id, request.intents))
    }

    /// Other arbiters agree.
    mutating func locked(_ id: ClaimID) {
        guard let place = place(of: id), claims[place].stage == .locking else { return }
        claims[place].stage = .asking
        beginAsking(id)
        advance()
    }

    /// The access is over.
    mutating func release(_ id: ClaimID, _ report: AccessReport = AccessReport()) {
        guard let claim = remove(id) else { return }
        for path in report.appeared { tell(of: path, in: .subitemDidAppear(path), except: claim) }
        for path in report.changed { tell(of: path, in: .subitemDidChange(path), except: claim) }
        advance()
    }

    /// Takes a claim back that is not granted yet; does nothing to one that is.
    mutating func cancel(_ id: ClaimID) {
        guard let place = place(of: id), claims[place].stage != .held else { return }
        fail(id, .cancelled)
        advance()
    }

    /// A client is gone, and with it all that it held, asked for and showed.
    mutating func leave(_ client: UInt64) { leave([client]) }

    /// None of them gets what another has had.
    mutating func leave(_ clients: Set<UInt64>) {
        for claim in claims where clients.contains(claim.id.client) { remove(claim.id) }
        for presenter in presenters.keys where clients.contains(presenter.client) { forget(presenter) }
        advance()
    }

    mutating func fail(_ id: ClaimID, _ error: CoordinationError) {
        guard remove(id) != nil else { return }
        actions.append(.fail(id, error))
    }

    /// Whoever relinquished for it gets its item back.
    @discardableResult
    private mutating func remove(_ id: ClaimID) -> Claim? {
        guard let place = place(of: id) else { return nil }
        let claim = claims.remove(at: place)
        index = nil
        late.merge(claim.asked) { $1 }
        for presenter in claim.reacquirers { actions.append(.tell(presenter, .reacquire(id))) }
        if claim.stage != .waiting { actions.append(.unlock(id)) }
        return claim
    }

    func place(of id: ClaimID) -> Int? { claims.firstIndex { $0.id == id } }

    subscript(id: ClaimID) -> Claim? { place(of: id).map { claims[$0] } }
}
