import Dispatch
import DriveCore

/// Apply uses items as everybody does, but never waits for them.
extension FileClaims {
    /// Without waiting; nil where somebody uses one of them. Whoever shows one is asked, and apply is told when it may try
    /// again.
    func trySyncing(_ intents: [FileIntent], joining purposes: Set<String> = []) -> ClaimID? {
        let (id, rest) = state.withLock { state -> (ClaimID?, Rest?) in
            if let id = state.prepared.take(intents) { return (id, nil) }
            let id = self.trySyncing(intents, purposes, &state)
            if id == nil { state.refused.concernsApply = true }
            return (id, left(&state))
        }
        if let rest { finish(rest) }
        return id
    }

    private func trySyncing(_ intents: [FileIntent], _ purposes: Set<String>, _ state: inout State) -> ClaimID? {
        let id = state.prepared.newID()
        let request = request(intents, purposes)
        if state.arbiter.concernsPresenters(request) {
            if state.prepared.begin(id, intents) {
                state.arbiter.claim(id, request)
                _ = carryOut(&state)
            }
            return nil
        }
        if self.claim(id, request, &state) { return id }
        if state.arbiter.isFree(request) { awaitLocks(id, intents, &state) }
        return nil
    }

    /// Another process has the items: syncing is told when they can be had.
    func awaitLocks(_ id: ClaimID, _ intents: [FileIntent], _ state: inout State) {
        if !state.unlocked.values.contains(intents) { state.unlocked[id] = intents }
    }

    func request(_ intents: [FileIntent], _ purposes: Set<String> = []) -> ClaimRequest {
        ClaimRequest(purpose: "docdrive.sync", intents: intents, passesOver: true, joined: purposes)
    }

    func claim(_ id: ClaimID, _ request: ClaimRequest, _ state: inout State) -> Bool {
        guard state.arbiter.tryClaim(id, request) else { return false }
        let outer = request.outer ?? []
        if !waitsForOrphans(&state), state.locks?.takeBriefly(id, request.intents, within: outer) ?? true {
            return true
        }
        state.arbiter.forgetTrial(id)
        return false
    }

    /// Around many claims of apply, one after the other; processes that want a folder alone wait for the end of all.
    func syncingMany(_ isBegin: Bool) { state.withLock { $0.locks?.lingers = isBegin } }

    /// What apply did becomes known to whoever shows the items.
    func endSyncing(_ id: ClaimID, _ report: AccessReport, moved: ItemMove? = nil) {
        change(tells: false) { state in
            if let moved { state.arbiter.moved(moved, by: id) }
            state.arbiter.release(id, report)
        }
    }
}

// What presenters are asked for before apply comes again.
extension FileClaims {
    /// How long presenters wait for syncing that they made way for.
    private static let patience = DispatchTimeInterval.seconds(10)

    /// Apply comes at once when it was told of all, and soon where some are still asked: each time it looks at everything.
    private static let soon = DispatchTimeInterval.milliseconds(500)

    /// Everybody who shows them has made way for syncing; not for long, if it does not come. Whether it is told at once.
    func syncingIsPrepared(_ id: ClaimID, _ state: inout State) -> Bool {
        guard let intents = state.prepared.grant(id) else { return false }
        // Who did not answer in time is not waited for: nothing is kept for apply.
        if !state.arbiter.concernsPresenters(request(intents)) {
            if state.prepared.expire(id) { state.arbiter.release(id) }
        } else {
            expireLater(id)
        }
        if state.prepared.areAllGranted { return true }
        if !state.prepared.isTelling {
            state.prepared.isTelling = true
            Self.timers.asyncAfter(deadline: .now() + Self.soon) { [weak self] in
                self?.change { state in
                    state.prepared.isTelling = false
                    state.arbiter.actions.append(.unlock(state.prepared.newID()))
                }
            }
        }
        return false
    }

    private func expireLater(_ id: ClaimID) {
        Self.timers.asyncAfter(deadline: .now() + Self.patience) { [weak self] in
            guard let self else { return }
            change { state in
                // Where they are many it takes apply a while to come for all.
                if let last = state.prepared.lastCall, last + Self.patience > .now() {
                    if state.prepared.isThere(id) { expireLater(id) }
                } else if state.prepared.expire(id) {
                    state.arbiter.release(id)
                }
            }
        }
    }

    func syncingIsRefused(_ id: ClaimID, _ state: inout State) {
        guard let intents = state.prepared.refuse(id) else { return }
        Self.timers.asyncAfter(deadline: .now() + refusal) { [weak self] in
            self?.change { state in
                // Apply has gone on; it is only told that it may try again.
                if state.prepared.askAgain(intents) { state.arbiter.actions.append(.unlock(id)) }
            }
        }
    }

    /// Somebody shows something else from now on, or has saved.
    func presentersChange(_ state: inout State) {
        if state.prepared.askAgain() { state.arbiter.actions.append(.unlock(state.prepared.newID())) }
    }

    /// Where nobody is left who made way, since they ended, or did not answer in time, nothing is kept for apply.
    func dropNeedless(_ state: inout State) {
        for (id, intents) in state.prepared.allGranted where !state.arbiter.concernsPresenters(request(intents)) {
            if state.prepared.expire(id) { state.arbiter.release(id) }
        }
    }

    /// Apply does not come any more, since the drive is closed.
    public func endPreparing() {
        change { state in
            for id in state.prepared.dropAll() {
                state.arbiter.cancel(id)
                state.arbiter.release(id)
            }
            state.unlocked = state.unlocked.filter { $0.key.client != PreparedSyncing.client }
        }
    }
}
