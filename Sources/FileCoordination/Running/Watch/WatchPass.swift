public import DriveCore

/// What the watch loop does with an engine when something is due.
public protocol WatchPass: Sendable {
    /// `secondLook` as in `ScanScope`.
    func run(
        _ work: WatchSchedule.Work, _ engine: DriveEngine,
        secondLook: @escaping @Sendable () async -> TouchedPaths?
    ) async throws -> WatchPassOutcome
    /// Takes up what people changed, and no more.
    func look(
        _ work: WatchSchedule.Work, _ engine: DriveEngine,
        secondLook: @escaping @Sendable () async -> TouchedPaths?
    ) async throws -> WatchPassOutcome
    /// A whole pass that somebody asked for; hurried, it takes files that programs have open as they are.
    func sync(_ engine: DriveEngine, isHurried: Bool) async throws -> SyncSummary
    /// Whether somebody may mend it with nothing to do here, though it is no error that passes by itself.
    func waitsOut(_ error: DriveError) -> Bool
    /// The world is in the way; the loop tries again later. Told once, however many tries fail for the same reason.
    func waits(for error: DriveError)
    /// It is not in the way any more.
    func goesOn(after trouble: DriveError.Kind)
}

extension WatchPass {
    public func waitsOut(_ error: DriveError) -> Bool { false }
}

public struct WatchPassOutcome: Hashable, Sendable {
    public var didSomething: Bool
    /// Something kept changing, or was not what it should be: look again soon.
    public var looksAgain: Bool
    /// Only at these; everywhere where there are none.
    public var touched = TouchedPaths()
    /// Something could not be looked at, and nothing may tell when it can be.
    public var isIncomplete = false
    /// Nothing was sent or brought, because somebody paused the drive.
    public var pause: Pause?

    public init(didSomething: Bool, looksAgain: Bool) {
        self.didSomething = didSomething
        self.looksAgain = looksAgain
    }
}

extension DriveEngine {
    /// The scan that some work needs.
    public func look(
        _ work: WatchSchedule.Work, secondLook: @escaping @Sendable () async -> TouchedPaths?
    ) async throws -> WatchPassOutcome {
        var outcome = WatchPassOutcome(didSomething: false, looksAgain: false)
        parts.operations.begin()
        guard work.scans else { return outcome }
        let scope = work.scansEverything ? nil : ScanScope(touched: work.touched) { await secondLook() }
        let scan = try await scan(scope)
        outcome.looksAgain = scan.isUnsettled || scan.hasVanished
        outcome.touched = scan.unsettled
        outcome.isIncomplete = scan.isIncomplete
        if scan.hasChanges { outcome.didSomething = true }
        return outcome
    }

    /// What kept changing is read again with the next scan, however much that costs: somebody asks for all that there is.
    public func readRestless() { parts.restless.tryAgain() }

    /// The passes that some work needs; nothing else.
    public func perform(
        _ work: WatchSchedule.Work, secondLook: @escaping @Sendable () async -> TouchedPaths?
    ) async throws -> WatchPassOutcome {
        var outcome = WatchPassOutcome(didSomething: false, looksAgain: false)
        let offered = ContentOffer(parts: parts)
        let wasWished = try offered.isWished
        try await sending {
            // What a first try has found waits with the rest.
            let before = outcome.didSomething
            outcome = try await look(work, secondLook: secondLook)
            outcome.didSomething = outcome.didSomething || before
            if work.scans || work.fetches { try await commit() }
        } bringing: {
            try await bring(work, &outcome)
        }
        try await offerWhatWasLost()
        if work.tidies { try await compact() }
        if work.tidies || work.fetches { try await upkeepIfDue() }
        // What the store was found to have lost is looked for everywhere, now.
        if try !wasWished && offered.isWished || parts.transport != nil && parts.hasMoreToPublish() {
            outcome = WatchPassOutcome(didSomething: true, looksAgain: true)
        }
        return outcome
    }

    private func bring(_ work: WatchSchedule.Work, _ outcome: inout WatchPassOutcome) async throws {
        if work.fetches, try await fetch() > 0 { outcome.didSomething = true }
        guard try work.fetches || outcome.didSomething || !parts.state.dirt().isEmpty else { return }
        let applied = try await apply(sparingly: true)
        if applied.steps > 0 { outcome.didSomething = true }
        if applied.changedUnderneath > 0 {
            outcome.looksAgain = true
            outcome.touched = TouchedNames()
        } else if !outcome.looksAgain || !outcome.touched.isEmpty {
            if !applied.otherNames.isEmpty {
                outcome.looksAgain = true
                outcome.touched.formUnion(applied.otherNames)
            }
            for path in applied.openForWriting {
                outcome.looksAgain = true
                path.name.map { outcome.touched.insert($0, in: path.parent) }
            }
        }
    }
}
