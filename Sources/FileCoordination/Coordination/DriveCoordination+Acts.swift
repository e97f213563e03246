import DriveCore
import Synchronization

extension DriveCoordination {
    /// Runs the body while nobody else uses the items, as part of whatever access it is asked for in. Throws `temporary`, which
    /// names who uses one of them, where they are not free in time.
    package nonisolated func claiming<Result: Sendable>(
        _ intents: [FileIntent], telling told: [FileIntent]? = nil, until deadline: ContinuousClock.Instant?,
        _ body: (FileCoordinator, [CoordinatedItem]) async throws -> Result
    ) async throws -> Result {
        let coordinator = coordinatorOfAct()
        let alarm = deadline.map { Alarm(at: $0) { coordinator.cancel() } }
        defer { alarm?.stop() }
        do {
            return try await coordinator.coordinate(intents, telling: told) { items in
                alarm?.stop()
                return try await body(coordinator, items)
            }
        } catch let error as CoordinationError {
            throw DriveError(.temporary, error.message, path: error.path.description)
        } catch is CancellationError where alarm?.hasRung == true && !Task.isCancelled {
            throw await inUse(intents)
        }
    }

    private nonisolated func inUse(_ intents: [FileIntent]) async -> DriveError {
        // The process that watches has the locks of whom it lets use items, and knows who they are.
        let known = await usesAtWatcher().filter { use in intents.contains { use.concerns($0.path) } }
        let use = known.first ?? claims.uses(inTheWayOf: intents).first
        return DriveError(
            .temporary,
            "\(use?.user.words ?? "another program") uses it, so that nothing was changed; end that, and try again",
            path: (use?.path ?? intents.first?.path)?.description)
    }
}

/// Calls back at a time, unless it is stopped before.
private final class Alarm: Sendable {
    private let rung = Atomic(false)
    private let clock: Mutex<Task<Void, any Error>?> = Mutex(nil)

    var hasRung: Bool { rung.load(ordering: .relaxed) }

    init(at time: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void) {
        let task = Task { [weak self] in
            try await Task.sleep(until: time, clock: .continuous)
            self?.rung.store(true, ordering: .relaxed)
            body()
        }
        clock.withLock { $0 = task }
    }

    func stop() { clock.withLock { $0 }?.cancel() }
}
