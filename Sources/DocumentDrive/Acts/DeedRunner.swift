import DriveCore
import FileCoordination

/// Does what an act of a person decided, many deeds at the cost of two transactions.
///
/// What is taken out of the folder, or out of the trash, is written down before it moves (`AnnouncedTrash`): a file without an
/// entry could not be found, and an entry without a file looks like a loss. What takes the place of something is durable, and is
/// exchanged with it. What came out is looked at before it goes to the trash (`TakenOut`): if it is not what was expected, it is
/// put back.
struct DeedRunner {
    let parts: DriveParts
    let reason: TrashEntry.Reason
    var outcomes: [Outcome] = []
    var finder: ContentFinder
    var folders: ActFolders
    var entries: [Int: TrashEntry] = [:]
    var returning: [FileName: Return] = [:]
    var ending = Ending()
    var batch = Batch()
    /// The deed that is being done.
    private var place = 0
    /// Of each deed what it belongs to: of what belongs together nothing more is done after something that could not be.
    private var groups: [Int] = []
    private var groupCount = 0
    /// Of the folders that were made, those that the log has.
    var toldFolders = 0
    /// What the deed moved on its way and could not put back, in words.
    var stranded: [String] = []

    /// What became of a deed.
    struct Outcome {
        var deed: Deed
        /// Where it came to lie, which may be another name than the one asked for.
        var path: DrivePath
        /// Why it was not done.
        var obstacle: String?
        /// Of what kind the error was that it is.
        var failure: DriveError.Kind?
        var isDone = false
        /// The operation that it reverses, or a part of it.
        var reversed: UInt64?
        /// Where the file was, if not where the deed is done.
        var source: DrivePath?
        /// What a content that is put back had; nil where nobody has noted it.
        var attributes: Attributes?
    }

    /// What is written once all is done.
    struct Ending {
        var events: [(event: DriveEvent, reversed: UInt64?)] = []
        /// Entries of the trash whose files are not there, or not there any more.
        var emptied: [FileName] = []
        /// Rows of files that somebody has just said shall go: the brake is for deletes that nobody meant.
        var gone: Set<RowID> = []
        /// The files that took the place of others, which have no rows of their own.
        var successors: [FileIdentity: Successor] = [:]
        /// What came to where nothing was, of which no row tells yet.
        var placed: [FileIdentity: ContentHash] = [:]
        var hasMoved = false
    }

    struct Successor {
        /// Of the file whose content was replaced.
        var row: RowID?
        var hash: ContentHash
    }

    /// The store could not be asked for a content.
    private var away: DriveError?

    /// What an act does that nothing has done before.
    init(_ parts: DriveParts, reason: TrashEntry.Reason, _ deeds: [Deed]) throws {
        try self.init(parts, reason: reason, deeds.map { UndoPlan.Step(deed: $0) })
    }

    /// Of the deeds that belong together none is done after one that could not be: what a merge replaces does not go where the
    /// merge could not be written.
    init(_ parts: DriveParts, reason: TrashEntry.Reason, together deeds: [[Deed]]) throws {
        try self.init(parts, reason: reason, deeds.flatMap(\.self))
        groupCount = deeds.count
        groups = deeds.enumerated().flatMap { number, deeds in Array(repeating: number, count: deeds.count) }
    }

    init(_ parts: DriveParts, reason: TrashEntry.Reason, _ steps: [UndoPlan.Step]) throws {
        self.parts = parts
        self.reason = reason
        finder = try ContentFinder(parts, Set(steps.compactMap(\.deed.neededContent)))
        folders = ActFolders(parts)
        outcomes = steps.map {
            Outcome(
                deed: $0.deed, path: $0.deed.path, reversed: $0.operation, source: $0.source,
                attributes: $0.attributes)
        }
    }

    mutating func run() async throws {
        try announce()
        do { try await performAll() } catch {
            // What was done stays done, and is written down. Where not even that works, the next act settles it.
            try? settle()
            throw error
        }
        try parts.files.makeDurable()
        try end()
        if let away, !outcomes.contains(where: \.isDone) { throw away }
    }

    /// As `run`; but where only the rest could not be done, what is done is told, and of the rest why it is not.
    mutating func runAsFarAsItGoes() async throws {
        do { try await run() } catch let error as DriveError {
            guard outcomes.contains(where: \.isDone) else { throw error }
            for place in outcomes.indices where !outcomes[place].isDone {
                outcomes[place].failure = outcomes[place].failure ?? error.kind
                outcomes[place].obstacle = outcomes[place].obstacle ?? error.description
            }
        }
    }

    private mutating func performAll() async throws {
        defer { discardStaged() }
        for place in outcomes.indices {
            if place == batch.end { try await stageBatch(from: place) }
            if let obstacle = obstacle(before: place) {
                outcomes[place].obstacle = obstacle
                continue
            }
            do { try await performOrTell(place) } catch let error as DriveError where error.remedy == .skip {
                (outcomes[place].obstacle, outcomes[place].failure) = (error.message, error.kind)
            } catch let error as DriveError where error.kind == .unreachable {
                // Others may need nothing that only the store has.
                (outcomes[place].obstacle, outcomes[place].failure) = (error.description, error.kind)
                away = away ?? error
            }
            outcomes[place].isDone = outcomes[place].obstacle == nil
        }
    }

    /// Where what was on its way could not be put back, it is said where that is.
    private mutating func performOrTell(_ place: Int) async throws {
        stranded = []
        do { try await perform(place) } catch let error as DriveError {
            if stranded.isEmpty { throw error }
            let message = ([error.message] + stranded).joined(separator: "; ")
            throw DriveError(error.kind, message, path: error.path, retryAfter: error.retryAfter)
        }
        guard let obstacle = outcomes[place].obstacle else { return }
        outcomes[place].obstacle = ([obstacle] + stranded).joined(separator: "; ")
    }

    /// After something that no other deed could get past: what was done is written down whatever becomes of the deed that it
    /// stopped, of which what lies in the trash tells how far it came.
    private mutating func settle() throws {
        try parts.files.makeDurable()
        try end()
        try AnnouncedTrash(parts).finish()
    }

    /// Why what belongs together with the deed was not done: what stopped the one before has stopped it.
    private func obstacle(before place: Int) -> String? {
        guard place > 0, groups.indices.contains(place), groups[place] == groups[place - 1] else { return nil }
        return outcomes[place - 1].obstacle
    }

    /// For each of the groups of deeds the first that was not done.
    var groupFailures: [Outcome?] {
        var result = [Outcome?](repeating: nil, count: groupCount)
        for (group, outcome) in zip(groups, outcomes) where result[group] == nil && outcome.obstacle != nil {
            result[group] = outcome
        }
        return result
    }

    /// What was moved from where to where, one after the other: of what changed places the last is out of the way first.
    var moves: [(DrivePath, DrivePath)] {
        outcomes.filter { $0.obstacle == nil }.flatMap { outcome in
            let moves = outcome.deed.moves.map { ($0.from, $0.to) }
            guard moves.count > 1, let last = moves.last else { return moves }
            let aside = DrivePath([".docdrive", "staging", "outgoing", "rotated"])
            return [(last.0, aside)] + moves.dropLast().reversed() + [(aside, last.1)]
        }
    }

    mutating func end() throws {
        for (place, entry) in entries where outcomes[place].obstacle != nil { ending.emptied.append(entry.name) }
        let resized = try resizedEntries()
        try parts.state.transaction {
            for entry in resized { try parts.state.addTrash(entry) }
            for name in ending.emptied { try parts.state.removeTrash(name) }
            try AnnouncedTrash(parts).end(
                leaving: takings { !$0.isDone && $0.obstacle == nil },
                returns: returns { !$0.isDone && $0.obstacle == nil })
            for (event, reversed) in ending.events {
                parts.operations.undoes(reversed)
                try parts.log(event)
            }
            try keepRows()
            try HeldDeletes(parts.state).confirm(ending.gone)
        }
    }

    /// The index knew the size that a file had at the last pass; what came into the trash may have been saved since.
    private func resizedEntries() throws -> [TrashEntry] {
        let trash = try parts.files.open(.trash)
        return try entries.sorted { $0.key < $1.key }.compactMap { _, entry in
            guard let facts = try parts.files.look(at: entry.name, in: trash), facts.size != entry.size else {
                return nil
            }
            var entry = entry
            entry.size = facts.size
            return entry
        }
    }

    /// A file whose content was replaced stays what it is to all devices, also where it was moved too: the next scan finds it by
    /// its identity, and reads it.
    private func keepRows() throws {
        for (identity, successor) in ending.successors {
            guard let id = successor.row, !ending.gone.contains(id), var row = try parts.state.row(id) else { continue }
            row.facts.identity = identity
            row.placedInBoot = nil
            try parts.state.save(row)
        }
    }

    mutating func perform(_ place: Int) async throws {
        self.place = place
        var isDone = false
        defer { if !isDone { folders.takeBack(after: toldFolders) } }
        let obstacle =
            switch outcomes[place].deed {
            case .putBack(let hash, let path, let old): try await putBack(hash, at: path, replacing: old, place)
            case .takeOut(let name, let path): try takeOut(name, to: path, place)
            case .write(_, let path, let old): try replace(at: path, await takeStaged(place), old, place)
            case .takeAway(let path, let hash): try takeAway(path, hash, place)
            case .move(let from, let to): try move(from, to: to)
            case .moveNested(let from, let to): try moveNested(from, to: to)
            case .rotate(let paths): try rotate(paths)
            case .moveOver(let from, let hash, let to, let old): try moveOver(from, hash, to, old, place)
            case .makeFolder(let path): try makeFolder(path)
            case .removeFolder(let path): try removeFolder(path)
            case .setAttributes(let attributes, let path): try setAttributes(attributes, of: path)
            case .touch(let path): try touch(path)
            case .expect(let path, let hash): try expect(path, hash)
            }
        outcomes[place].obstacle = obstacle
        isDone = obstacle == nil
        guard isDone else { return }
        noteFolders()
        batch.staged[place] = nil
    }

    mutating func note(
        _ kind: DriveEvent.Kind, _ path: DrivePath, from: DrivePath? = nil, before: ContentHash? = nil,
        after: ContentHash? = nil, attributes: Attributes? = nil
    ) {
        let time = parts.clock.milliseconds()
        noteFolders()
        let event = DriveEvent(
            time: time, kind: kind, path: path, from: from, before: before, after: after, attributes: attributes)
        ending.events.append((event, outcomes[place].reversed))
    }

    /// Those that were made on the way, so that they go with what they were made for.
    mutating func noteFolders() {
        for folder in folders.made.dropFirst(toldFolders) {
            try? giveAttributes(toFolder: folder)
            let event = DriveEvent(time: parts.clock.milliseconds(), kind: .added, path: folder)
            ending.events.append((event, outcomes[place].reversed))
        }
        toldFolders = folders.made.count
    }

    /// The row of a file that was looked at, which may have been moved or replaced meanwhile.
    func row(of facts: FileFacts, at path: DrivePath) throws -> Row? {
        if let successor = ending.successors[facts.identity] {
            return try successor.row.flatMap { try parts.state.row($0) }
        }
        let rows = try parts.state.rows(identity: facts.identity)
        // Names of one file have rows of their own.
        if rows.count == 1 { return rows[0] }
        if let row = try rows.first(where: { try parts.state.path(of: $0) == path }) { return row }
        // Saved anew by an editor. Once something was moved, paths are not those of rows any more.
        return ending.hasMoved ? nil : try parts.state.row(at: path)
    }

    func hash(of facts: FileFacts, at path: DrivePath) throws -> ContentHash? {
        try ending.successors[facts.identity]?.hash ?? ending.placed[facts.identity] ?? row(of: facts, at: path)?.hash
    }
}

// Why something was not done.
extension DeedRunner {
    static let isGone = "it is not there any more"
    static let copyIsGone = "its copy is not there any more"
    static let hasChanged = "it has changed meanwhile, and stays as it is"
    static let nameIsTaken = "something else has its name now"
    static let folderIsTaken = "something else has the name of its folder; move that away first"
    static let noFreeName = "too many files of this name are here; move some away"
}

extension Deed {
    /// What has to be found somewhere.
    fileprivate var neededContent: ContentHash? { if case .putBack(let hash, _, _) = self { hash } else { nil } }
}
