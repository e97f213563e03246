import Dispatch
import DriveCore
import Glibc

// Carrying out what the arbiter decides.
extension FileClaims {
    /// Between looks for locks that other processes let go.
    private static let pause = DispatchTimeInterval.milliseconds(50)
    /// The same for locks that a process had which has just ended, for as long as that may take it.
    private static let shortPause = DispatchTimeInterval.milliseconds(1)

    /// `tells` unless it was apply's own claim, whose end frees nothing that apply was refused.
    func change(tells: Bool = true, _ body: (inout State) -> Void) {
        let (freed, rest) = state.withLock { state -> ((@Sendable (FreedItems) -> Void, FreedItems)?, Rest) in
            body(&state)
            let isFreed = self.carryOut(&state)
            endAdopting(&state)
            guard isFreed, tells, !state.refused.isEmpty else { return (nil, left(&state)) }
            defer { state.refused = FreedItems() }
            return (state.whenFreed.map { ($0, state.refused) }, left(&state))
        }
        if let (tell, freed) = freed { tell(freed) }
        finish(rest)
    }

    /// What is left to do after the lock.
    struct Rest {
        fileprivate var delivers: Bool
        fileprivate var polls: Bool
    }

    func left(_ state: inout State) -> Rest {
        let delivers = !state.isDelivering && !state.news.isEmpty
        if delivers { state.isDelivering = true }
        return Rest(delivers: delivers, polls: !state.unlocked.isEmpty)
    }

    /// Nobody is told anything under the lock. Whoever is told goes on, for which its task is locked; and who cancels a task
    /// locks it, and comes here.
    func finish(_ rest: Rest) {
        if rest.delivers { deliver() }
        if rest.polls { poll() }
    }

    /// For all threads, one at a time, so that each client gets its news in order.
    private func deliver() {
        while true {
            let news = state.withLock { state in
                defer { state.news = [] }
                if state.news.isEmpty { state.isDelivering = false }
                return state.news
            }
            if news.isEmpty { return }
            for (deliver, item) in news { deliver(item) }
        }
    }

    /// Whether something became free.
    func carryOut(_ state: inout State) -> Bool {
        var freed = false
        while true {
            let actions = state.arbiter.takeActions()
            if actions.isEmpty { return freed }
            for action in actions {
                switch action {
                case .unlock: freed = true
                case .grant(let id, _) where id.client == PreparedSyncing.client:
                    if syncingIsPrepared(id, &state) { freed = true }
                    continue
                default: break
                }
                perform(action, &state)
            }
        }
    }

    private func perform(_ action: Arbiter.Action, _ state: inout State) {
        switch action {
        case .lock(let id, let intents):
            if state.arbiter[id]?.request.isPreparation == true || take(id, intents, &state) {
                state.arbiter.locked(id)
            } else if state.locks?.isHopeless(intents, within: state.arbiter[id]?.request.outer ?? []) == true,
                state.arbiter[id]?.stage == .locking
            {
                state.arbiter.fail(id, .deadlock(intents[0].path))
            } else if state.arbiter[id] != nil {
                state.unlocked[id, default: []] += intents
            }
        case .unlock(let id):
            state.unlocked[id] = nil
            state.granted[id] = nil
            state.locks?.release(id)
        case .fail(let id, _) where id.client == PreparedSyncing.client: syncingIsRefused(id, &state)
        case .grant(let id, let intents):
            state.granted[id] = Self.now
            state.tell(id.client, .granted(id, intents))
        case .fail(let id, let error): state.tell(id.client, .failed(id, error))
        case .tell(let presenter, let notice): state.tell(presenter.client, .tell(presenter, notice))
        case .ask(let presenter, let number, let id, let question, let patience):
            state.tell(presenter.client, .ask(presenter, question: number, id, question))
            let end = DispatchTime.now() + .milliseconds(Int(clamping: patience))
            Self.timers.asyncAfter(deadline: end) { [weak self] in
                self?.change { $0.arbiter.timedOut(number) }
            }
        }
    }

    /// What was granted before has its locks first.
    func take(_ id: ClaimID, _ intents: [FileIntent], _ state: inout State) -> Bool {
        if state.arbiter[id]?.stage != .held || id.client == PreparedSyncing.client, waitsForOrphans(&state) {
            return false
        }
        let claim = state.arbiter[id]
        return state.locks?.take(id, intents, marked: claim?.before, within: claim?.request.outer ?? []) ?? true
    }

    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
    }

    /// The kernel does not tell when another process lets a lock go.
    func poll() {
        let (begins, pause) = state.withLock { state in
            defer { state.isPolling = true }
            let hurries = state.hurriesUntil.map { $0 > .now() } ?? false
            return (!state.isPolling, hurries ? Self.shortPause : Self.pause)
        }
        if begins { Self.timers.asyncAfter(deadline: .now() + pause) { [weak self] in self?.tryLocks() } }
    }

    private func tryLocks() {
        change { state in
            state.isPolling = false
            for (id, intents) in state.unlocked where take(id, intents, &state) {
                state.unlocked[id] = nil
                if id.client == PreparedSyncing.client {
                    // Apply has gone on; it is only told that it may try again.
                    state.arbiter.actions.append(.unlock(id))
                } else {
                    state.arbiter.locked(id)
                }
            }
        }
    }
}
