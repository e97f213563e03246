import DriveCore

/// One drive's passes: scan, record, commit, fetch, join, view, apply. Not safe for concurrent use; `SyncEngine` is
/// the actor around it, and the simulation drives it step by step.
public final class DriveEngine {
    public var parts: DriveParts
    /// The answer to something is unknown: ask the store before writing to it again.
    private var isUnsure = true
    /// The own heads when they were last seen on the store.
    private var checkedHeads: [ObjectKey]?
    /// What this device had published was not there when the store was last read.
    public private(set) var missesOwnHeads = false
    /// The last scan was broken off: there is more to record.
    var hasBrokenOffScan = false
    /// Rows that a step may have moved when the process died.
    private var hasRecovered = false
    /// Of how many segments the journal is tidied again while changes go on.
    private var tidiesNext = 0
    /// What ended the last pass is not in the index, which cannot be written.
    var hasUnnotedTrouble = false
    /// Nil where one of the conflicts is still to be looked at.
    private var settledConflicts: ConflictUpkeep.Settled?
    /// When the store is looked after next; nil until it is known.
    var nextUpkeep: UInt64?

    public init(_ parts: DriveParts) { self.parts = parts }

    public struct ScanOutcome: Sendable {
        public var records: Int
        /// Something was found to have changed, whether or not there is anybody to tell.
        public var hasChanges: Bool
        /// Deletes that the brake holds.
        public var held: Int
        /// Something kept changing: scan again soon.
        public var isUnsettled: Bool
        /// The folders to scan again soon; empty where the whole folder kept changing.
        public var unsettled: TouchedPaths
        /// Something went while it was looked at: another scan finds out where it is.
        public var hasVanished = false
        /// Something is being written by somebody who coordinates: the drive's claims tell when to look again.
        public var isInUse = false
        /// Something could not be looked at; it is among the problems.
        public var isIncomplete: Bool
    }

    public struct PassOutcome: Sendable {
        public var records = 0
        public var journals = 0
        public var applied = ApplyOutcome()
        public var held = 0
        public var isUnsettled = false
        /// As in `ScanOutcome`; or the folder kept changing, so that nothing could be said of it.
        public var hasVanished = false

        public var isQuiet: Bool { records == 0 && journals == 0 && applied.steps == 0 }
        /// What was found on the disk is what was expected there.
        var wasUndisturbed: Bool { !isUnsettled && !hasVanished && applied.changedUnderneath == 0 }
    }

    /// Takes up steps that a crash interrupted. Called by every scan and apply; cheap when there are none.
    public func recoverSteps() throws {
        if hasRecovered, try parts.state.intents().isEmpty { return }
        // What was taken out to the trash is not among what nobody knows of.
        if !hasRecovered { try AnnouncedTrash(parts).settle() }
        try parts.operations.during(.sync) { try StepRecovery(parts: parts).run(cleansStaging: !hasRecovered) }
        try bearOwnLabel()
        hasRecovered = true
    }

    /// The view names copies by the labels of all devices, this one's included.
    public func bearOwnLabel() throws {
        let journal = try parts.state.journal()
        var labels = try parts.state.labels()
        guard labels[journal.device] != journal.labels else { return }
        labels[journal.device] = journal.labels
        try parts.state.transaction {
            var maintenance = ViewMaintenance(parts.state)
            try maintenance.setLabels(labels)
        }
    }

    /// Looks at the folder and records what people changed.
    ///
    /// With a scope, only there: for a watcher that sees everything. Without, everywhere.
    public func scan(_ scope: ScanScope? = nil) async throws -> ScanOutcome {
        hasBrokenOffScan = true
        let outcome = try await lookAndRecord(scope)
        hasBrokenOffScan = false
        return outcome
    }

    private func lookAndRecord(_ scope: ScanScope?) async throws -> ScanOutcome {
        try parts.conflictNews.begin(parts)
        let isFirst = !hasRecovered
        try recoverSteps()
        // Whether or not the store can be reached. What is in the way of that is told by who applies.
        if isFirst { try? await placeParked() }
        try await showUp()
        let offer = try await ContentOffer(parts: parts).need()
        if let scope, offer == nil, try Echo(parts: parts).isAll(of: scope.touched) {
            return ScanOutcome(
                records: 0, hasChanges: false, held: 0, isUnsettled: false, unsettled: TouchedPaths(),
                isIncomplete: false)
        }
        parts.report(.phase(.scan))
        let outcome = try await look(scope, offer)
        // Where copies went with their files is written down before anything else of them is.
        if !outcome.saysNothing, parts.knownCopies.moves.isEmpty {
            try RefusedCopies(parts).settle(offer == nil ? scope?.touched : nil)
        }
        if offer != nil, !outcome.isUnsettled, !outcome.isInUse, !outcome.leavesOffered {
            try ContentOffer(parts: parts).fulfil()
        }
        // What could not be read, or is in use, may be so for weeks, and is hardly what an act has just changed.
        let isWhole = (scope == nil || offer != nil) && !(outcome.isUnsettled && outcome.unsettled.isEmpty)
        if isWhole { try UnseenActs(state: parts.state).haveBeenSeen() }
        let named = Set(outcome.problems.map(\.path))
        let withheld = try WithheldItems(parts.state).found().filter { !named.contains($0.path) }
        try keep(outcome.adding(withheld, now: parts.clock.milliseconds()), of: scope)
        if outcome.records > 0 {
            try forgetMendedFiles()
            try parts.conflictNews.tell(parts)
        }
        return ScanOutcome(
            records: outcome.records, hasChanges: outcome.records + outcome.unrecorded > 0, held: outcome.held,
            isUnsettled: outcome.isUnsettled, unsettled: outcome.unsettled, hasVanished: outcome.hasVanished,
            isInUse: outcome.isInUse, isIncomplete: outcome.isIncomplete)
    }

    private func look(_ scope: ScanScope?, _ offer: ContentOffer.Need?) async throws -> ScanPass.Outcome {
        let places = try RefusedPlaces(parts)
        // Whatever ends it: parts of it are recorded.
        defer { try? places.follow() }
        do {
            return try await parts.operations.during(.local) {
                try await ScanPass(parts: parts, scope: offer == nil ? scope : nil, offer: offer) {
                    _ = try await self.publish()
                }.run()
            }
        } catch {
            // The error is what is in the way now. That it cannot be written down is no news.
            try? StandingMemory(parts.state).forgetPassing(in: offer == nil ? scope?.touched : nil)
            throw error
        }
    }

    /// Publishes what was recorded.
    public func commit() async throws {
        guard parts.transport != nil else { return }
        parts.report(.phase(.commit))
        try await parts.options.bringsUnknown(self)
        if let segments = try await publish() { try await tidy(segments) }
    }

    /// Heads and the index name each segment: where changes never pause, every change would cost more than the last.
    private func tidy(_ segments: Int) async throws {
        guard segments >= max(parts.options.longJournal, tidiesNext) else { return }
        // What is published stands. The tidying that has time for it tells what is in its way.
        do { try await compact() } catch let error as DriveError
            where [.notFound, .objectFailed, .noSpace].contains(error.kind)
        {}
        // Not with every commit, where nothing can be merged.
        tidiesNext = try parts.state.journal().segments.count + max(1, parts.options.longJournal / 4)
    }

    private func publish() async throws -> Int? {
        guard parts.transport != nil else { return nil }
        try await makeSure()
        do { return try await parts.publishPending() } catch {
            isUnsure = true
            throw error
        }
    }

    /// Joins what others published; the number of journals with news.
    public func fetch(only: Set<DeviceID>? = nil) async throws -> Int {
        try await fetchSome(only: only).journals
    }

    func fetchSome(only: Set<DeviceID>?) async throws -> Fetched {
        guard parts.transport != nil else { return Fetched() }
        parts.report(.phase(.fetch))
        // What became of the last head has to be known before it is told whose the others are.
        if isUnsure, try parts.state.journal().intended != nil { try await makeSure() }
        let outcome: Fetched
        do { outcome = try await parts.fetch(only: only) } catch is ForkNeeded {
            try parts.fork()
            outcome = try await parts.fetch(only: only)
        } catch is PartedFromCopy {
            // Others are to know by which numbers this device goes on before it hears of them.
            _ = try await publish()
            outcome = try await parts.fetch(only: only)
        }
        let heads = try parts.state.journal().heads
        missesOwnHeads = !outcome.areOwnHeadsThere
        if try missesOwnHeads || hasLostSight(of: heads) { isUnsure = true }
        checkedHeads = heads
        return outcome
    }

    /// Only the newest heads are remembered: if several were put since they were last looked at, what became of those
    /// before them is unknown.
    private func hasLostSight(of heads: [ObjectKey]) throws -> Bool {
        guard let checkedHeads else { return false }
        return checkedHeads.last.map { !heads.contains($0) } ?? (heads.count > 1)
    }

    /// Brings the folder to what the view shows; without a store there is no view, and the folder is left as it is. Sparingly,
    /// what was refused lately where it belongs is left for later, unless something has changed there.
    public func apply(sparingly: Bool = false) async throws -> ApplyOutcome {
        if !sparingly { parts.denied.tryAgain() }
        try parts.conflictNews.begin(parts)
        try recoverSteps()
        guard parts.transport != nil else { return ApplyOutcome() }
        parts.report(.phase(.apply))
        do {
            let outcome = try await parts.operations.during(.sync) { try await bringAll() }
            try settleRestored()
            let known = settledConflicts
            // Until it has come to its end nothing is known.
            settledConflicts = nil
            settledConflicts = try await ConflictUpkeep(parts).run(since: known)
            try parts.conflictNews.tell(parts)
            if outcome.leavesStaging { hasRecovered = false }
            if outcome.steps > 0 { try forgetMendedFiles() }
            return outcome
        } catch {
            // What it had staged is nobody's now.
            hasRecovered = false
            throw error
        }
    }

    /// What waits aside, as a process leaves it that dies in the middle of a move, goes to its place though the store is away.
    func placeParked() async throws {
        guard hasRecovered, try parts.state.intents().isEmpty && !parts.state.parkedRows().isEmpty else { return }
        do {
            _ = try await parts.operations.during(.sync) {
                var applier = try Applier(parts, rowsBefore: parts.state.rowCount())
                return try await applier.bringParked()
            }
        } catch {
            hasRecovered = false
            throw error
        }
    }

    private func bringAll() async throws -> ApplyOutcome {
        let places = try RefusedPlaces(parts)
        defer { try? places.follow() }
        var outcome = ApplyOutcome()
        let rowsBefore = try parts.state.rowCount()
        if var arrivals = try arrivals() {
            while var applier = try Applier(parts, next: &arrivals, rowsBefore: rowsBefore) {
                outcome.add(try await applier.run())
                parts.options.didMuch()
            }
        }
        var applier = try Applier(parts, rowsBefore: rowsBefore)
        outcome.add(try await applier.run())
        return outcome
    }

    private func arrivals() throws -> Arrivals? {
        let dirt = try parts.state.dirt()
        return dirt.groups.count > parts.options.applyPortion ? Arrivals(dirt) : nil
    }

    public func compact() async throws {
        guard parts.transport != nil else { return }
        try await makeSure()
        do { try await parts.compact() } catch {
            isUnsure = true
            throw error
        }
    }

    /// Puts a first head before anything is stored, so that nobody takes for unneeded what this device is about to refer to.
    private func showUp() async throws {
        guard parts.transport != nil, try parts.state.journal().heads.isEmpty else { return }
        try await renewHead()
    }

    /// A look that the store was not asked about: before the next commit it is, so that what was recorded meanwhile rests on
    /// nothing that has left the store since.
    public func doubt() { isUnsure = true }

    func makeSure() async throws {
        guard isUnsure else { return }
        _ = try await parts.recoverJournal()
        try await ContentOffer(parts: parts).checkPending()
        isUnsure = false
        checkedHeads = try parts.state.journal().heads
    }

    /// Puts another head for the same journal.
    func renewHead() async throws {
        try await makeSure()
        do { try await parts.renewHead() } catch {
            isUnsure = true
            throw error
        }
    }

    /// One whole pass, for tests: `sync` is as many as it takes.
    package func step(_ scope: ScanScope? = nil) async throws -> PassOutcome {
        parts.operations.begin()
        return try await pass(scope)
    }

    private func pass(_ scope: ScanScope? = nil) async throws -> PassOutcome {
        var outcome = PassOutcome()
        try await sending {
            let scanned = try await scan(scope)
            // What a first try has recorded waits with the rest.
            outcome.records += scanned.records
            outcome.held = scanned.held
            outcome.isUnsettled = scanned.isUnsettled || scanned.isInUse
            outcome.hasVanished = scanned.hasVanished || scanned.isUnsettled && scanned.unsettled.isEmpty
            try await commit()
        } bringing: {
            outcome.journals = try await fetch()
            outcome.applied = try await apply()
        }
        try await offerWhatWasLost()
        return outcome
    }

    /// A store that does not show what this device had published was emptied, or put back to an earlier time: the pass that sees
    /// it says it all again, and whoever asks whether all is in step is told so only then.
    func offerWhatWasLost() async throws { if missesOwnHeads { try await commit() } }

    /// Passes until nothing is left to do, at most `limit`. The records are those that were published, whoever made them.
    public func sync(limit: Int = 8) async throws -> PassOutcome {
        parts.operations.begin()
        var total = PassOutcome()
        parts.refusals.tryAgain()
        parts.restless.tryAgain()
        // What an earlier look recorded, without telling the store, goes out with this.
        total.records = try parts.state.pendingGroups().reduce(0) { $0 + $1.records.count }
        for _ in 0..<limit {
            let outcome = try await pass()
            total.records += outcome.records
            total.journals += outcome.journals
            total.applied.add(outcome.applied)
            total.held = outcome.held
            let isLeft = outcome.applied.inUse + outcome.applied.waiting > 0
            total.isUnsettled = outcome.isUnsettled || outcome.hasVanished || isLeft
            // What came may be other rules, by which other things are to be sent and brought.
            if outcome.applied.steps > 0, try await parts.options.rereadRules(self) { continue }
            if try isDone(after: outcome) { break }
        }
        try await compact()
        try await upkeepIfDue()
        total.records -= min(total.records, try parts.state.pendingGroups().reduce(0) { $0 + $1.records.count })
        return total
    }

    /// Whether another pass could find only what people and other devices do from now on.
    private func isDone(after outcome: PassOutcome) throws -> Bool {
        if try ContentOffer(parts: parts).isWished || parts.hasMoreToPublish() { return false }
        if outcome.hasVanished { return false }
        if outcome.isQuiet { return true }
        // What got other attributes is read once more; until then it looks as if somebody had changed it.
        if outcome.applied.attributed > 0 { return false }
        return try outcome.wasUndisturbed && parts.state.dirt().isEmpty && !parts.hasMoreToPublish()
    }
}
