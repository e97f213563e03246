import DriveCore

// Whose turn it is.
extension Arbiter {
    /// Takes everybody as far as they can go.
    mutating func advance() {
        repeat { while step() {} } while failYoungestOfCycle()
    }

    /// One claim goes on; false where none can.
    private mutating func step() -> Bool {
        for (place, claim) in claims.enumerated() {
            switch claim.stage {
            case .waiting where blockers(of: claim).isEmpty:
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
