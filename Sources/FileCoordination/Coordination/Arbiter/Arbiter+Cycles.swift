import DriveCore

// Who waits for one another without end.
extension Arbiter {
    /// False where nobody does.
    mutating func failYoungestOfCycle() -> Bool {
        guard let victim = cycle()?.filter({ $0.stage != .held }).max(by: { $0.order < $1.order }) else { return false }
        fail(victim.id, .deadlock(victim.request.intents.first?.path ?? .root))
        return true
    }

    /// Claims each of which waits for the next, and the last for the first.
    private func cycle() -> [Claim]? {
        // What is a part of nothing waits for what was before it, which never leads back.
        guard claims.contains(where: { !$0.request.inside.isEmpty || $0.request.answering != nil }) else { return nil }
        var done: Set<ClaimID> = []
        for start in claims where start.stage == .waiting || start.stage == .asking {
            var path: [Claim] = []
            if let cycle = cycle(from: start, &path, &done) { return cycle }
        }
        return nil
    }

    private func cycle(from claim: Claim, _ path: inout [Claim], _ done: inout Set<ClaimID>) -> [Claim]? {
        if let place = path.firstIndex(where: { $0.id == claim.id }) { return Array(path[place...]) }
        guard !done.contains(claim.id) else { return nil }
        path.append(claim)
        for next in awaited(by: claim) { if let cycle = cycle(from: next, &path, &done) { return cycle } }
        path.removeLast()
        done.insert(claim.id)
        return nil
    }

    /// What has to end, or to be granted, before this claim can go on.
    private func awaited(by claim: Claim) -> [Claim] {
        switch claim.stage {
        case .waiting: return blockers(of: claim)
        case .locking: return []
        case .asking:
            if claim.isAnswered { return heldAgainst(claim) }
            // A presenter answers one question after the other.
            let busy = Set(claim.asked.values)
            let questions = Set(claims.flatMap { $0.asked.filter { busy.contains($0.value) }.keys })
            return claims.filter { $0.request.answering.map(questions.contains) ?? false }
        case .held: return claims.filter { $0.request.inside.contains(claim.id) && $0.stage != .held }
        }
    }
}
