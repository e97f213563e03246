import DriveCore

/// One scan: walk, look again before believing an absence, read, decide, record.
struct ScanPass {
    let parts: DriveParts
    /// What a watcher saw touched; nil to look everywhere.
    var scope: ScanScope?
    /// Contents that the store has lost.
    var offer: ContentOffer.Need?
    /// Publishes what was recorded by then, while there is more to read.
    let publish: () async throws -> Void

    struct Outcome {
        var records = 0
        /// Changes of a drive without a store, which makes no records.
        var unrecorded = 0
        var problems: [Problem] = []
        /// What is in the way of single items, those with problems included.
        var obstacles: [Obstacle] = []
        /// Items whose deletes the brake holds now.
        var held = 0
        /// Something kept changing: scan again soon.
        var isUnsettled = false
        /// What kept changing.
        var unsettled = TouchedPaths()
        /// Something went while it was looked at, or has another name under which it changed, too: it is left as it was until the
        /// next look, which may come at once.
        var hasVanished = false
        /// A file whose content the store has lost was left, so that it was not stored again.
        var leavesOffered = false
        /// Something is being written by somebody who coordinates, and was left: the end of that is told.
        var isInUse = false
        var used: [DrivePath] = []
        /// Something could not be looked at: what is said about the rest holds.
        var isIncomplete = false
        /// The folder itself kept changing: nothing is said about anything in it.
        var saysNothing = false
        /// What is found is recorded in several transactions.
        fileprivate var isInParts = false
        /// Nothing was known before, so that all is new.
        fileprivate var isFirst = false
        /// Of the records, those that were published while the scan went on.
        fileprivate var published = 0
        /// What was read since then.
        fileprivate var readBytes: UInt64 = 0
    }

    /// Of much that is new or changed a part at a time is found, read and recorded.
    func run() async throws -> Outcome {
        var outcome = Outcome()
        outcome.isFirst = try parts.state.rowCount() == 0
        var rest: [LeftFolder] = []
        repeat {
            guard let walk = try await settledWalk(rest) else {
                outcome.isUnsettled = true
                outcome.saysNothing = true
                parts.report(.passedOver(FileName("."), "the folder keeps changing"))
                return outcome
            }
            rest = walk.left
            if !rest.isEmpty { outcome.isInParts = true }
            try await take(walk, &outcome)
            // What has no row yet where it is has no rest to come back to.
            if outcome.isInUse { rest.removeAll { left in outcome.used.contains { left.path.isInside($0) } } }
            if !rest.isEmpty { try await publishMeanwhile(&outcome) }
        } while !rest.isEmpty
        if outcome.isInParts { try acknowledgeDirt() }
        return outcome
    }

    /// Reads and records what a walk found.
    private func take(_ found: consuming FolderWalk, _ outcome: inout Outcome) async throws {
        var walk = found
        note(walk.problems, &outcome)
        outcome.isIncomplete = outcome.isIncomplete || !walk.problems.isEmpty
        try release(walk.returned)
        var sightings = walk.takeSightings()
        if sightings.list.isEmpty, sightings.loose.isEmpty { return try acknowledgeDirt() }
        var identification = try Identification(sightings, parts.state)
        markOffered(&sightings, identification)
        let waiting = try leaveTakenPlaces(&sightings, identification)
        try noteNamesOfLost(sightings, &outcome)
        var ingestion = Ingestion(parts, places: walk.places, offer: offer)
        var moved: Set<Int> = []
        if try identification.isInPlace(sightings, parts.state) {
            try await importInGroups(&sightings, identification, walk.places, &ingestion, &outcome)
        } else {
            try await ingestion.read(0..<sightings.list.count, of: &sightings, identification)
            try DamageCheck(parts: parts).run(&sightings, identification, walk.places)
            try identification.matchByContent(sightings, parts.state)
            markOffered(&sightings, identification)
            moved = try leaveMoved(&sightings, identification, walk.places, &outcome)
            try leaveUnknown(&sightings, identification)
            for place in try record(sightings, identification, &outcome) {
                outcome.unsettled.insert(sightings.list[place].name, in: walk.places[place].path.parent)
                outcome.isUnsettled = true
            }
        }
        try noteOtherNames(sightings, identification, &outcome)
        note(ingestion.problems, &outcome)
        // Nothing tells when the store takes it.
        if !ingestion.refused.isEmpty { outcome.isIncomplete = true }
        let named = Set(outcome.obstacles.map(\.path))
        for (place, sighting) in sightings.list.enumerated() where sighting.isUnsettled {
            if sighting.isOfferedAgain { outcome.leavesOffered = true }
            let path = walk.places[place].path
            if moved.contains(place) || waiting.contains(place) || ingestion.refused.contains(place) { continue }
            if ingestion.gone.contains(place) {
                outcome.hasVanished = true
                outcome.unsettled.insert(sighting.name, in: path.parent)
                continue
            }
            if ingestion.inUse.contains(place) {
                noteUse(of: path, &outcome)
                continue
            }
            outcome.unsettled.insert(sighting.name, in: path.parent)
            // What it was before is not where it was, and still has its row.
            if let row = try identification.rows[place].flatMap({ try parts.state.row($0) }) {
                outcome.unsettled.insert(row.name, in: try parts.state.path(of: row).parent)
            }
            outcome.isUnsettled = true
            // What is in the way of the whole drive is in the way of this.
            if ingestion.tooLarge.contains(place) { continue }
            if !named.contains(path) {
                let cause = ingestion.beingWritten.contains(place) ? Cause.openForWriting : .changing
                outcome.obstacles.append(Obstacle(path, cause))
            }
            parts.report(.passedOver(sighting.name, "it changed while it was read, or cannot be read"))
        }
    }

    /// Of files that were moved too the bytes are stored again.
    private func markOffered(_ sightings: inout Sightings, _ identification: Identification) {
        guard let offer else { return }
        for (place, id) in identification.rows where offer.rows.contains(id) {
            sightings.list[place].isOfferedAgain = true
        }
    }

    /// Absence is believed after two complete walks that found the same and that nothing slipped through; with a watcher,
    /// after a second look at all that it had seen touched by then.
    private func settledWalk(_ rest: [LeftFolder]) async throws -> FolderWalk? {
        var walk = try self.walk { walk throws in
            if rest.isEmpty {
                try walk.walk(only: scope?.touched)
            } else {
                try walk.walk(rest: rest, onlyNew: scope != nil)
            }
        }
        var touched = scope?.touched.union(TouchedNames(whole: rest.map(\.path)))
        for _ in 0..<4 {
            if !walk.isTorn, !walk.mayHaveSeenHalf, !walk.missesSomething { return walk }
            touched = try await widened(touched, walk)
            let again = try self.walk(limit: .max) { walk throws in try walk.walk(only: touched) }
            let isWhole = touched == touched?.widened || !again.mayHaveSeenHalf
            if isWhole, !again.isTorn, !again.hasMissed, again.agrees(with: walk) { return again }
            walk = again
        }
        return nil
    }

    /// In one transaction, so that the many small reads of the index do not lock it each.
    private func walk(limit: Int? = nil, _ go: (inout FolderWalk) throws -> Void) throws -> FolderWalk {
        let new = try FolderWalk(parts, offered: offer?.rows ?? [], limit: limit ?? parts.options.groupRecords)
        var walk = new
        do {
            try parts.state.transaction {
                try go(&walk)
                try walk.keepKnown()
                try HiddenRows(parts.state).change(adding: walk.hidden, removing: walk.shown)
            }
        } catch let error as DriveError where error.kind == .noSpace {
            // What is known makes the next walk cheaper, and nothing else.
            walk = new
            try parts.state.transaction { try go(&walk) }
        }
        return walk
    }

    /// Where to look again; nil for everywhere. Of a file that was met by two names the folders are listed: where case does
    /// not count, what was renamed or deleted is found by a name that it does not have.
    private func widened(_ touched: TouchedPaths?, _ walk: FolderWalk) async throws -> TouchedPaths? {
        guard let touched, !walk.isTorn, let more = await scope?.secondLook() else { return nil }
        return walk.mayHaveSeenHalf ? touched.union(more).widened : touched.union(more)
    }

    private func note(_ problems: [FoundProblem], _ outcome: inout Outcome) {
        for problem in problems { parts.report(.passedOver(problem.path.name ?? FileName("."), problem.reason)) }
        outcome = outcome.adding(problems, now: parts.clock.milliseconds())
    }

    private func release(_ rows: [RowID]) throws {
        guard !rows.isEmpty else { return }
        try parts.state.transaction {
            for id in rows {
                guard var row = try parts.state.row(id) else { continue }
                row.isHeld = false
                try parts.state.save(row)
            }
        }
    }

    /// Nothing is missing or was moved, so every sighting stands for itself: items publish as they come, parents first.
    private func importInGroups(
        _ sightings: inout Sightings, _ identification: Identification, _ places: [WalkPlace],
        _ ingestion: inout Ingestion, _ outcome: inout Outcome
    ) async throws {
        var resolved: [Int: RowID] = [:]
        var start = 0
        while start < sightings.list.count {
            var end = start
            var bytes: UInt64 = 0
            while end < sightings.list.count, end - start < parts.options.groupRecords, bytes < parts.options.groupBytes
            {
                bytes += sightings.list[end].facts.kind == .file ? sightings.list[end].facts.size : 0
                end += 1
            }
            if end < sightings.list.count { outcome.isInParts = true }
            let slice = start..<end
            try await ingestion.read(slice, of: &sightings, identification)
            outcome.readBytes += bytes
            try DamageCheck(parts: parts).run(&sightings, identification, places, only: slice)
            // Nothing vanished or was moved: nothing has the place of another.
            _ = try record(sightings, identification, &outcome, only: slice, &resolved)
            start = end
            if start < sightings.list.count { try await publishMeanwhile(&outcome) }
        }
    }

    private func publishMeanwhile(_ outcome: inout Outcome) async throws {
        guard parts.options.maySend() else { return }
        let isMuch = outcome.records - outcome.published >= parts.options.publishedRecords
        guard isMuch || outcome.readBytes >= parts.options.groupBytes else { return }
        try await publish()
        (outcome.published, outcome.readBytes) = (outcome.records, 0)
    }

    /// Returns what has the place of something else, and waits for that.
    private func record(
        _ sightings: Sightings, _ identification: Identification, _ outcome: inout Outcome
    ) throws -> Set<Int> {
        var resolved: [Int: RowID] = [:]
        return try record(sightings, identification, &outcome, only: 0..<sightings.list.count, &resolved)
    }

    private func record(
        _ found: Sightings, _ identification: Identification, _ outcome: inout Outcome, only places: Range<Int>,
        _ resolved: inout [Int: RowID]
    ) throws -> Set<Int> {
        var sightings = found
        let gone = try braked(decidable(sightings, identification, &outcome), &outcome)
        let (waiting, vanished) = try leaveTakenPlaces(&sightings, identification, gone, only: places)
        if try bringsMore(sightings, identification, places) {
            // What is recorded, and sent, must not be taken back by a power cut: its facts would still look right, or
            // what is gone would be taken for a person's change.
            try parts.files.makeDurable()
        }
        let isAll = !outcome.isInParts
        outcome.records += try parts.state.transaction {
            var recorder = ScanRecorder(
                parts.state, sightings: sightings, identification: identification, vanished: vanished,
                forgotten: try hidden(in: vanished), entropy: parts.entropy,
                keepsExtendedAttributes: parts.files.keepsExtendedAttributes, makesRecords: parts.transport != nil,
                places: places, resolved: resolved)
            var numbers = try parts.state.numbers()
            let group = try recorder.record(&numbers, now: parts.clock.milliseconds())
            resolved = recorder.rows
            if let group {
                try parts.state.setNumbers(numbers)
                try parts.state.addPending(group)
                try parts.noteOwn(group, numbers.device)
                try parts.options.notesUnsent(group, parts.state)
                try parts.log(group, recorder)
            } else if !recorder.makesRecords, !outcome.isFirst {
                outcome.unrecorded += try parts.logRows(recorder)
            }
            // Not before: a pass that ends in between would find them again, as deletes that nobody has confirmed.
            if !vanished.isEmpty { try HeldDeletes(parts.state).settle(vanished) }
            // All that is dirty is looked at once a scan.
            try acknowledge(recorder.makesRecords ? recorder.touchedRows : [], andDirty: isAll)
            try parts.checkView()
            return group?.records.count ?? 0
        }
        return waiting
    }

    /// Whether contents were read, or other attributes of folders than are recorded.
    private func bringsMore(
        _ sightings: Sightings, _ identification: Identification, _ places: Range<Int>
    ) throws -> Bool {
        for place in places {
            let sighting = sightings.list[place]
            if sighting.content != nil { return true }
            guard sighting.kind == .folder, let attributes = sighting.attributes else { continue }
            let known = try identification.rows[place].flatMap { try parts.state.row($0) }
            if attributes.extended != known?.attributes.extended ?? [:] { return true }
        }
        return false
    }

    private func acknowledgeDirt() throws {
        if try !parts.state.dirt().isEmpty { try parts.state.transaction { try acknowledge([], andDirty: true) } }
    }

    /// Rows that the scan touched, and those that the view changed, may agree now.
    private func acknowledge(_ touched: Set<RowID>, andDirty looksAtDirt: Bool) throws {
        var acknowledgement = Acknowledgement(parts.state)
        var rows = touched
        if looksAtDirt {
            for item in try parts.state.dirt().items {
                for row in try parts.state.rows(holding: item) { rows.insert(row.id) }
            }
        }
        for id in rows.sorted() { if let row = try parts.state.row(id) { _ = try acknowledgement.acknowledge(row) } }
        try parts.state.changeDirt(removing: acknowledgement.settled, adding: ViewDirt())
    }
}

extension ScanPass.Outcome {
    func adding(_ found: [FoundProblem], now: UInt64) -> Self {
        var result = self
        result.problems += found.map { Problem(path: $0.path, reason: $0.reason, source: .scan, since: now) }
        result.obstacles += found.map { Obstacle($0.path, $0.cause) }
        return result
    }
}
