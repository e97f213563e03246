import DriveCore

// What presenters are asked and told.
extension Arbiter {
    mutating func present(_ id: PresenterID, _ presentation: Presentation) {
        // Whoever is a part of what it does may be another one now.
        if let known = presenters[id], known.purpose != presentation.purpose {
            for place in claims.indices { claims[place].witness = nil }
        }
        presenters[id] = presentation
    }

    /// Nobody waits for it any more.
    mutating func withdraw(_ id: PresenterID) {
        forget(id)
        advance()
    }

    mutating func forget(_ id: PresenterID) {
        presenters[id] = nil
        late = late.filter { $0.value != id }
        for place in claims.indices {
            claims[place].stopAsking(id)
            claims[place].reacquirers.removeAll { $0 == id }
        }
    }

    /// Who is asked this, or was.
    func presenter(ofQuestion question: UInt64) -> PresenterID? {
        late[question] ?? claims.lazy.compactMap { $0.asked[question] }.first
    }

    /// Also after the time was up: then it answers again from now on.
    mutating func answered(_ question: UInt64, _ answer: PresenterAnswer, to claim: ClaimID) {
        if let presenter = late.removeValue(forKey: question) {
            presenters[presenter]?.isUnresponsive = false
            if answer.reacquires { reacquireLate(presenter, claim) }
            return
        }
        guard let place = place(of: claim), let presenter = claims[place].asked.removeValue(forKey: question) else {
            return
        }
        if answer.reacquires { claims[place].reacquirers.append(presenter) }
        if let failure = answer.failure {
            fail(claim, .presenterFailed(presenters[presenter]?.path ?? .root, failure))
        } else {
            askNext(presenter, claim)
        }
        advance()
    }

    private mutating func reacquireLate(_ presenter: PresenterID, _ claim: ClaimID) {
        if let place = place(of: claim) {
            claims[place].reacquirers.append(presenter)
        } else {
            actions.append(.tell(presenter, .reacquire(claim)))
        }
    }

    /// Readers go on without a presenter that does not answer, writers fail.
    mutating func timedOut(_ question: UInt64) {
        guard let presenter = presenter(ofQuestion: question) else { return }
        presenters[presenter]?.isUnresponsive = true
        for claim in claims where claim.asked.values.contains(presenter) {
            for (question, asked) in claim.asked where asked == presenter { late[question] = presenter }
            pass(over: presenter, claim)
        }
        advance()
    }

    private mutating func pass(over presenter: PresenterID, _ claim: Claim) {
        let path = presenters[presenter]?.path ?? .root
        if claim.mayPassOver(path) {
            // What it let go it gets back all the same.
            if let place = place(of: claim.id) { claims[place].stopAsking(presenter) }
        } else {
            fail(claim.id, .presenterUnresponsive(path))
        }
    }

    /// Whether somebody has to be asked before this is done.
    func concernsPresenters(_ request: ClaimRequest) -> Bool {
        presenters.values.contains { presentation in
            // Who has not answered is not asked again; who may not do without its answer fails for it.
            guard let path = presentation.path, !presentation.isUnresponsive || !request.passesOver,
                !request.isPart(of: presentation)
            else { return false }
            return !request.questions(for: path).isEmpty
        }
    }

    mutating func beginAsking(_ id: ClaimID) {
        guard let claim = self[id], let place = place(of: id) else { return }
        for (presenter, presentation) in presenters where presenter != claim.request.presenter {
            guard let path = presentation.path, !claim.request.isPart(of: presentation) else { continue }
            let questions = claim.request.questions(for: path)
            if !questions.isEmpty { claims[place].toAsk[presenter] = questions }
        }
        for presenter in claims[place].toAsk.keys {
            if presenters[presenter]?.isUnresponsive == true {
                pass(over: presenter, claim)
            } else {
                askNext(presenter, id)
            }
        }
    }

    private mutating func askNext(_ presenter: PresenterID, _ id: ClaimID) {
        guard let place = place(of: id), var rest = claims[place].toAsk[presenter] else { return }
        let next = rest.removeFirst()
        claims[place].toAsk[presenter] = rest.isEmpty ? nil : rest
        lastQuestion += 1
        claims[place].asked[lastQuestion] = presenter
        noteNeeded(place)
        let patience = presenters[presenter]?.patience ?? 0
        actions.append(.ask(presenter, question: lastQuestion, id, next, patience: patience))
    }

    func tells(_ claim: Claim?, _ presenter: PresenterID) -> Bool {
        guard let claim else { return true }
        return claim.request.presenter != presenter && presenters[presenter].map(claim.request.isPart) != true
    }

    /// Whoever shows the item, or another part of its package, learns that it changed; whoever shows a folder around it
    /// gets the notice.
    mutating func tell(of path: DrivePath, in notice: PresenterNotice, except claim: Claim?) {
        for (id, presentation) in presenters where tells(claim, id) {
            guard let place = presentation.path else { continue }
            if place != path, path.isInside(place) {
                actions.append(.tell(id, notice))
            } else if place.coordinatedItem == path.coordinatedItem {
                actions.append(.tell(id, .didChange))
            }
        }
    }

    /// Everybody is told, also whoever it was that changed the versions.
    mutating func announce(_ news: VersionNews, of path: DrivePath) {
        for (id, presentation) in presenters {
            guard let place = presentation.path, path.isInside(place) else { continue }
            actions.append(.tell(id, place == path ? .version(news) : .subitemVersion(path, news)))
        }
    }
}

extension ClaimRequest {
    /// Whether it is done within an access of the presenter's own.
    func isPart(of presentation: Presentation) -> Bool { joined?.contains(presentation.purpose) == true }

    /// In the order in which one presenter is asked: it lets go, saves, and makes room.
    fileprivate func questions(for place: DrivePath) -> [PresenterQuestion] {
        var questions: [PresenterQuestion] = []
        for intent in intents {
            for question in intent.questions(for: place, isPreparation: isPreparation)
            where !questions.contains(question) { questions.append(question) }
        }
        return questions.sorted { $0.rank < $1.rank }
    }
}

extension PresenterQuestion {
    fileprivate var rank: Int {
        switch self {
        case .relinquishToReader, .relinquishToWriter: 0
        case .save: 1
        case .accommodateDeletion, .accommodateSubitemDeletion: 2
        }
    }
}

extension Claim {
    fileprivate mutating func stopAsking(_ presenter: PresenterID) {
        toAsk[presenter] = nil
        asked = asked.filter { $0.value != presenter }
    }

    /// Whoever only reads what the presenter shows may do without its answer.
    fileprivate func mayPassOver(_ place: DrivePath) -> Bool {
        request.passesOver
            || request.intents.allSatisfy { intent in
                !intent.isWriting || intent.questions(for: place, isPreparation: request.isPreparation).isEmpty
            }
    }
}
