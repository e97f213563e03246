import DriveCore
import DriveFiles
import DriveIndex
import FileCoordination
import Glibc

/// Looks up what is known of items: in the index, in the folder, and what the watching process says of itself. Changes
/// nothing, and asks no store.
final class FactGatherer {
    let drive: DriveFacts
    private let folder: FolderPath
    let index: DriveIndex
    let reader: ViewReader
    let look: FolderLook
    private let own: DeviceID
    private let published: UInt64
    private let labels: DeviceLabels
    private let dirty: Set<ItemID>
    private let kept: Set<RowID>
    private let finder: RuleFinder
    let rules: KeptRules
    private(set) var obstacles: [DrivePath: [Obstacle]] = [:]
    /// Of what could not be brought, in the words of the pass that tried.
    private var problems: [DrivePath: String] = [:]
    private(set) var held: [DrivePath: HeldDelete] = [:]
    private let conflicts: SidesByPath
    private var touched: TouchedFiles?
    private lazy var history = ItemHistory(index, folder)
    private lazy var contents = KeptContents(index, hasStore: drive.hasStore)
    // What is asked for each of many items is read once.
    private lazy var unsent = Result { Set(try findUnsentDeletes()) }
    private lazy var lacking = Result { try index.namesWithoutFolder() }
    private(set) lazy var obstaclePaths = SortedPaths(obstacles.keys)
    private(set) lazy var pathsHeldElsewhere = SortedPaths(held.values.lazy.filter { !$0.isOwn }.map(\.path))
    /// As the watching process tells, or as this one knows.
    private let uses: [ItemUse]

    init(_ drive: DriveReader, running: RunningStatus?) throws {
        folder = drive.folder
        index = drive.index
        reader = ViewReader(index)
        look = try FolderLook(at: folder.bytes)
        own = try index.numbers().device
        published = try index.journal().published
        labels = try index.labels()
        dirty = try index.dirtyItems()
        kept = try KeptFolders(index).rows()
        conflicts = SidesByPath(try drive.conflicts())
        // Where the folder is not as a drive has it, something else is said.
        let now = try? drive.folderNow()
        touched = now.map { TouchedFiles($0) }
        finder = RuleFinder(files: now?.files, copies: try index.ignoreCopies(), state: index)
        rules = KeptRules(finder)
        for held in try drive.heldDeletes() { self.held[held.path] = held }
        self.drive = try DriveFacts(drive, running)
        uses = running?.uses ?? DriveCoordination.known(folder)?.claims.uses ?? []
        for obstacle in try StandingMemory(index).obstacles() { obstacles[obstacle.path, default: []].append(obstacle) }
        for problem in try index.problems() {
            switch problem.source {
            case .scrub:
                obstacles[problem.path, default: []].append(Obstacle(problem.path, .damagedFile, since: problem.since))
            case .apply: problems[problem.path] = problem.reason
            case .scan, .fetch: break
            }
        }
    }

    func facts(of path: DrivePath) throws -> ItemFacts {
        var facts = ItemFacts(path, drive: drive)
        facts.disk = try side(of: path)
        if path.isRoot { return facts }
        facts.row = try index.row(at: path)
        if facts.row == nil, facts.disk == .absent { facts.row = try index.rowAside(at: path) }
        if case .present(let here) = facts.disk, let row = facts.row, !row.agrees(with: here),
            try touched?.isAsRecorded(path) == true
        {
            facts.row?.facts = here
        }
        addRule(to: &facts)
        try addView(to: &facts)
        facts.obstacles = try obstacles(at: path)
        facts.problem = problems[path]
        if facts.obstacles.isEmpty, facts.isDirty, let row = facts.row {
            facts.obstacles = try obstacles(elsewhere: row)
        }
        if facts.obstacles.isEmpty, facts.isDirty, facts.entry == nil, facts.row?.kind == .folder {
            // What is in it has to go first.
            facts.obstacles = try obstacles(inside: path)
        }
        if facts.obstacles.isEmpty, facts.row == nil, facts.entry != nil, facts.disk == .absent {
            // The folder that it goes into has to come first.
            facts.obstacles = try obstacles(above: path)
        }
        if facts.obstacles.isEmpty, let since = try writtenUnseen(facts) {
            facts.obstacles = [Obstacle(path, .openForWriting, since: since)]
        }
        facts.mount = try mount(above: path) ?? mountWhereItIs(facts)
        facts.move = try move(of: facts)
        if facts.obstacles.contains(where: { $0.cause == .inUse }) { facts.user = user(of: path) }
        facts.barrier = try barrier(for: facts)
        facts.held = held[path].map { held in
            ItemFacts.Held(id: held.id, isOwn: held.isOwn, device: held.deleter?.label, since: held.since)
        }
        if case .present = facts.disk, let place = try heldPlace(of: path) { facts.held = place }
        if facts.held == nil, facts.row == nil, let entry = facts.entry, facts.disk == .absent {
            facts.held = try heldRow(of: entry) ?? heldFolder(above: path)
        }
        if facts.held == nil, facts.isDirty, facts.entry == nil, let row = facts.row {
            facts.held = try heldTarget(of: row)
        }
        if facts.held == nil, facts.isDirty, facts.entry?.kind != .folder, facts.row?.kind == .folder {
            facts.held = heldInside(path)
        }
        facts.conflict = conflicts.sides(of: path)
        if facts.row == nil, facts.entry == nil, facts.disk == .absent {
            facts.past = try history.past(of: path)
            if facts.past == nil { facts.isLogCut = try index.isLogCut() }
            if case .deleted(let event, nil)? = facts.past, let content = event.before {
                facts.isGoneForGood = try !contents.mayHave(content)
            }
            // The whole path of what lacks its folder is not known, only its name.
            facts.lacksFolder = try path.name.map(lacking.get().contains) ?? false
            facts.isUnsentDelete = try unsentDeletes().contains(path)
        } else {
            facts.latest = try history.latest(of: path)
        }
        return facts
    }

    /// Where the items are now that have something in their way where they are to be, and where that is.
    func obstructed() throws -> [DrivePath: DrivePath] {
        var result: [DrivePath: DrivePath] = [:]
        for path in obstacles.keys where try !path.isRoot && index.row(at: path) == nil {
            for member in try entry(at: path)?.members ?? [] {
                for row in try index.rows(holding: member.item) { result[try index.path(of: row)] = path }
            }
        }
        return result
    }

    /// The folder of another file system that the item is in, or would be.
    private func mount(above path: DrivePath) throws -> DrivePath? {
        for depth in path.components.indices.dropFirst() {
            let folder = DrivePath(Array(path.components[..<depth]))
            guard case .present(let here) = try side(of: folder) else { return nil }
            if here.isForeignMount { return folder }
        }
        return nil
    }

    /// The folder of another file system that lies over where the item was, which another device has moved since: of that nothing
    /// is known now, and it is not moved.
    private func mountWhereItIs(_ facts: ItemFacts) throws -> DrivePath? {
        guard facts.row == nil, facts.disk == .absent, let entry = facts.entry else { return nil }
        for place in try places(of: entry) {
            if let above = try mount(above: place) { return above }
            if case .present(let here) = try side(of: place), here.isForeignMount { return place }
        }
        return nil
    }

    private func move(of facts: ItemFacts) throws -> ItemFacts.Move? {
        guard let target = facts.obstacles.first(where: { $0.cause == .notMovable })?.path,
            let entry = try entry(at: target)
        else { return nil }
        return try places(of: entry).first { $0 != target }.map { ItemFacts.Move(from: $0, to: target) }
    }

    /// Where it is here, as far as rows know.
    private func places(of entry: ViewEntry) throws -> [DrivePath] {
        try entry.members.flatMap { try index.rows(holding: $0.item) }.map { try index.path(of: $0) }
    }

    /// Where what was deleted here was, as far as the store is still to be told. Of what went with its folder the path is not
    /// known any more, which the folder's own stands for.
    func unsentDeletes() throws -> Set<DrivePath> { try unsent.get() }

    private func findUnsentDeletes() throws -> [DrivePath] {
        try index.pendingGroups().flatMap(\.records).filter { !$0.isWanted }.compactMap { record in
            try reader.path(ofNode: record.parent)?.appending(record.name.value)
        }
    }

    private func user(of path: DrivePath) -> ItemFacts.User? {
        if let use = uses.first(where: { $0.path == path }) ?? uses.first(where: { $0.concerns(path) }) {
            return use.user
        }
        // Who had it before the drive was watched has never asked the process that watches.
        let file = folder.appending(DriveLayout.state).appending("coordination")
        return FileClaims.uses(
            inTheWayOf: [.writing(path, options: .forDeleting)], lockFile: file.bytes, except: drive.watcher?.process
        ).first?.user
    }

    func side(of path: DrivePath) throws(DriveError) -> ItemFacts.DiskSide {
        do {
            guard let here = try look.facts(of: path) else { return .absent }
            return .present(here)
        } catch {
            guard error.remedy == .skip else { throw error }
            return .unreadable(error)
        }
    }

    private func barrier(for facts: ItemFacts) throws -> ItemFacts.Barrier? {
        if case .unreadable = facts.disk { return closedFolder(on: facts.path) }
        for obstacle in facts.obstacles {
            switch obstacle.cause {
            case .unreadable:
                guard case .present(let here) = facts.disk else { continue }
                let isFolder = here.kind == .folder
                if let found = barrier(at: facts.path, to: isFolder ? .enter : .read, isFolder: isFolder) {
                    return found
                }
            case .notWritable:
                for (place, isFolder) in try places(of: facts) {
                    let wish: ItemAccess.Wish = isFolder ? .change : .own
                    if let found = barrier(at: place, to: wish, isFolder: isFolder) { return found }
                }
            default: break
            }
        }
        return nil
    }

    /// The topmost folder on the way that this process may not list or enter.
    private func closedFolder(on path: DrivePath) -> ItemFacts.Barrier? {
        path.components.indices.lazy.compactMap { depth in
            self.barrier(at: DrivePath(Array(path.components[..<depth])), to: .enter, isFolder: true)
        }.first
    }

    private func barrier(at path: DrivePath, to wish: ItemAccess.Wish, isFolder: Bool) -> ItemFacts.Barrier? {
        folder.appending(path: path).withPointer { ItemAccess.hindrance(to: wish, at: $0) }
            .map { ItemFacts.Barrier(path, isFolder: isFolder, $0) }
    }

    /// Where an item belongs and where it is, each with its folder.
    private func places(of facts: ItemFacts) throws -> [(DrivePath, isFolder: Bool)] {
        let rows = try (facts.entry?.members ?? []).flatMap { try index.rows(holding: $0.item) }
        let isFolder = facts.row?.kind == .folder || facts.entry?.kind == .folder
        let whole = try [(facts.path, isFolder)] + rows.map { (try index.path(of: $0), $0.kind == .folder) }
        return whole.flatMap { [($0.0.parent, true), $0] }
    }

    private func addRule(to facts: inout ItemFacts) {
        var isFolder = facts.row?.kind == .folder
        if case .present(let here) = facts.disk { isFolder = here.kind == .folder }
        facts.rule = rules.rule(for: facts.path, isFolder: isFolder)
        facts.isDefaultRule = facts.rule.map(finder.isDefault) ?? false
    }

    private func addView(to facts: inout ItemFacts) throws {
        facts.entry = try entry(at: facts.path)
        var members = facts.row?.members ?? []
        if let entry = facts.entry {
            members += entry.members
            if let item = try index.item(entry.primary.item)?.state {
                let newest = item.newest
                facts.author = newest.device == own ? nil : labels.text(newest.dot)
                facts.written = newest.time.milliseconds
            }
        }
        facts.isKept = facts.row.map { kept.contains($0.id) } ?? false
        facts.isDirty = !facts.isKept && members.contains { dirty.contains($0.item) }
        facts.isUnsent = try members.contains { try index.ownRecord(of: $0.item).map { $0.n > published } ?? false }
    }

    func entry(at path: DrivePath) throws -> ViewEntry? {
        var node = ItemID.root
        var found: ViewEntry?
        for name in path.components {
            if let found {
                guard found.kind == .folder, let next = try reader.node(of: found.primary.item) else { return nil }
                node = next
            }
            found = try reader.entry(named: name, in: node)
            if found == nil { return nil }
        }
        return found
    }
}

extension ItemState {
    /// Of its name, place, attributes and contents, the last that somebody changed.
    fileprivate var newest: Tag {
        var newest = claim
        for register in attributes.values { newest = max(newest, register.tag) }
        for head in heads { newest = max(newest, Tag(time: head.time, dot: head.dot)) }
        return newest
    }
}

extension Trouble {
    /// It happened where the drive was before it was moved.
    fileprivate func isElsewhere(than folder: FolderPath) -> Bool {
        guard isHere, let path else { return false }
        let place = FolderPath(path)
        // The names of folders need not be text, and the one that is told is.
        return ![folder, folder.resolved].contains { folder in
            [place, place.resolved].contains { $0.isInside(FolderPath(folder.description)) }
        }
    }
}

extension DriveFacts {
    init(_ reader: DriveReader, _ running: RunningStatus?) throws {
        let naming = try reader.storeConflict()
        self.init(now: SystemClock().milliseconds(), hasStore: reader.settings.store != nil || naming != nil)
        let memory = StandingMemory(reader.index)
        let noted = try memory.trouble().flatMap { $0.isElsewhere(than: reader.folder) ? nil : $0 }
        let met = running?.unnotedTrouble ?? noted ?? running?.storeWait
        // No pass could write down that it found no room.
        let reserve = DiskReserve(drive: reader.folder)
        let full = naming == nil && met == nil && reserve.isSpent ? reserve.refusal : nil
        trouble = (naming ?? full).map { Trouble($0, isHere: true, now: now) } ?? met
        pause = try memory.pause(now: now)
        watcher = running.map {
            Watcher(process: $0.process, unwatched: $0.unwatched, nextTry: $0.nextTry, nextLook: $0.nextLook)
        }
        let holder = DriveLock.holder(at: reader.folder.bytes)
        otherProcess = holder == getpid() || holder == running?.process ? nil : holder
        let isFull = try trouble?.kind == .noSpace || memory.obstacles().contains { $0.cause == .diskFull }
        if isFull {
            trash = TrashRoom((try? reader.trash()) ?? [], lacking: reader.lackingRoom(), now: now)
        }
        journals = try reader.index.problems().filter { $0.source == .fetch }
            .map { Obstacle($0.path, .journalUnreadable, since: $0.since) }
    }
}

extension DriveReader {
    /// Bytes that have to be made free before anything is brought; none where the folder is not as a drive has it, of which something
    /// else is said.
    fileprivate func lackingRoom() -> UInt64 { (try? lookingFiles().room().lacking) ?? 0 }
}
