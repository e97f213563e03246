public import DriveCore

/// When the watch loop has to do what: a value, so that it can be tried without a clock.
public struct WatchSchedule: Sendable {
    public typealias Instant = ContinuousClock.Instant

    public struct Work: Hashable, Sendable {
        /// Look at the whole folder.
        public var scansEverything = false
        /// Or only at these.
        public var touched = TouchedPaths()
        /// Look at the store.
        public var fetches = false
        /// Tidy the own log.
        public var tidies = false

        public var scans: Bool { scansEverything || !touched.isEmpty }
        public var isEmpty: Bool { !scans && !fetches && !tidies }
    }

    let pace: WatchPace
    private var due = Work()
    /// Folders in which names were touched since they were looked at as a whole, and when all of them are.
    private var namedFolders: Set<DrivePath> = []
    private var nextWholeLook: Instant?
    /// Rules that a scan finds count from the next one on.
    private var rulesDue: Instant?
    private var firstTouch: Instant?
    private var localDue: Instant?
    private var isHinted = false
    /// Whoever has news for the store makes itself heard.
    private var isTold = false
    private var nextPoll: Instant
    private var nextRescan: Instant
    private var nextTidying: Instant?
    private var lastActivity: Instant
    /// Nothing before this: the last attempt failed.
    private var notBefore: Instant?
    private var failures = 0
    /// The end of a pause.
    private var resumption: Instant?
    private var isBlind = false

    public init(pace: WatchPace, now: Instant) {
        self.pace = pace
        nextPoll = now
        nextRescan = now + pace.rescan
        lastActivity = now
    }

    /// Without a name, anything in the folder.
    public mutating func touched(_ name: FileName?, in folder: DrivePath, now: Instant) {
        if let name {
            due.touched.insert(name, in: folder)
            // Some changes have no event: of a file that is kept open, or has another name elsewhere. Where something happens
            // it is likelier.
            namedFolders.insert(folder)
            nextWholeLook = nextWholeLook ?? now + pace.wholeLook
        } else {
            due.touched.insert(whole: folder)
        }
        let first = firstTouch ?? now
        firstTouch = first
        localDue = min(now + pace.settle, first + pace.longestSettle)
    }

    /// Look at everything, now and once more: what is ignored may be another.
    public mutating func rulesTouched(now: Instant) {
        rescan(now: now + pace.settle)
        rulesDue = now + pace.unsettled
    }

    private mutating func takeWholeLooks(now: Instant) {
        guard let next = nextWholeLook, now >= next else { return }
        // In one pass: apart, each would cost what a change costs.
        for folder in namedFolders { due.touched.insert(whole: folder) }
        (namedFolders, nextWholeLook) = ([], nil)
        localDue = min(localDue ?? now, now)
    }

    /// Look at everything.
    public mutating func rescan(now: Instant) {
        due.scansEverything = true
        localDue = min(localDue ?? now, now)
    }

    /// Look at these in a while; at everything where there are none.
    public mutating func lookAgain(_ touched: TouchedPaths, now: Instant) {
        if touched.isEmpty { due.scansEverything = true }
        due.touched.formUnion(touched)
        localDue = min(localDue ?? now + pace.unsettled, now + pace.unsettled)
    }

    public mutating func covered(unwatched: Int, now: Instant) {
        isBlind = unwatched > 0
        nextRescan = min(nextRescan, now + (isBlind ? pace.blindRescan : pace.rescan))
    }

    /// A scan could not look at everything.
    public mutating func missed(now: Instant) { nextRescan = min(nextRescan, now + pace.blindRescan) }

    /// What waits to be looked at; nil for everything.
    public var touchedNames: TouchedPaths? { due.scansEverything ? nil : due.touched }

    /// Somebody says that the store has news.
    public mutating func hinted() { isHinted = true }

    /// Whatever failed before, nothing waits for a time any more.
    public mutating func retries() { notBefore = nil }

    /// Whether news of the store is told from now on, so that it is asked now and then only: a hint is never the truth.
    public mutating func told(_ isTold: Bool, now: Instant) {
        self.isTold = isTold
        if !isTold { nextPoll = min(nextPoll, now + pace.activePoll) }
    }

    /// A pause ends then; the store is asked at once.
    public mutating func resumes(at instant: Instant?) { resumption = instant }

    public mutating func succeeded(wasActive: Bool, now: Instant) {
        failures = 0
        notBefore = nil
        if wasActive {
            lastActivity = now
            nextTidying = now + pace.quiet
        }
    }

    /// The work was not done to its end: it is due again.
    public mutating func putBack(_ work: Work, now: Instant) {
        due.scansEverything = due.scansEverything || work.scansEverything
        due.touched.formUnion(work.touched)
        if work.scans { localDue = now }
        if work.fetches { isHinted = true }
    }

    /// The work is to be done again, later each time; `jitter` is from 0 to 1. Says when. Not before `atLeast`, which is
    /// what a store asked for; of a longer time than an hour, an hour.
    public mutating func failed(_ work: Work, atLeast: Duration? = nil, jitter: Double, now: Instant) -> Duration {
        putBack(work, now: now)
        let doubled = pace.firstRetry * (1 << min(failures, 10))
        let own = min(doubled, pace.longestRetry) * (0.8 + 0.4 * jitter)
        let pause = max(own, min(atLeast ?? .zero, pace.longestAsked))
        failures += 1
        notBefore = now + pause
        return pause
    }

    /// All looking that waits, whenever it is due, taken off the schedule; everywhere where changes may have gone unseen.
    public mutating func takeLooks(isSure: Bool, now: Instant) -> Work {
        if !isSure || isBlind { rescan(now: now) }
        return localDue == nil ? Work() : takeLocal(now: now)
    }

    private mutating func takeLocal(now: Instant) -> Work {
        var work = Work()
        work.scansEverything = due.scansEverything
        work.touched = due.touched
        due = Work()
        localDue = nil
        firstTouch = nil
        if work.scansEverything {
            nextRescan = now + (isBlind ? pace.blindRescan : pace.rescan)
            (namedFolders, nextWholeLook) = ([], nil)
        }
        return work
    }

    /// What is due now, taken off the schedule; nil where nothing is.
    public mutating func take(now: Instant, jitter: Double) -> Work? {
        if let notBefore, now < notBefore { return nil }
        var work = Work()
        if now >= nextRescan { rescan(now: now) }
        if let rulesDue, now >= rulesDue {
            rescan(now: now)
            self.rulesDue = nil
        }
        takeWholeLooks(now: now)
        if let localDue, now >= localDue { work = takeLocal(now: now) }
        if let resumption, now >= resumption {
            isHinted = true
            self.resumption = nil
        }
        if isHinted || now >= nextPoll {
            work.fetches = true
            isHinted = false
            let isActive = !isTold && now - lastActivity < pace.active
            nextPoll = now + (isActive ? pace.activePoll : pace.idlePoll) * (1 + jitter)
        }
        if let nextTidying, now >= nextTidying, work.isEmpty {
            work.tidies = true
            self.nextTidying = nil
        }
        return work.isEmpty ? nil : work
    }

    /// When to look again.
    public func nextDeadline(now: Instant) -> Instant {
        var next = min(nextPoll, nextRescan)
        if let localDue { next = min(next, localDue) }
        if let rulesDue { next = min(next, rulesDue) }
        if let nextWholeLook { next = min(next, nextWholeLook) }
        if let nextTidying { next = min(next, nextTidying) }
        if let resumption { next = min(next, resumption) }
        if isHinted { next = now }
        return max(next, notBefore ?? next)
    }
}
