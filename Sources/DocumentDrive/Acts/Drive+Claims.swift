import DriveCore
import FileCoordination

// Acts and those who use the items.
extension Drive {
    /// Plans an act and does it, as an operation of its own. Where somebody uses one of its items it waits, without keeping the
    /// drive from anybody, and plans anew when it has them: until its patience is over, which throws `temporary`, or the task is
    /// cancelled. Does not wait for accesses that the running task is a part of.
    func act<Result: Sendable>(
        _ deadlines: ActDeadlines, _ plan: @escaping @Sendable (DriveParts) async throws -> PlannedAct<Result>
    ) async throws -> Result {
        var attempt = try await engine.use(until: deadlines.drive) { engine in
            try await self.attempt(plan, engine) { act in
                guard let claims = engine.parts.claims else { return try await act.run().0 }
                return try await claims.actAtOnce(act.claimed, beneath: self.folder.bytes, act.run)
            }
        }
        while true {
            switch attempt {
            case .done(let result): return result
            case .needs(let act):
                attempt = try await coordination.claiming(act.claimed, telling: act.intents, until: deadlines.users) {
                    coordinator, _ in
                    try await self.engine.use(until: deadlines.drive) { engine in
                        try await self.attempt(plan, engine) { again in
                            guard Set(again.claimed).isSubset(of: act.claimed) else { return nil }
                            let (result, moves) = try await again.run()
                            for (from, to) in moves { try? coordinator.itemDidMove(from: from, to: to) }
                            return result
                        }
                    }
                }
            }
        }
    }

    /// What comes before every act. Where it is to look for what one that was cut off has moved, and the store takes nothing, the
    /// bytes of what it finds wait here.
    func beginAct(_ engine: DriveEngine) async throws {
        try await EngineActs().begin(engine) { engine in
            try await recording(engine) { try await holding(engine) { _ = try await engine.scan() } }
        }
    }

    /// `run` returns nil where the items have to be waited for.
    private func attempt<Result: Sendable>(
        _ plan: (DriveParts) async throws -> PlannedAct<Result>, _ engine: DriveEngine,
        _ run: (PlannedAct<Result>) async throws -> Result?
    ) async throws -> Attempt<Result> {
        try await beginAct(engine)
        let act = try await plan(engine.parts)
        return try await run(act).map { .done($0) } ?? .needs(Wanted(claimed: act.claimed, intents: act.intents))
    }
}

private enum Attempt<Result: Sendable>: Sendable {
    case done(Result)
    case needs(Wanted)
}

private struct Wanted: Sendable {
    var claimed: [FileIntent]
    var intents: [FileIntent]
}

extension ContinuousClock.Instant {
    /// When a patience that begins now is over, however long or negative it is.
    static func end(of patience: Duration) -> Self { now + min(max(patience, .zero), .seconds(1 << 32)) }
}
