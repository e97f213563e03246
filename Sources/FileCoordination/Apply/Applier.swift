import DriveCore

/// Brings the folder to what the view shows (`merge.md` 3.4): files that nobody wants to the trash, entries top down,
/// emptied folders. Any failed check does nothing; the next turn looks again. Nothing is remembered as work to do.
struct Applier {
    let parts: DriveParts
    var matching: Matching
    var runner: StepRunner
    var batch: StepBatch
    var download: Download?
    var outcome = ApplyOutcome()
    var lastFolder: (row: RowID, path: DrivePath)?
    /// Contents in the trash; read when first asked for.
    var trashed: [ContentHash: FileName]?
    /// Only some of what arrives: the rest stays dirty.
    let isPortion: Bool
    /// How many rows there were when this turn began: what it has brought since makes no number of deletes harmless.
    let rowsBefore: Int
    /// What a rule hid where it was, none may hide where it is now: the next walk tells.
    var moved: Set<RowID> = []
    /// What has moved to where a rule hides it.
    var hidden: Set<RowID> = []
    /// Folders that come though a rule hides them.
    var goals: Set<ItemID> = []
    /// Items whose rows are gone in this turn, to be looked at by the next.
    var forgotten = ViewDirt()
    /// A step failed on its way: its intent is decided by the next pass, and no other step may come before that.
    var isMidStep = false
    /// Only what is here is moved (`bringAhead`): what stays undone is tried again with the rest, which tells of it.
    var isAhead = false
    /// What has a place that something is to come to stays there (`bringParked`).
    var parksNothing = false
    /// Steps that were refused, or not tried because they had been: another look mends nothing.
    var denials = 0
    /// Those of them that were tried in this turn, and where.
    var refusals: [(path: DrivePath, places: [RowPlace], isOfAttributes: Bool)] = []
    /// Whether rows can go where they are to be, as far as that was asked (`closure`).
    var movable: Set<RowID> = []
    var unmovable: [RowID: GoalObstruction] = [:]
    /// Read when first asked for.
    var folderGoals: [ItemID: GroupKey]?
    /// Places that could not be written, or not exist, when that was tried last; read when first asked for.
    var obstructed: [DrivePath: Cause]?

    init(_ parts: DriveParts, rowsBefore: Int) throws {
        // In one transaction, so that the many small reads of the index do not lock it each.
        let matching = try parts.state.transaction {
            let work =
                parts.options.appliesEverything
                ? try WorkSet(everythingIn: parts.state) : try WorkSet(parts.state.dirt(), in: parts.state)
            return try Matching(work, parts.state, hides: parts.options.ignores)
        }
        self.init(parts, matching, isPortion: false, rowsBefore)
    }

    /// For the next portion of what arrives; nil where none is left.
    init?(_ parts: DriveParts, next arrivals: inout Arrivals, rowsBefore: Int) throws {
        let matching = try parts.state.transaction {
            try arrivals.next(parts.options.applyPortion, in: parts.state).map {
                try Matching($0, parts.state, hides: parts.options.ignores)
            }
        }
        guard let matching else { return nil }
        self.init(parts, matching, isPortion: true, rowsBefore)
    }

    private init(_ parts: DriveParts, _ matching: Matching, isPortion: Bool, _ rowsBefore: Int) {
        self.parts = parts
        self.matching = matching
        self.isPortion = isPortion
        self.rowsBefore = rowsBefore
        runner = StepRunner(parts)
        batch = StepBatch(files: parts.options.batchFiles, bytes: parts.options.batchBytes)
        download = parts.transport.map { Download(parts, $0.contentReader()) }
    }

    mutating func run() async throws -> ApplyOutcome {
        // A portion has no rows to remove, and says nothing of those that are held.
        if !isPortion {
            try settleHeld()
            try removeFiles()
        }
        goals = try findGoals()
        try await bringAhead()
        for entry in matching.entries { try await bring(entry) }
        try flush()
        if !isPortion { try removeFolders() }
        try putBack()
        outcome.inUse += runner.left.count
        for path in Set(runner.left.joined()).sorted() { outcome.obstacles.append(Obstacle(path, .inUse)) }
        try acknowledge()
        // Of a portion, what could not be done is tried once more with the rest.
        if !isPortion { try keepProblems() }
        return outcome
    }

    /// Each with the time since when it is known.
    private mutating func keepProblems() throws {
        try parts.state.transaction {
            let kept = try StandingMemory(parts.state).keep(
                outcome.obstacles, of: .apply, now: parts.clock.milliseconds())
            let since = Dictionary(kept.map { ($0.path, $0.since) }) { first, _ in first }
            for place in outcome.problems.indices {
                outcome.problems[place].since = since[outcome.problems[place].path] ?? outcome.problems[place].since
            }
            try parts.state.setProblems(outcome.problems, from: .apply)
        }
        parts.denied.keep(only: Set(outcome.obstacles.map(\.path)))
    }

    mutating func passOver(_ name: FileName, _ reason: String) {
        if isAhead { return }
        outcome.changedUnderneath += 1
        parts.report(.passedOver(name, reason))
    }

    /// What agrees with the view is not dirty any more.
    mutating func acknowledge() throws {
        // Lost, it is found to agree again.
        try parts.state.transaction(isDurable: false) {
            var acknowledgement = Acknowledgement(parts.state)
            var left: Set<RowID> = []
            for id in matching.rows.keys.sorted() {
                guard let row = try parts.state.row(id) else { continue }
                if try !acknowledgement.acknowledge(row) { left.insert(id) }
            }
            try clean(left)
            try HiddenRows(parts.state).change(adding: hidden, removing: moved.subtracting(hidden))
            try parts.checkView()
        }
    }

    /// Keeps as dirt the items whose row or entry is not settled.
    mutating func clean(_ left: Set<RowID>) throws {
        var dirt = forgotten
        var settled = isPortion ? ViewDirt() : try parts.state.dirt()
        for id in left { for member in try parts.state.row(id)?.members ?? [] { dirt.items.insert(member.item) } }
        for entry in matching.entries {
            if try isSettled(entry, left) {
                if isPortion { settled.insert(entry) }
            } else {
                dirt.insert(entry)
                if try isOwed(entry) { outcome.waiting += 1 }
            }
        }
        try parts.state.changeDirt(removing: settled, adding: dirt)
    }

    /// Whether it is to be here as the view has it, and is not.
    private mutating func isOwed(_ entry: ViewEntry) throws -> Bool {
        guard let folder = matching.folder(ofNode: entry.node), let above = try pathOfFolder(folder) else {
            return false
        }
        let path = above.appending(entry.name)
        if !entry.isDerived, parts.options.ignores(path, entry.kind == .folder) { return false }
        let row = try matching.row(for: entry).flatMap { try parts.state.row($0) }
        if let row, row.isHeld || !row.isParked && row.name == entry.name && row.parent == folder && row.matches(entry)
        {
            return false
        }
        // Else it waits for a decision about what had the name, or about the folder.
        if try parts.state.isHeld(folder) { return false }
        return try !HeldDeletes(parts.state).hold(entry.name, in: folder, besides: row?.id)
    }

    private func isSettled(_ entry: ViewEntry, _ left: Set<RowID>) throws -> Bool {
        guard let id = matching.row(for: entry), let row = try parts.state.row(id) else { return false }
        return !left.contains(id) && !row.isParked && row.name == entry.name && row.matches(entry)
    }
}

extension ViewDirt {
    fileprivate mutating func insert(_ entry: ViewEntry) {
        groups.insert(GroupKey(node: entry.node, name: entry.ownName))
        for member in entry.members { items.insert(member.item) }
    }
}

// C: emptied folders; and running steps.
extension Applier {
    mutating func removeFolders() throws {
        var kept: Set<RowID> = []
        for level in try matching.removals(parts.state).folders {
            for row in level {
                try attempt(row) { applier in
                    guard let row = try applier.parts.state.row(row.id), try !applier.parts.hides(row),
                        try !applier.isDenied(row)
                    else { return }
                    guard let intent = try applier.removal(of: row) else {
                        if try applier.holdsNothingSynced(row, kept) { kept.insert(row.id) }
                        return
                    }
                    applier.batch.add(intent, bytes: 0)
                    if applier.batch.isFull { try applier.flush() }
                }
            }
            // Those above are empty only now.
            try flush()
        }
        try KeptFolders(parts.state).set(kept)
    }

    /// Whether all that keeps a folder here is not synced, as far as rows know.
    private mutating func holdsNothingSynced(_ row: Row, _ kept: Set<RowID>) throws -> Bool {
        if try isCovered(row) { return true }
        guard try parts.state.children(of: row.id).allSatisfy({ try kept.contains($0.id) || parts.hides($0) }) else {
            return false
        }
        // What a program still writes is taken up once that is over.
        let path = try parts.state.path(of: row)
        return try !StandingMemory(parts.state).obstacles().contains {
            $0.cause.passesByItself && $0.path.isInside(path)
        }
    }

    /// Whether another file system, or a subvolume, is in its place: what was in the folder may be beneath it, or on it.
    private mutating func isCovered(_ row: Row) throws -> Bool {
        guard let (folder, name) = try runner.locator.place(of: row) else { return false }
        return try parts.files.look(at: name, in: folder)?.isForeignMount == true
    }

    mutating func removeFolder(_ row: Row) throws -> Bool {
        guard try !isDenied(row), let intent = try removal(of: row) else { return false }
        return try run(intent) != nil
    }

    /// Nil where something is in the folder, or it is not where it was.
    private mutating func removal(of row: Row) throws -> Intent? {
        guard try parts.state.children(of: row.id).isEmpty, try runner.locator.verified(row) != nil,
            let open = try runner.locator.open(row.id), try parts.files.list(open).isEmpty
        else { return nil }
        runner.locator.forget(row.id)
        let staged = FileName("gone-\(row.id.rawValue)-\(parts.entropy.nonce(8))")
        return Intent(step: .removeFolder(staged: staged), identity: row.facts.identity, row: row)
    }

    mutating func run(_ intent: Intent) throws -> Row? {
        isMidStep = true
        let done = try runner.run([intent])[0]
        isMidStep = false
        let refused = try noteRefused(done: done == nil ? [] : [intent.row.id])
        try count(intent, done != nil, isRefused: !refused.isEmpty)
        return done
    }

    mutating func flush() throws {
        let intents = batch.take()
        guard !intents.isEmpty else { return }
        isMidStep = true
        let rows = try runner.run(intents, matching.shown)
        isMidStep = false
        let refused = try noteRefused(done: Set(rows.compactMap { $0?.id }))
        for (intent, row) in zip(intents, rows) {
            try count(intent, row != nil, isRefused: refused.contains(intent.row.id))
        }
        runner.locator.forget()
    }

    private mutating func count(_ intent: Intent, _ isDone: Bool, isRefused: Bool) throws {
        guard isDone else {
            if !isRefused { passOver(intent.row.name, "somebody was faster") }
            return
        }
        outcome.steps += 1
        switch intent.step {
        case .place: outcome.placed += 1
        case .replace: outcome.replaced += 1
        case .move:
            outcome.moved += 1
            moved.insert(intent.row.id)
        case .remove, .removeFolder: outcome.removed += 1
        case .setAttributes:
            outcome.attributed += 1
            try noteOtherNames(of: intent.row)
        case .park: break
        }
        if case .place = intent.step, let entry = batch.entries.removeValue(forKey: intent.row.id) {
            matching.placed(entry, as: intent.row.id)
        }
    }

    /// Each name of a file is an item of its own, and what one of them got is a change of the others here.
    private mutating func noteOtherNames(of row: Row) throws {
        guard row.kind == .file else { return }
        for other in try parts.state.rows(identity: row.facts.identity) where other.id != row.id {
            // No look finds what a rule hides.
            if try other.isParked || other.isHeld || parts.hides(other) { continue }
            outcome.otherNames.insert(other.name, in: try parts.state.path(of: other).parent)
        }
    }
}
