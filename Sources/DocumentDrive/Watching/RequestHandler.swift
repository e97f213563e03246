import DriveCore
import FileCoordination

/// What the watching process does when a command asks.
struct RequestHandler: Sendable {
    let loop: WatchLoop
    let announcements: Announcements
    let drive: Drive
    let board: StatusBoard
    let documents: DocumentFeed

    func handle(_ request: DriveRequest, _ reply: @Sendable (DriveReply) async -> Bool) async {
        do {
            switch request.verb {
            case .sync:
                let summary = try await asPart(of: request) { try await syncNow() }
                _ = await reply(DriveReply(summary: summary))
            case .status: _ = await reply(DriveReply(status: status))
            case .stop:
                _ = await reply(DriveReply())
                await loop.stop()
            case .barrier:
                try await loop.barrier()
                try await WorkThread().run { try drive.checkPause() }
                _ = await reply(DriveReply())
            case .retry:
                drive.access?.tryAgain()
                await loop.tryAgain()
                _ = await reply(DriveReply())
            case .read:
                try await drive.look()
                await loop.lookAgain()
                let outcome = try await documents.indexing.run(
                    retriesAll: true, isChecked: request.isThorough ?? false)
                _ = await reply(DriveReply(lines: outcome.obstacle.map { [$0] } ?? []))
            case .feed:
                documents.begin()
                _ = await reply(DriveReply(lines: board.status.documentsWaitFor.map { [$0] } ?? []))
            case .subscribe: await follow(reply)
            // The server's own.
            case .coordinate:
                throw DriveError(.temporary, "nothing can be coordinated here; restart what watches the drive")
            case .wait:
                try await asPart(of: request) {
                    try await wait(for: (request.paths ?? []).map { DrivePath(bytes: $0) }, reply)
                }
            case .act:
                guard let act = request.act else { throw DriveError(.usage, "the request names no act") }
                // The asker may be gone meanwhile, and what it wanted is not to be done whenever.
                let patience = ActPatience(
                    users: .milliseconds(min(request.patience ?? .max, 3_600_000)),
                    drive: request.drivePatience.map { .milliseconds(min($0, 1 << 40)) })
                let outcomes = try await asPart(of: request) {
                    try await carryOut(act, patience)
                }
                _ = await reply(DriveReply(lines: outcomes.map(\.line), outcomes: outcomes))
            }
        } catch { _ = await reply(DriveReply(error: ErrorReport(error))) }
    }

    /// Of the accesses that the asker is a part of.
    private func asPart<Result: Sendable>(
        of request: DriveRequest, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await DriveCoordination.joining(request.purposes ?? [], request.surroundings, body)
    }

    /// With another store in the settings, what watches is about to begin anew with it.
    private func syncNow(isHurried: Bool = true) async throws -> SyncSummary {
        do { return try await loop.syncNow(isHurried: isHurried) } catch let error as DriveError
            where error.kind == .identityChanged
        {
            guard try drive.settledStore.isOther else { throw error }
            throw DriveError(.temporary, "the drive's settings name another store, which is being taken up; try again")
        }
    }

    /// Whoever pauses wants nothing to be sent from now on, a large file neither.
    private func carryOut(_ act: DriveAct, _ patience: ActPatience) async throws -> [ActOutcome] {
        guard case .pause = act else { return try await drive.outcomes(of: act, patience) }
        return try await loop.precede { try await drive.outcomes(of: act, patience) }
    }

    private var status: RunningStatus {
        var status = board.status
        let uses = drive.coordination.claims.uses
        if !uses.isEmpty { status.uses = uses }
        return status
    }

    /// Says what is waited for after each pass, until nothing is or waiting does not help. Everything that was changed before
    /// the call counts.
    private func wait(for paths: [DrivePath], _ reply: @Sendable (DriveReply) async -> Bool) async throws {
        let isPaused = try await drive.engine.use { try $0.pause() != nil }
        // How a pass ended is remembered: why things wait is told below.
        if isPaused { try? await loop.barrier() } else { _ = try? await loop.syncNow(isHurried: false) }
        while !Task.isCancelled {
            let count = await loop.passCount
            let report = WaitReport(try DriveReader(drive.folder).waiting(for: paths, running: status))
            guard await reply(DriveReply(wait: report)), !report.isFinal else { return }
            guard await loop.passEnded(after: count) else {
                throw DriveError.isStopping
            }
        }
    }

    private func follow(_ reply: @Sendable (DriveReply) async -> Bool) async {
        let stream = announcements.listen()
        guard await reply(DriveReply()) else { return }
        for await announcement in stream {
            guard case .event(let event) = announcement else { continue }
            guard await reply(DriveReply(event: EventReport(event))) else { return }
        }
    }
}
