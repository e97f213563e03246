import DriveCore

/// What tells at a glance that a claim still waits.
private struct Witnesses {
    private let stages: [ClaimID: Claim.Stage]
    /// Of what somebody may wait for who cannot end before what waits for it.
    private let purposes: Set<String>

    init(_ claims: [Claim], _ presenters: [PresenterID: Presentation]) {
        var (stages, purposes) = ([ClaimID: Claim.Stage](), Set<String>())
        for claim in claims {
            stages[claim.id] = claim.stage
            switch claim.stage {
            case .held: purposes.insert(claim.request.purpose)
            case .asking: for id in claim.asked.values { if let one = presenters[id] { purposes.insert(one.purpose) } }
            case .waiting, .locking: break
            }
        }
        (self.stages, self.purposes) = (stages, purposes)
    }

    /// Who is a part of something else may overtake others, so that all of these are looked at.
    func keep(_ claim: Claim) -> Bool {
        guard let witness = claim.witness, let stage = stages[witness] else { return false }
        if stage == .held { return true }
        let request = claim.request
        return request.inside.isEmpty && request.joined?.isEmpty != false && !purposes.contains(request.purpose)
    }
}

// Whose turn it is.
extension Arbiter {
    /// Takes everybody as far as they can go.
    mutating func advance() {
        repeat { while step() {} } while failYoungestOfCycle()
    }

    /// One claim goes on; false where none can.
    private mutating func step() -> Bool {
        let witnesses = Witnesses(claims, presenters)
        for (place, claim) in claims.enumerated() {
            switch claim.stage {
            case .waiting where witnesses.keep(claim): continue
            case .waiting:
                // What came last is there longest.
                claims[place].witness = blockers(of: claim).max { $0.order < $1.order }?.id
                if claims[place].witness != nil { continue }
                claims[place].stage = .locking
                actions.append(.lock(claim.id, claim.request.intents))
            case .asking where claim.isAnswered && heldAgainst(claim).isEmpty:
                claims[place].stage = .held
                actions.append(.grant(claim.id, claim.request.intents))
            default: continue
            }
            return true
        }
        return false
    }

    /// What keeps a claim from its turn.
    func blockers(of claim: Claim) -> [Claim] {
        let needing = claimsThatNeed(claim)
        return conflicting(with: claim).filter { other in
            switch other.stage {
            case .held: true
            case .locking, .asking: !needing.contains(other.id)
            case .waiting: !waits(other, forAnyOf: needing)
            }
        }
    }

    /// Held claims that a claim may not be granted beside: a presenter that saves has overtaken it.
    func heldAgainst(_ claim: Claim) -> [Claim] { conflicting(with: claim).filter { $0.stage == .held } }

    /// All that conflict and were first, or are further.
    private func conflicting(with claim: Claim) -> [Claim] {
        claims.filter { other in
            other.id != claim.id && (other.stage != .waiting || other.order < claim.order)
                && other.request.conflicts(with: claim.request)
        }
    }

    /// Claims that cannot end before this one does: it is part of the access, or of what a presenter does to make way.
    private func claimsThatNeed(_ claim: Claim) -> Set<ClaimID> {
        Set(
            claims.filter { other in
                switch other.stage {
                case .held:
                    claim.request.belongsTo(other.request.purpose) || claim.request.inside.contains(other.id)
                case .asking:
                    other.asked.values.contains { presenters[$0].map { claim.request.belongsTo($0.purpose) } ?? false }
                case .waiting, .locking: false
                }
            }.map(\.id))
    }

    private func waits(_ claim: Claim, forAnyOf goals: Set<ClaimID>) -> Bool {
        if goals.isEmpty { return false }
        var (seen, open) = (Set([claim.id]), [claim])
        while let next = open.popLast() {
            for other in conflicting(with: next) {
                if goals.contains(other.id) { return true }
                if other.stage == .waiting, seen.insert(other.id).inserted { open.append(other) }
            }
        }
        return false
    }
}
