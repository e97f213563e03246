public import DriveCore
import Synchronization

/// Gives items of a drive to one user at a time, as `NSFileCoordinator`: readers share an item, a writer has it alone.
///
/// Coordination is an agreement among programs that use it, syncing among them: while a body reads, nobody of them
/// writes, and syncing does not replace, move or remove the item. Other programs are not kept from anything; against
/// them the drive checks each item right before and after it touches it.
///
///     let coordinator = drive.coordination.coordinator()
///     try await coordinator.coordinate(writing: "Letters/Budget.ods") { item in try data.write(to: item.url) }
///
/// A coordinator is for one operation. Claims that belong together are made in one call: nested ones of two programs can
/// end in a deadlock, which fails the youngest of them with `CoordinationError.deadlock`.
public final class FileCoordinator: Sendable {
    /// Equal purposes never wait for one another, in whichever process they are.
    public let purpose: String
    let coordination: DriveCoordination
    private let presenter: (any FilePresenter)?
    /// Does not wait for the accesses that the running task is a part of.
    private let isPart: Bool

    private struct State {
        var isCancelled = false
        var waiting: [ClaimID: ClaimClient] = [:]
        /// Who looks for the arbiter.
        var looking: [Int: Task<ClaimClient, any Error>] = [:]
        var lastLook = 0
        var held: [ClaimID: (client: ClaimClient, intents: [FileIntent])] = [:]
    }

    private let state = Mutex(State())

    init(
        _ coordination: DriveCoordination, _ presenter: (any FilePresenter)?, _ purpose: String, isPart: Bool = false
    ) {
        self.coordination = coordination
        self.presenter = presenter
        self.purpose = purpose
        self.isPart = isPart
    }

    /// Runs the body while nobody writes the item; presenters have saved before, unless `withoutChanges`. Use the place that
    /// the body gets: the item may have moved while it was waited for.
    public func coordinate<Result: Sendable>(
        reading path: DrivePath, options: ReadingOptions = [],
        _ body: (CoordinatedItem) async throws -> Result
    ) async throws -> Result {
        try await coordinate([.reading(path, options: options)]) { try await body($0[0]) }
    }

    /// Runs the body while nobody else uses the item.
    public func coordinate<Result: Sendable>(
        writing path: DrivePath, options: WritingOptions = .plain,
        _ body: (CoordinatedItem) async throws -> Result
    ) async throws -> Result {
        try await coordinate([.writing(path, options: options)]) { try await body($0[0]) }
    }

    /// Runs the body while it has all of these, in the order given. A move claims the item `forMoving` and its new
    /// place `forReplacing`, and tells of it with `itemDidMove`.
    public func coordinate<Result: Sendable>(
        _ intents: [FileIntent], _ body: ([CoordinatedItem]) async throws -> Result
    ) async throws -> Result {
        try await coordinate(intents, telling: nil, body)
    }

    /// `telling`: what is looked at before and after for those who show it, where that is not what is claimed.
    package func coordinate<Result: Sendable>(
        _ intents: [FileIntent], telling told: [FileIntent]?, _ body: ([CoordinatedItem]) async throws -> Result
    ) async throws -> Result {
        let resolved = try intents.map { try LinkTarget.resolving($0, beneath: coordination.root) }
        let (client, id, granted) = try await claim(resolved, isPreparation: false)
        let access = HeldAccess(granted, root: coordination.root)
        let looked = told.map { HeldAccess($0, root: coordination.root) } ?? access
        do {
            let result = try await inside(id, granted) {
                try await access.run(body) { self.end(client, id, looked.report) }
            }
            end(client, id, looked.report)
            return result
        } catch {
            end(client, id, looked.report)
            throw error
        }
    }

    /// Has presenters of many items, and of what is in them, get ready at once; then runs the body, which claims them one
    /// by one, reading `withoutChanges`. Holds nothing itself.
    public func prepare<Result: Sendable>(
        reading: [DrivePath] = [], readingOptions: ReadingOptions = [], writing: [DrivePath] = [],
        writingOptions: WritingOptions = .plain, _ body: () async throws -> Result
    ) async throws -> Result {
        guard !readingOptions.contains(.resolvesSymbolicLink), writingOptions != .forReplacing else {
            throw DriveError(
                .usage, "items cannot be prepared for that; leave out resolvesSymbolicLink and forReplacing",
                path: (reading + writing).first?.description)
        }
        let intents =
            reading.map { FileIntent.reading($0, options: readingOptions) }
            + writing.map { FileIntent.writing($0, options: writingOptions) }
        let (client, id, _) = try await claim(intents, isPreparation: true)
        defer { end(client, id, AccessReport()) }
        return try await body()
    }

    /// Whoever waits through this coordinator, and whoever asks it later, gets a `CancellationError`. Bodies that run are
    /// not interrupted. May be called from anywhere.
    public func cancel() {
        let (waiting, looking) = state.withLock { state in
            state.isCancelled = true
            return (state.waiting, state.looking)
        }
        for task in looking.values { task.cancel() }
        for (id, client) in waiting { client.cancel(id) }
    }

    /// Tells that the body of a coordinated write has moved an item: whoever waits for it follows, presenters learn of it.
    /// Saying it twice does no harm.
    public func itemDidMove(from: DrivePath, to: DrivePath) throws {
        let holder = state.withLock { state in
            state.held.first { $0.value.intents.contains { $0.isWriting && from.isInside($0.path.coordinatedItem) } }
        }
        guard let holder else {
            throw DriveError(
                .usage, "moves are told by the body of a coordinated write of the item; claim it for moving",
                path: from.description)
        }
        holder.value.client.moved(ItemMove(from: from, to: to), by: holder.key)
    }

    /// Tells everybody who shows the item, this coordinator's presenter too, what happened to a version of it.
    public func itemVersions(at path: DrivePath, _ news: VersionNews) async {
        // Only who is cancelled meanwhile finds no arbiter.
        try? await coordination.client().announce(path, news)
    }
}

// Claims.
extension FileCoordinator {
    /// Much longer than a holder needs to notice that its arbiter has ended (`FileClaims.pause`).
    private static let handover = Duration.milliseconds(500)

    private func claim(
        _ intents: [FileIntent], isPreparation: Bool
    ) async throws -> (ClaimClient, ClaimID, [FileIntent]) {
        for intent in intents where !intent.path.components.allSatisfy(\.isValid) {
            throw DriveError(
                .usage, "no item of a drive has such a path; name it from the drive's folder, without `..`",
                path: intent.path.description)
        }
        while true {
            let client = try await client()
            var request = ClaimRequest(purpose: purpose, intents: intents)
            request.isPreparation = isPreparation
            request.inside = TaskPart.current.inside.map(\.claim)
            request.answering = TaskPart.current.answering
            if isPart { (request.joined, request.outer) = (TaskPart.current.purposes, TaskPart.current.outer) }
            if let presenter, let number = await coordination.number(of: presenter) {
                request.presenter = client.id(ofPresenter: number)
            }
            let id = client.newID()
            guard begin(client, id) else { throw CancellationError() }
            defer { state.withLock { _ = $0.waiting.removeValue(forKey: id) } }
            do {
                let intents = try await client.claim(id, request) { self.state.withLock { !$0.isCancelled } }
                state.withLock { $0.held[id] = (client, intents) }
                return (client, id, intents)
            } catch is ClaimClient.ArbiterEnded {
                // The next one is asked, once who holds something has had the time to take its lock.
                try await Task.sleep(for: Self.handover)
            }
        }
    }

    /// A process that is stopped, and would be the arbiter, keeps nobody who is cancelled.
    private func client() async throws -> ClaimClient {
        // A task of its own, for `cancel` to reach: it knows none of the tasks that call.
        let task = Task { [coordination, asker = TaskPart.current.asker] in
            if let asker = await coordination.asker(asker) { return asker }
            return try await coordination.client()
        }
        let number = state.withLock { state in
            state.lastLook += 1
            state.looking[state.lastLook] = task
            if state.isCancelled { task.cancel() }
            return state.lastLook
        }
        defer { state.withLock { _ = $0.looking.removeValue(forKey: number) } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func begin(_ client: ClaimClient, _ id: ClaimID) -> Bool {
        state.withLock { state in
            if state.isCancelled { return false }
            state.waiting[id] = client
            return true
        }
    }

    /// Once; more do nothing.
    private func end(_ client: ClaimClient, _ id: ClaimID, _ report: AccessReport) {
        let isFirst = state.withLock { $0.held.removeValue(forKey: id) != nil }
        if isFirst { client.release(id, report) }
    }

    private func inside<Result: Sendable>(
        _ id: ClaimID, _ granted: [FileIntent], _ body: () async throws -> Result
    ) async throws -> Result {
        var part = TaskPart.current
        part.inside.append(Enclosure(claim: id, places: ClaimLocks.places(of: granted)))
        part.purposes.insert(purpose)
        return try await TaskPart.$current.withValue(part, operation: body)
    }
}
