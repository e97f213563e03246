import DriveCore

/// Brings the folder to what the view shows (`merge.md` 3.4): files that nobody wants to the trash, entries top down,
/// emptied folders. Any failed check does nothing; the next turn looks again. Nothing is remembered as work to do.
struct Applier {
    let parts: DriveParts
    private var matching: Matching
    private var runner: StepRunner
    private var batch: StepBatch
    private var reader: (any ContentReader)?
    private var outcome = ApplyOutcome()
    private var lastFolder: (row: RowID, path: DrivePath)?
    /// Numbers for rows to come, taken many at once.
    private var reserved: [RowID] = []
    /// A step failed on its way: its intent is decided by the next pass, and no other step may come before that.
    private var isMidStep = false

    init(_ parts: DriveParts) throws {
        self.parts = parts
        // In one transaction, so that the many small reads of the index do not lock it each.
        matching = try parts.state.transaction {
            let work =
                parts.options.appliesEverything
                ? try WorkSet(everythingIn: parts.state) : try WorkSet(parts.state.dirt(), in: parts.state)
            return try Matching(work, parts.state)
        }
        runner = StepRunner(parts)
        batch = StepBatch(files: parts.options.batchFiles, bytes: parts.options.batchBytes)
        reader = parts.transport?.contentReader()
    }

    mutating func run() async throws -> ApplyOutcome {
        try removeFiles()
        for entry in matching.entries { try await bring(entry) }
        try flush()
        try removeFolders()
        try acknowledge()
        let problems = outcome.problems
        try parts.state.transaction { try parts.state.setProblems(problems, from: .apply) }
        return outcome
    }

    private mutating func passOver(_ name: FileName, _ reason: String) {
        outcome.changedUnderneath += 1
        parts.report(.passedOver(name, reason))
    }

    /// What agrees with the view is not dirty any more.
    private func acknowledge() throws {
        try parts.state.transaction {
            var acknowledgement = Acknowledgement(parts.state)
            var left: Set<RowID> = []
            for id in matching.rows.keys.sorted() {
                guard let row = try parts.state.row(id) else { continue }
                if try !acknowledgement.acknowledge(row) { left.insert(id) }
            }
            try clean(left)
            try parts.checkView()
        }
    }

    /// Keeps as dirt the items whose row or entry is not settled.
    private func clean(_ left: Set<RowID>) throws {
        var dirt = ViewDirt()
        for id in left { for member in try parts.state.row(id)?.members ?? [] { dirt.items.insert(member.item) } }
        for entry in matching.entries {
            guard let id = matching.row(for: entry), let row = try parts.state.row(id), !left.contains(id),
                !row.isParked, row.name == entry.name, row.matches(entry)
            else {
                dirt.groups.insert(GroupKey(node: entry.node, name: entry.ownName))
                for member in entry.members { dirt.items.insert(member.item) }
                continue
            }
        }
        try parts.state.setDirt(dirt)
    }
}

// A: files that the view does not want.
extension Applier {
    private mutating func removeFiles() throws {
        let files = try matching.removals(parts.state).files
        let held = try braked(files)
        for row in files where !held.contains(row.id) {
            guard try !isIgnored(row), try runner.locator.verified(row, allowsEdit: false) != nil else {
                if row.isParked { try unpark(row) }
                passOver(row.name, "it is not as it was")
                continue
            }
            let staged = FileName("out-\(row.id.rawValue)-\(parts.entropy.nonce(8))")
            let trash = try trashEntry(for: row, reason: isStillShown(row) ? .merged : .deleted)
            batch.add(
                Intent(step: .remove(staged: staged, trash: trash), identity: row.facts.identity, row: row), bytes: 0)
            if batch.isFull { try flush() }
        }
        try flush()
    }

    private func isStillShown(_ row: Row) throws -> Bool {
        guard let hash = row.hash else { return false }
        return try row.members.contains { member in
            try ViewReader(parts.state).entries(showing: member.item).contains { $0.content?.hash == hash }
        }
    }

    /// Deletes by others, too many at once: these are held until somebody decides.
    private mutating func braked(_ files: [Row]) throws -> Set<RowID> {
        let deletes = HeldDeletes(parts.state)
        let going = Set(try files.filter { try !isStillShown($0) }.map(\.id))
        let confirmed = try deletes.confirmed().intersection(going)
        let doubtful = going.subtracting(confirmed)
        let now = parts.clock.milliseconds()
        let history = Brake.History(encoded: try parts.state.setting("brake-in") ?? [])
        let brake = parts.options.brake
        let total = try parts.state.rowCount()
        try deletes.settle(confirmed)
        guard brake.holds(doubtful.count, of: total, after: history, now: now) else {
            if !doubtful.isEmpty {
                let noted = brake.noting(doubtful.count, in: history, now: now)
                try parts.state.transaction { try parts.state.setSetting(noted.encoded, "brake-in") }
            }
            try deletes.setIncoming([])
            return []
        }
        outcome.held = doubtful.count
        try deletes.setIncoming(doubtful)
        return doubtful
    }

    private func isIgnored(_ row: Row) throws -> Bool {
        parts.options.ignores(try parts.state.path(of: row), row.kind == .folder)
    }

    private func trashEntry(for row: Row, reason: TrashEntry.Reason) throws -> TrashEntry {
        TrashEntry(
            name: FileName("\(row.id.rawValue)-\(parts.entropy.nonce(16))"), path: try parts.state.path(of: row),
            hash: row.hash, size: row.facts.size, reason: reason, time: parts.clock.milliseconds())
    }
}

// B: entries, top down.
extension Applier {
    private mutating func bring(_ entry: ViewEntry) async throws {
        if let folder = matching.folder(ofNode: entry.node), batch.rows.contains(folder) { try flush() }
        guard let folder = matching.folder(ofNode: entry.node), let above = try pathOfFolder(folder) else { return }
        let path = above.appending(entry.name)
        if parts.options.ignores(path, entry.kind == .folder) { return }
        if folder == .root, entry.name == FileName(".docdrive") {
            note(path, "this name belongs to the drive itself; the item is not shown")
            return
        }
        do {
            guard let id = matching.row(for: entry), let row = try parts.state.row(id) else {
                try await bringNew(entry, to: folder, path)
                return
            }
            if row.isHeld { return }
            guard let placed = try move(row, to: entry, in: folder) else { return }
            if !placed.matches(entry) { try await update(placed, to: entry, path) }
        } catch let error as DriveError where !isMidStep && (error.remedy == .skip || error.kind == .noSpace) {
            outcome.leavesStaging = true
            note(path, error.message)
        }
    }

    /// Entries come folder by folder.
    private mutating func pathOfFolder(_ folder: RowID) throws -> DrivePath? {
        if let lastFolder, lastFolder.row == folder { return lastFolder.path }
        guard let row = try parts.state.row(folder) else { return nil }
        let path = try parts.state.path(of: row)
        lastFolder = (folder, path)
        return path
    }

    private mutating func note(_ path: DrivePath, _ reason: String) {
        outcome.problems.append(
            Problem(path: path, reason: reason, source: .apply, since: parts.clock.milliseconds()))
    }

    private mutating func bringNew(_ entry: ViewEntry, to folder: RowID, _ path: DrivePath) async throws {
        guard try runner.locator.open(folder) != nil, try makeFree(entry.name, in: folder) else {
            passOver(entry.name, "its place is taken")
            return
        }
        let id = try newRowID()
        let staged = FileName("new-\(id.rawValue)-\(parts.entropy.nonce(8))")
        guard let facts = try await stage(entry, as: staged, path) else { return }
        var row = Row(
            id: id, parent: folder, name: entry.name, kind: entry.kind, facts: facts, hash: entry.content?.hash,
            attributes: entry.attributes)
        let free = try parts.state.free(entry.members, for: row)
        try row.stand(for: entry, free.isEmpty ? entry.members : free, parts.state)
        row.placedInBoot = parts.options.boot
        batch.add(
            Intent(step: .place(staged: staged), identity: facts.identity, row: row), bytes: facts.size, entry: entry)
        if entry.kind == .folder { matching.placed(entry, as: id) }
        if batch.isFull { try flush() }
    }

    private mutating func newRowID() throws -> RowID {
        if reserved.isEmpty {
            reserved = try parts.state.transaction { try (0..<64).map { _ in try parts.state.newRowID() } }.reversed()
        }
        return reserved.removeLast()
    }

    /// The whole new item, in staging.
    private mutating func stage(_ entry: ViewEntry, as name: FileName, _ path: DrivePath) async throws -> FileFacts? {
        switch entry.kind {
        case .folder: return try parts.files.stageFolder(name)
        case .link:
            guard case .inline(let target)? = entry.content?.body, !target.isEmpty, !target.contains(0) else {
                note(path, "the link has no target that could be made")
                return nil
            }
            return try parts.files.stageLink(name, target: target, modified: entry.attributes.modified)
        case .file:
            guard let content = entry.content, let reader else { return nil }
            try checkSpace(for: content.size)
            let writer = try parts.files.stageFile(name, size: content.size)
            do {
                try await reader.read(content) { bytes throws(DriveError) in try writer.write(bytes) }
                let facts = try writer.finish(entry.attributes)
                outcome.bytes += content.size
                parts.report(.progress(files: 1, bytes: content.size))
                return facts
            } catch {
                try? parts.files.discard(name, in: .incoming)
                throw error
            }
        }
    }

    private func checkSpace(for size: UInt64) throws {
        let (available, total) = try parts.files.freeSpace()
        let floor = max(parts.options.freeSpaceFloor, total / 100)
        guard available >= size, available - size >= min(floor, total / 10) else {
            throw DriveError(.noSpace, "the disk is nearly full; make room and sync again")
        }
    }

    /// To where the view has it. Nil where that cannot be done now.
    private mutating func move(_ row: Row, to entry: ViewEntry, in folder: RowID) throws -> Row? {
        if row.parent == folder, row.name == entry.name, !row.isParked { return row }
        try flush()
        guard try runner.locator.open(folder) != nil, try runner.locator.verified(row) != nil,
            try makeFree(entry.name, in: folder), let row = try parts.state.row(row.id),
            try runner.locator.verified(row) != nil, try !isInside(folder, row)
        else {
            passOver(entry.name, "it cannot be moved from \(row.name)")
            return nil
        }
        var new = row
        new.parent = folder
        new.name = entry.name
        new.isParked = false
        new.isDerived = entry.isDerived
        if row.kind == .folder || (row.matches(entry) && row.shares(entry.members)) {
            try new.stand(for: entry, try parts.state.free(entry.members, for: new), parts.state)
        }
        let step = Intent.Step.move(fromFolder: row.parent, fromName: row.name, wasParked: row.isParked)
        let done = try run(Intent(step: step, identity: row.facts.identity, row: new))
        if row.kind == .folder {
            runner.locator.forget()
            lastFolder = nil
        }
        return done
    }

    private func isInside(_ folder: RowID, _ row: Row) throws -> Bool {
        guard row.kind == .folder, let start = try parts.state.row(folder) else { return false }
        return try parts.state.chain(of: start).contains { $0.id == row.id }
    }

    /// Other bytes or attributes than the row's.
    private mutating func update(_ row: Row, to entry: ViewEntry, _ path: DrivePath) async throws {
        guard try runner.locator.verified(row) != nil else {
            passOver(entry.name, "it is not as it was")
            return
        }
        var new = row
        new.attributes = entry.attributes
        new.hash = entry.content?.hash
        new.isDerived = entry.isDerived
        try new.stand(for: entry, try parts.state.free(entry.members, for: new), parts.state)
        if row.hash == entry.content?.hash {
            batch.add(Intent(step: .setAttributes, identity: row.facts.identity, row: new), bytes: 0)
        } else {
            let staged = FileName("edit-\(row.id.rawValue)-\(parts.entropy.nonce(8))")
            guard let facts = try await stage(entry, as: staged, path) else { return }
            if entry.kind == .file, let (folder, name) = try runner.locator.place(of: row) {
                do { try parts.files.adoptLocalMetadata(from: name, in: folder, to: staged) } catch {
                    try? parts.files.discard(staged, in: .incoming)
                    throw error
                }
            }
            new.facts = facts
            new.placedInBoot = parts.options.boot
            let trash = try trashEntry(for: row, reason: .replaced)
            batch.add(
                Intent(step: .replace(staged: staged, trash: trash), identity: facts.identity, row: new),
                bytes: facts.size)
        }
        if batch.isFull { try flush() }
    }
}

// Making room.
extension Applier {
    /// Whether the name can be had: what has it and belongs elsewhere waits in `.parked`; what nobody knows stays.
    private mutating func makeFree(_ name: FileName, in folder: RowID) throws -> Bool {
        guard let open = try runner.locator.open(folder) else { return false }
        guard let facts = try parts.files.look(at: name, in: open) else {
            // A row whose item left while nobody looked still has the place: the next scan will name it.
            return try parts.state.child(of: folder, named: name) == nil
        }
        guard let row = try parts.state.row(identity: facts.identity), row.parent == folder, row.name == name,
            try runner.locator.verified(row) != nil
        else { return false }
        try flush()
        if matching.isWanted(row.id) { return try park(row) }
        return row.kind == .folder && !matching.waiting.contains(row.id) && !row.isHeld ? try evacuate(row) : false
    }

    private mutating func park(_ row: Row) throws -> Bool {
        if row.isParked { return true }
        guard try runner.locator.verified(row) != nil else { return false }
        let done = try run(Intent(step: .park, identity: row.facts.identity, row: row)) != nil
        runner.locator.forget()
        return done
    }

    /// Nobody wants it any more, but it was edited in the moment that it was parked: back where the scan sees it.
    private mutating func unpark(_ row: Row) throws {
        guard try runner.locator.verified(row) != nil, try makeFree(row.name, in: row.parent) else { return }
        var new = row
        new.isParked = false
        let step = Intent.Step.move(fromFolder: row.parent, fromName: row.name, wasParked: true)
        _ = try run(Intent(step: step, identity: row.facts.identity, row: new))
    }

    private mutating func evacuate(_ folder: Row) throws -> Bool {
        for row in try parts.state.children(of: folder.id) {
            if matching.waiting.contains(row.id) || row.isHeld { return false }
            if matching.isWanted(row.id) {
                guard try park(row) else { return false }
            } else if row.kind == .folder {
                guard try evacuate(row) else { return false }
            } else {
                return false
            }
        }
        return try removeFolder(folder)
    }
}

// C: emptied folders; and running steps.
extension Applier {
    private mutating func removeFolders() throws {
        for row in try matching.removals(parts.state).folders {
            guard let row = try parts.state.row(row.id), try !isIgnored(row) else { continue }
            _ = try removeFolder(row)
        }
    }

    private mutating func removeFolder(_ row: Row) throws -> Bool {
        guard try parts.state.children(of: row.id).isEmpty, try runner.locator.verified(row) != nil,
            let open = try runner.locator.open(row.id), try parts.files.list(open).isEmpty
        else { return false }
        let staged = FileName("gone-\(row.id.rawValue)-\(parts.entropy.nonce(8))")
        return try run(Intent(step: .removeFolder(staged: staged), identity: row.facts.identity, row: row)) != nil
    }

    private mutating func run(_ intent: Intent) throws -> Row? {
        isMidStep = true
        let done = try runner.run([intent])[0]
        isMidStep = false
        try noteRefused()
        count(intent, done != nil)
        return done
    }

    private mutating func flush() throws {
        let intents = batch.take()
        guard !intents.isEmpty else { return }
        isMidStep = true
        for (intent, row) in zip(intents, try runner.run(intents)) { count(intent, row != nil, isBatched: true) }
        isMidStep = false
        try noteRefused()
        runner.locator.forget()
    }

    private mutating func noteRefused() throws {
        for (intent, error) in runner.refused { note(try parts.state.path(of: intent.row), error.message) }
        runner.refused = []
    }

    private mutating func count(_ intent: Intent, _ isDone: Bool, isBatched: Bool = false) {
        guard isDone else {
            passOver(intent.row.name, "somebody was faster")
            return
        }
        outcome.steps += 1
        switch intent.step {
        case .place: outcome.placed += 1
        case .replace: outcome.replaced += 1
        case .move: outcome.moved += 1
        case .remove, .removeFolder: outcome.removed += 1
        case .park, .setAttributes: break
        }
        if case .place = intent.step, let entry = batch.entries.removeValue(forKey: intent.row.id) {
            matching.placed(entry, as: intent.row.id)
        }
    }
}

/// Steps that are independent of each other, made durable together.
struct StepBatch {
    private let files: Int
    private let bytes: UInt64
    private var intents: [Intent] = []
    private var sum: UInt64 = 0
    private(set) var rows: Set<RowID> = []
    var entries: [RowID: ViewEntry] = [:]

    init(files: Int, bytes: UInt64) {
        self.files = files
        self.bytes = bytes
    }

    var isFull: Bool { intents.count >= files || sum >= bytes }

    mutating func add(_ intent: Intent, bytes: UInt64, entry: ViewEntry? = nil) {
        intents.append(intent)
        rows.insert(intent.row.id)
        sum += bytes
        entries[intent.row.id] = entry
    }

    mutating func take() -> [Intent] {
        defer {
            intents = []
            rows = []
            sum = 0
        }
        return intents
    }
}
