import Dispatch

// What an arbiter had granted that is gone.
extension FileClaims {
    /// So long the locks of a process that has just ended are looked for all the time.
    private static let hurry = DispatchTimeInterval.seconds(1)

    /// What another arbiter granted as `before`, until it ended. Its locks follow as soon as nobody has them.
    func adopt(_ id: ClaimID, _ request: ClaimRequest, before: ClaimID? = nil) {
        change { state in
            state.hurriesUntil = .now() + Self.hurry
            state.granted[id] = Self.now
            state.arbiter.adopt(id, request, before: before)
        }
    }

    /// Whether something is asked for, or held, at an arbiter in another process.
    func setAsking(_ isAsking: Bool, arbiter: Int32) {
        state.withLock { $0.locks?.setAsking(isAsking, arbiter: arbiter) }
    }

    /// All that this process had of the arbiter is adopted. Others are kept away until there are locks for it.
    func lost(arbiter: Int32) { change { $0.lost = arbiter } }

    /// Whether somebody who holds what an arbiter granted that is gone may be about to take its locks.
    func waitsForOrphans(_ state: inout State) -> Bool {
        guard !state.isServing || state.mayFollow, state.locks?.areOrphans == true else {
            (state.orphansUntil, state.mayFollow) = (nil, false)
            return false
        }
        let end = state.orphansUntil ?? .now() + handover
        state.orphansUntil = end
        return .now() < end
    }

    func endAdopting(_ state: inout State) {
        guard let arbiter = state.lost, !state.unlocked.keys.contains(where: { state.arbiter[$0]?.stage == .held })
        else { return }
        state.lost = nil
        state.locks?.setAsking(false, arbiter: arbiter)
    }
}
