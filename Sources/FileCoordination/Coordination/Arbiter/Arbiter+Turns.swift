import DriveCore

// Whose turn it is.
extension Arbiter {
    /// Takes everybody as far as they can go.
    mutating func advance() {
        repeat { while step() {} } while failYoungestOfCycle()
    }

    /// One claim goes on; false where none can.
    private mutating func step() -> Bool {
        guard claims.contains(where: { $0.stage == .waiting }) else { return grantAnswered() }
        let waits = Waits(claims, presenters, index)
        defer { note(waits) }
        for (place, claim) in waits.claims.enumerated() {
            switch claim.stage {
            case .waiting where waits.keepsWaiting(claim): continue
            case .waiting:
                let witness = waits.lastBlocker(of: place)
                setWitness(witness.map { waits.claims[$0].id }, of: place)
                if witness != nil { continue }
                claims[place].stage = .locking
                actions.append(.lock(claim.id, claim.request.intents))
            case .asking where claim.isAnswered && !waits.isHeldAgainst(place): grant(place)
            default: continue
            }
            return true
        }
        return false
    }

    /// Where nobody waits for others, nobody has to be compared with all.
    private mutating func grantAnswered() -> Bool {
        let place = claims.indices.first { place in
            let claim = claims[place]
            return claim.stage == .asking && claim.isAnswered
                && !claims.contains { $0.stage == .held && $0.request.conflicts(with: claim.request) }
        }
        place.map { grant($0) }
        return place != nil
    }

    private mutating func grant(_ place: Int) {
        claims[place].stage = .held
        noteNeeded(place)
        actions.append(.grant(claims[place].id, claims[place].request.intents))
    }

    /// False where nobody waits for itself.
    private mutating func failYoungestOfCycle() -> Bool {
        guard claims.contains(where: { $0.stage == .waiting || $0.stage == .asking }),
            claims.contains(where: \.isPart)
        else { return false }
        let waits = Waits(claims, presenters, index)
        let victim = waits.cycle()?.filter { claims[$0].stage != .held }.max()
        note(waits)
        guard let victim else { return false }
        fail(claims[victim].id, .deadlock(claims[victim].request.intents.first?.path ?? .root))
        return true
    }

    /// What was found out about items holds until a claim comes, goes or is about others.
    private mutating func note(_ waits: Waits) {
        index = waits.known
        looks += waits.looks
    }
}
