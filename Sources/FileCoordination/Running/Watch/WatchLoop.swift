import Dispatch
public import DriveCore

/// Keeps a drive in step until it is cancelled or told to stop: hints about folder and store become passes.
///
/// Hints say where to look and nothing else; every pass finds out what is true. What fails because the world is in the
/// way is tried again, later each time, and `status` says so.
public actor WatchLoop {
    private let engine: SyncEngine
    private let pass: any WatchPass
    private let board: StatusBoard
    private let clock: any WallClock
    private var schedule: WatchSchedule
    private var requests: [Request] = []
    private var barriers: [Barrier] = []
    /// Who waits for the end of a pass.
    private var onlookers: [CheckedContinuation<Void, Never>] = []
    /// Passes that have ended, well or not.
    public private(set) var passCount = 0
    private var watcher: (any FolderWatcher)?
    private var isStopped = false
    /// The watches have stood once.
    private var isCovered = false
    private var armed: ContinuousClock.Instant?
    private let precedence = Precedence()
    private let bell: AsyncStream<Void>
    private let ring: AsyncStream<Void>.Continuation
    private static let timers = DispatchQueue(label: "docdrive.timers")

    public init(
        _ engine: SyncEngine, pass: any WatchPass, board: StatusBoard, clock: any WallClock,
        pace: WatchPace = WatchPace()
    ) {
        self.engine = engine
        self.pass = pass
        self.board = board
        self.clock = clock
        schedule = WatchSchedule(pace: pace, now: .now)
        schedule.rescan(now: .now)
        (bell, ring) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Returns when stopped; throws what no later try can mend. `hints` brings news about the store.
    public func run(_ watcher: any FolderWatcher, hints: AsyncStream<Void>) async throws {
        self.watcher = watcher
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await event in watcher.events { await self.note(event) }
                throw WatchEnded()
            }
            group.addTask {
                for await _ in hints { await self.hint() }
                // Without hints the store is asked now and then.
                try await Task.sleep(for: .seconds(1 << 40))
            }
            group.addTask {
                try await self.work {
                    // Called by the engine while the loop waits for it, so that events are still taken.
                    guard await watcher.barrier() else { return nil }
                    return await self.touchedNames
                }
            }
            defer {
                group.cancelAll()
                refuseRequests()
            }
            do { try await group.next() } catch is WatchEnded {
                guard isStopped || Task.isCancelled else {
                    throw DriveError(
                        .temporary, "the process that looks for changes was stopped; start `docdrive watch` again")
                }
            }
        }
    }

    private struct WatchEnded: Error {}

    private var touchedNames: TouchedPaths? { schedule.touchedNames }

    /// A whole pass as soon as the one under way is done; returns how it ended. Accesses that the running task is a part of
    /// keep nothing from being read. Hurried, it takes files that programs have open as they are.
    public func syncNow(isHurried: Bool = true) async throws -> SyncSummary {
        if isStopped { throw DriveError.isStopping }
        let (purposes, outer) = (DriveCoordination.purposes, DriveCoordination.outer)
        let result = await withCheckedContinuation { continuation in
            requests.append(
                Request(purposes: purposes, outer: outer, isHurried: isHurried, continuation: continuation))
            ring.yield()
        }
        return try result.get()
    }

    private struct Request {
        /// Of the accesses that it is a part of.
        var purposes: Set<String>
        var outer: [Enclosure]
        var isHurried: Bool
        var continuation: CheckedContinuation<Result<SyncSummary, any Error>, Never>
    }

    /// Returns once everything that was changed in the folder before the call is in the index; of a file that a program
    /// still has open for writing, what it was when the program opened it.
    public func barrier() async throws {
        // What happened before is known after this, or everything is looked at.
        let isSure = await watcher?.barrier() ?? false
        let isDone = try await withCheckedThrowingContinuation { continuation in
            if isStopped { return continuation.resume(returning: false) }
            barriers.append(Barrier(isSure: isSure, continuation: continuation))
            ring.yield()
        }
        if !isDone { throw DriveError.isStopping }
    }

    private struct Barrier {
        /// The watcher has told of everything before it.
        var isSure: Bool
        /// Told whether it was reached.
        var continuation: CheckedContinuation<Bool, any Error>
    }

    /// Look at this part of the folder, or at all of it, soon.
    public func lookAgain() {
        schedule.rescan(now: .now)
        ring.yield()
    }

    /// As if these had just been touched.
    public func lookAgain(at paths: Set<DrivePath>) {
        for path in paths { schedule.touched(path.name, in: path.parent, now: .now) }
        ring.yield()
    }

    /// Does something now. What goes on by itself, or only looks, is broken off for it, wherever it is, and done again
    /// afterwards; a sync that somebody asked for is waited for.
    public func precede<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async rethrows -> Result {
        precedence.begin()
        defer {
            precedence.end()
            ring.yield()
        }
        return try await body()
    }

    /// Whether there is a hint whenever the store has news.
    public func tellsOfStore(_ isTold: Bool) {
        schedule.told(isTold, now: .now)
        ring.yield()
    }

    /// What failed is tried again now: somebody may have mended what was in the way.
    public func tryAgain() {
        schedule.retries()
        hint()
    }

    /// Returns once more passes than these have ended; false where none will.
    public func passEnded(after count: Int) async -> Bool {
        while passCount <= count, !isStopped { await withCheckedContinuation { onlookers.append($0) } }
        return !isStopped
    }

    private func tellOnlookers() {
        passCount += 1
        for continuation in onlookers { continuation.resume() }
        onlookers = []
    }

    public func stop() {
        isStopped = true
        ring.yield()
    }

    private func note(_ event: WatchEvent) {
        let now = ContinuousClock.now
        switch event {
        case .ready(let watched, let unwatched):
            let isNew = !isCovered || board.status.unwatched != unwatched
            isCovered = true
            board.update { status in
                status.watched = watched
                status.unwatched = unwatched
            }
            schedule.covered(unwatched: unwatched, now: now)
            // What happened before the watches stood went unseen. A folder that comes or goes is told of by itself.
            if isNew { schedule.rescan(now: now) }
        case .touched(let folder, let name, _):
            schedule.touched(name, in: folder, now: now)
            // Other rules may count for whatever is in there.
            if name == IgnoreRules.fileName { schedule.rulesTouched(now: now) }
        case .rescan: schedule.rescan(now: now)
        }
        arm(schedule.nextDeadline(now: now))
    }

    private func hint() {
        schedule.hinted()
        arm(.now)
    }

    /// Rings at the deadline, unless something rings before.
    private func arm(_ deadline: ContinuousClock.Instant) {
        if let armed, armed <= deadline { return }
        armed = deadline
        let pause = deadline - .now
        guard pause > .zero else {
            ring.yield()
            return
        }
        let nanoseconds = pause.components.seconds * 1_000_000_000 + pause.components.attoseconds / 1_000_000_000
        Self.timers.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: nanoseconds))) { [ring] in ring.yield() }
    }
}

// The passes.
extension WatchLoop {
    private func work(secondLook: @escaping @Sendable () async -> TouchedPaths?) async throws {
        ring.yield()
        for await _ in bell {
            armed = nil
            while !isStopped, !Task.isCancelled, !precedence.isTaken {
                if !barriers.isEmpty {
                    try await answerBarriers(secondLook)
                } else if !requests.isEmpty {
                    try await answerRequests()
                } else if let work = schedule.take(now: .now, jitter: .random(in: 0...1)) {
                    try await perform(work, secondLook)
                } else {
                    break
                }
            }
            if isStopped { return }
            arm(schedule.nextDeadline(now: .now))
        }
    }

    private func perform(
        _ work: WatchSchedule.Work, _ secondLook: @escaping @Sendable () async -> TouchedPaths?
    ) async throws {
        do {
            let outcome = try await precedence.run { [engine, pass] in
                try await engine.use { engine in try await pass.run(work, engine, secondLook: secondLook) }
            }
            note(outcome)
            rested(isInStep: outcome.pause == nil)
            schedule.succeeded(wasActive: outcome.didSomething, now: .now)
            if outcome.looksAgain { schedule.lookAgain(outcome.touched, now: .now) }
            if outcome.isIncomplete { schedule.missed(now: .now) }
            tellOnlookers()
        } catch is Precedence.BrokenOff {
            putBack(work)
        } catch {
            try retryLater(error, work)
        }
    }

    private func putBack(_ work: WatchSchedule.Work) {
        schedule.putBack(work, now: .now)
        board.update { $0.phase = "idle" }
    }

    /// When things go on by themselves, as far as a pass can tell.
    private func note(_ outcome: WatchPassOutcome) {
        let now = clock.milliseconds()
        let nextLook = outcome.looksAgain ? now + UInt64(schedule.pace.unsettled.components.seconds) * 1000 : nil
        board.update { status in
            status.pause = outcome.pause
            status.nextLook = nextLook
        }
        let end = outcome.pause?.until.map { ContinuousClock.now + .milliseconds(Int64(clamping: $0 - min($0, now))) }
        schedule.resumes(at: end)
    }

    /// One look answers everybody who asked before it began. A file that changes while it is read is looked at again at
    /// once, a few times: whoever asked may have written it.
    private func answerBarriers(_ secondLook: @escaping @Sendable () async -> TouchedPaths?) async throws {
        let waiting = barriers
        barriers = []
        var work = schedule.takeLooks(isSure: waiting.allSatisfy(\.isSure), now: .now)
        do {
            for _ in 0..<Self.looksAtMost where work.scans {
                let outcome = try await precedence.run { [engine, pass, work] in
                    try await engine.use { try await pass.look(work, $0, secondLook: secondLook) }
                }
                // Publishing it is for the pass that follows.
                if outcome.didSomething { schedule.hinted() }
                if outcome.isIncomplete { schedule.missed(now: .now) }
                work = WatchSchedule.Work(
                    scansEverything: outcome.looksAgain && outcome.touched.isEmpty, touched: outcome.touched)
            }
            if work.scans { schedule.lookAgain(work.scansEverything ? TouchedNames() : work.touched, now: .now) }
            board.update { $0.phase = "idle" }
            for barrier in waiting { barrier.continuation.resume(returning: true) }
            tellOnlookers()
        } catch is Precedence.BrokenOff {
            putBack(work)
            // They are answered by the next look.
            barriers = waiting + barriers
        } catch {
            for barrier in waiting { barrier.continuation.resume(throwing: error) }
            try retryLater(error, work)
        }
    }

    private static let looksAtMost = 3

    /// One pass answers everybody who asked before it began.
    private func answerRequests() async throws {
        let waiting = requests
        requests = []
        do {
            let (engine, pass) = (engine, pass)
            let isHurried = waiting.contains(where: \.isHurried)
            let purposes: Set<String> = waiting.reduce(into: []) { $0.formUnion($1.purposes) }
            let summary = try await DriveCoordination.joining(purposes, outer: waiting.flatMap(\.outer)) {
                try await engine.use { engine in try await pass.sync(engine, isHurried: isHurried) }
            }
            rested()
            schedule.succeeded(wasActive: true, now: .now)
            if summary.isUnsettled { schedule.lookAgain(TouchedNames(), now: .now) }
            for request in waiting { request.continuation.resume(returning: .success(summary)) }
            tellOnlookers()
        } catch {
            for request in waiting { request.continuation.resume(returning: .failure(error)) }
            try retryLater(error, WatchSchedule.Work(scansEverything: true, fetches: true))
        }
    }

    /// Throws on what waiting does not mend.
    private func retryLater(_ error: any Error, _ work: WatchSchedule.Work) throws {
        if error is CancellationError { throw error }
        // Whoever makes a disk writable again does not think of starting this as well.
        guard let error = error as? DriveError,
            error.kind.mayPass || error.kind == .readOnly || pass.waitsOut(error)
        else { throw error }
        let asked = error.retryAfter.map { Duration.milliseconds(Int64($0 * 1000)) }
        let pause = schedule.failed(work, atLeast: asked, jitter: .random(in: 0...1), now: .now)
        let now = clock.milliseconds()
        let next = now + UInt64(pause.components.seconds) * 1000
        let isNews = board.status.trouble != error.kind
        board.update { status in
            status.phase = "idle"
            status.trouble = error.kind
            if isNews { status.waitsSince = now }
            status.waitsFor = error.description
            status.storeWait = nil
            (status.nextTry, status.nextLook) = (next, nil)
        }
        // Said once, not at every try.
        if isNews { pass.waits(for: error) }
        tellOnlookers()
    }

    private func rested(isInStep: Bool = true) {
        let now = clock.milliseconds()
        if let trouble = board.status.trouble { pass.goesOn(after: trouble) }
        board.update { status in
            status.trouble = nil
            status.phase = "idle"
            status.waitsFor = nil
            status.storeWait = nil
            status.waitsSince = nil
            status.nextTry = nil
            if isInStep { status.lastInStep = now }
        }
    }

    private func refuseRequests() {
        isStopped = true
        for request in requests {
            request.continuation.resume(returning: .failure(DriveError.isStopping))
        }
        requests = []
        tellOnlookers()
        for barrier in barriers { barrier.continuation.resume(returning: false) }
        barriers = []
    }
}

extension DriveError {
    /// For whoever asks something of a watch that is about to end.
    package static let isStopping = DriveError(
        .temporary,
        "what watches the drive is being stopped, and has not done what was asked; try again once it has ended")
}
