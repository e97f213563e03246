import DriveCore

/// An item moved, with all that is in it.
struct ItemMove: Hashable, Sendable, Codable {
    var from: DrivePath
    var to: DrivePath
    /// Else it is on its way, and presenters learn of it when it has arrived.
    var isTold = true
}

// Items that move while others wait for them.
extension Arbiter {
    /// Whoever holds `mover` has moved an item: whoever waits for it follows, except those who wait for the name. Nothing
    /// follows from a move that is not its to tell.
    mutating func moved(_ move: ItemMove, by mover: ClaimID) {
        guard mover.client == PreparedSyncing.client || self[mover]?.mayMove(move.from) == true else { return }
        let had = self[mover]?.request.intents.count ?? 0
        follow(move) { _ in true }
        let claim = self[mover]
        tellOfMove(move, except: claim)
        if let claim, claim.request.intents.count > had {
            actions.append(.lock(mover, Array(claim.request.intents[had...])))
        }
        advance()
    }

    /// The access is over, and what it has moved, in this order, was its to move. It needs nothing at the new places any more.
    mutating func release(_ mover: ClaimID, moved moves: [ItemMove], _ report: AccessReport) {
        let claim = self[mover]
        for move in moves {
            follow(move) { $0.id != mover }
            tellOfMove(move, except: claim)
        }
        release(mover, report)
    }

    private mutating func follow(_ move: ItemMove, _ follows: (Claim) -> Bool) {
        index = nil
        for place in claims.indices where follows(claims[place]) {
            // They may be about other items now.
            claims[place].witness = nil
            if claims[place].stage == .held {
                claims[place].request.extend(move.from, to: move.to)
            } else {
                claims[place].request.follow(move.from, to: move.to)
            }
        }
    }

    private mutating func tellOfMove(_ move: ItemMove, except claim: Claim?) {
        let (from, to) = (move.from, move.to)
        for (id, presentation) in presenters {
            guard let place = presentation.path else { continue }
            if let new = place.moved(from, to: to) {
                presenters[id]?.path = new
                if move.isTold, tells(claim, id) { actions.append(.tell(id, .didMove(new))) }
            } else if move.isTold, tells(claim, id), from.isInside(place) || to.isInside(place) {
                actions.append(.tell(id, .subitemDidMove(from, to)))
            }
        }
    }
}

extension Claim {
    fileprivate func mayMove(_ path: DrivePath) -> Bool {
        stage == .held && request.intents.contains { $0.isWriting && path.isInside($0.path.coordinatedItem) }
    }
}

extension ClaimRequest {
    fileprivate mutating func follow(_ from: DrivePath, to: DrivePath) {
        for place in intents.indices where intents[place].writing != .forReplacing {
            if let path = intents[place].path.moved(from, to: to) { intents[place].path = path }
        }
    }

    /// What was held stays so, at its old and at its new place.
    fileprivate mutating func extend(_ from: DrivePath, to: DrivePath) {
        for intent in intents {
            guard let path = intent.path.moved(from, to: to) else { continue }
            let new = FileIntent(path: path, access: intent.access)
            if !intents.contains(new) { intents.append(new) }
        }
    }
}

extension DrivePath {
    /// Where the path is after a move; nil where the move does not concern it.
    func moved(_ from: DrivePath, to: DrivePath) -> DrivePath? {
        isInside(from) ? DrivePath(to.components + components.dropFirst(from.components.count)) : nil
    }
}
