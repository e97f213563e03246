import DriveCore

/// Carries out steps that are written down as intents: each is the rename of a known inode, so an interrupted one is
/// decidable (`StepRecovery`). Nothing is done to an item that is not exactly as its row says.
struct StepRunner {
    let parts: DriveParts
    var locator: FolderLocator
    private var paths: RowPaths
    /// Steps that the file system refused, for whoever names them to people.
    var refused: [(Intent, DriveError)] = []
    /// Steps that were left because somebody uses the item, and where it is and is to be.
    var left: [[DrivePath]] = []
    /// Names in the trash of what could not be read.
    private var unread: Set<FileName> = []
    /// Somebody has asked for this: it does not wait for the access in which it was asked for.
    var isAct = false

    init(_ parts: DriveParts) {
        self.parts = parts
        locator = FolderLocator(parts)
        paths = RowPaths(parts.state)
    }

    /// Runs the steps and returns, for each, the row as it is now; nil where the world had changed and nothing was done.
    /// What is known of their items spares asking for it.
    mutating func run(_ intents: [Intent], _ shown: [ItemID: ShownItem] = [:]) throws -> [Row?] {
        guard !intents.isEmpty else { return [] }
        paths.forget()
        if intents.contains(where: \.needsDurableContent) { try parts.files.makeDurable() }
        try parts.state.transaction { try parts.state.setIntents(intents) }
        // A folder may have left the drive since it was opened.
        locator.forget()
        let results = try performAll(intents)
        // While it is known whose they are: a crash from here on would take them for a person's.
        for (intent, row) in zip(intents, results) where row == nil { try retrieve(intent) }
        try parts.keepClosed(intents, results)
        // A row must never claim a rename that a power cut could take back.
        try parts.files.makeDurable()
        try parts.state.transaction {
            paths.forget()
            let restored = try RestoredDeletes(parts.state).items()
            for (intent, row) in zip(intents, results) {
                if let row {
                    let isUnread = intent.trash.map { unread.contains($0.name) } ?? false
                    try parts.finish(intent, row, &paths, restored: restored, shown, isUnread: isUnread)
                }
                if intent.row.kind == .folder, !intent.isPlacing { paths.forget() }
            }
            try parts.state.setIntents([])
        }
        for (intent, row) in zip(intents, results) { try cleanUp(after: intent, isDone: row != nil) }
        return results
    }

    private mutating func performAll(_ intents: [Intent]) throws -> [Row?] {
        parts.claims?.syncingMany(true)
        defer { parts.claims?.syncingMany(false) }
        var results: [Row?] = []
        for intent in intents { results.append(try performOrLeave(intent)) }
        return results
    }

    /// Not while somebody who coordinates uses the item.
    private mutating func performClaimed(_ intent: Intent) throws -> Row? {
        guard let claims = parts.claims else { return try perform(intent) }
        let use = try StepUse(intent, parts.state, &paths)
        guard let claim = claims.trySyncing(use.intents, joining: isAct ? TaskPart.current.purposes : [])
        else {
            left.append(use.intents.map(\.path))
            return nil
        }
        var isDone = false
        defer { claims.endSyncing(claim, isDone ? use.report : AccessReport(), moved: isDone ? use.move : nil) }
        let row = try perform(intent)
        isDone = row != nil
        return row
    }

    /// One item that may not be changed stops nothing else: where it is now tells whether its step was taken.
    private mutating func performOrLeave(_ intent: Intent) throws -> Row? {
        do { return try performClaimed(intent) } catch let error as DriveError where error.leavesTheRest {
            // Who has removed it meanwhile knows; everybody else learns of it from the next scan.
            if error.kind != .notFound { refused.append((intent, error)) }
            switch try StepRecovery(parts: parts).decide(intent) {
            case .notTaken: return nil
            case .taken: return intent.row
            case .takenUnread:
                if let trash = intent.trash { unread.insert(trash.name) }
                return intent.row
            }
        }
    }

    private mutating func perform(_ intent: Intent) throws -> Row? {
        switch intent.step {
        case .place(let staged): try place(staged, intent)
        case .replace(let staged, let trash): try replace(staged, trash, intent)
        case .move(let folder, let name, let wasParked): try move(folder, name, wasParked, intent)
        case .park: try park(intent)
        case .remove(let staged, let trash): try remove(staged, trash, intent)
        case .removeFolder(let staged): try removeFolder(staged, intent)
        case .setAttributes: try setAttributes(intent)
        }
    }

    private mutating func place(_ staged: FileName, _ intent: Intent) throws -> Row? {
        guard let folder = try locator.open(intent.row.parent) else { return nil }
        let outcome = try parts.files.move(
            staged, in: parts.files.open(.incoming), to: intent.row.name, in: folder)
        // What has just been staged is no folder that it could go into.
        if outcome == .impossible { refused.append((intent, .impossibleName)) }
        return outcome == .done ? try looked(at: intent.row, in: folder) : nil
    }

    /// The row with the facts that the rename left, if it is still the file that was put there.
    private func looked(at row: Row, in folder: OpenFolder) throws -> Row {
        guard let facts = try parts.files.look(at: row.name, in: folder), facts.identity == row.facts.identity,
            try isUntouched(row, facts, row.name, in: folder)
        else { return row }
        var row = row
        row.facts = facts
        return row
    }

    /// Whether only the rename changed the item: its change time, which every other change would change too, says
    /// nothing now. What is in a folder has rows of its own.
    private func isUntouched(_ row: Row, _ facts: FileFacts, _ name: FileName, in folder: OpenFolder) throws -> Bool {
        if row.kind == .folder { return try hasAttributes(row.attributes, name, in: folder) }
        guard facts.size == row.facts.size, facts.modified == row.facts.modified,
            facts.isExecutable == row.facts.isExecutable
        else { return false }
        return try row.kind != .file || hasAttributes(row.attributes, name, in: folder)
    }

    private func hasAttributes(_ attributes: Attributes, _ name: FileName, in folder: OpenFolder) throws -> Bool {
        guard parts.files.keepsExtendedAttributes else { return true }
        return try parts.files.extendedAttributes(of: name, in: folder) == attributes.extended
    }

    private mutating func move(_ from: RowID, _ name: FileName, _ wasParked: Bool, _ intent: Intent) throws -> Row? {
        let source = wasParked ? try parts.files.open(.parked) : try locator.open(from)
        guard let source, let target = try locator.open(intent.row.parent) else { return nil }
        let outcome = try parts.files.move(
            wasParked ? intent.row.parkedName : name, in: source, to: intent.row.name, in: target)
        // Somebody may have moved the one folder into the other in this moment.
        if outcome == .impossible, try intent.row.kind != .folder || !parts.holdsName(intent.row.name) {
            refused.append((intent, .impossibleName))
        }
        return outcome == .done ? try looked(at: intent.row, in: target) : nil
    }

    private mutating func park(_ intent: Intent) throws -> Row? {
        guard let folder = try locator.open(intent.row.parent) else { return nil }
        let parked = try parts.files.open(.parked)
        guard try parts.files.move(intent.row.name, in: folder, to: intent.row.parkedName, in: parked) == .done,
            let facts = try parts.files.look(at: intent.row.parkedName, in: parked)
        else { return nil }
        guard facts.identity == intent.identity else {
            try parts.giveBack(intent.row.parkedName, from: parked, as: intent.row.name, in: folder)
            return nil
        }
        var row = intent.row
        if try isUntouched(row, facts, row.parkedName, in: parked) { row.facts = facts }
        return row
    }

    private mutating func setAttributes(_ intent: Intent) throws -> Row? {
        guard let folder = try locator.open(intent.row.parent),
            let facts = try parts.files.look(at: intent.row.name, in: folder),
            intent.row.kind == .folder
                ? try facts.identity == intent.identity && isAsRecorded(folder: intent.row, in: folder)
                : facts.looksUnchanged(since: intent.row.facts),
            try parts.files.setAttributes(
                intent.row.attributes, of: intent.row.name, in: folder, expecting: intent.identity)
        else { return nil }
        // The other facts stay, so that the next scan reads the file once more: an edit in this very moment could hide
        // behind the time that was just set.
        var row = intent.row
        if let now = try parts.files.look(at: row.name, in: folder) { row.noteDate(in: now) }
        return row
    }

    /// A folder's dates change with what is in it, so only a read tells whether somebody tagged it since the scan.
    private func isAsRecorded(folder row: Row, in above: OpenFolder) throws -> Bool {
        guard let recorded = try parts.state.row(row.id) else { return false }
        return try hasAttributes(recorded.attributes, row.name, in: above)
    }

    /// Exchange, look at what came out, put it back if it is not what was expected.
    private mutating func replace(_ staged: FileName, _ trash: TrashEntry, _ intent: Intent) throws -> Row? {
        let outgoing = try parts.files.open(.outgoing)
        guard let folder = try locator.open(intent.row.parent) else { return nil }
        try parts.requireReadable(intent.row.name, in: folder)
        guard
            try parts.files.move(staged, in: parts.files.open(.incoming), to: staged, in: outgoing) == .done,
            try parts.files.exchange(staged, in: outgoing, with: intent.row.name, in: folder) == .done
        else { return nil }
        let known = try parts.state.row(intent.row.id)?.facts
        let taken = try parts.takenOut(staged, trash.hash, known: known)
        guard taken != .other else {
            try parts.putBack(staged, intent, folder)
            return nil
        }
        guard try putAway(staged, trash, taken) else { return nil }
        return try looked(at: intent.row, in: folder)
    }

    private mutating func putAway(_ staged: FileName, _ trash: TrashEntry, _ taken: TakenOut) throws -> Bool {
        let outgoing = try parts.files.open(.outgoing)
        guard try parts.files.move(staged, in: outgoing, to: trash.name, in: parts.files.open(.trash)) == .done else {
            return false
        }
        if taken == .unreadable { unread.insert(trash.name) }
        return true
    }

    private mutating func remove(_ staged: FileName, _ trash: TrashEntry, _ intent: Intent) throws -> Row? {
        let outgoing = try parts.files.open(.outgoing)
        guard let (folder, name) = try locator.place(of: intent.row) else { return nil }
        try parts.requireReadable(name, in: folder)
        guard try parts.files.move(name, in: folder, to: staged, in: outgoing) == .done else { return nil }
        let taken = try parts.takenOut(staged, trash.hash, known: intent.row.facts)
        guard taken != .other else {
            try parts.giveBack(staged, from: outgoing, as: name, in: folder)
            return nil
        }
        return try putAway(staged, trash, taken) ? intent.row : nil
    }

    private mutating func removeFolder(_ staged: FileName, _ intent: Intent) throws -> Row? {
        let outgoing = try parts.files.open(.outgoing)
        guard let (folder, name) = try locator.place(of: intent.row),
            try parts.files.move(name, in: folder, to: staged, in: outgoing) == .done
        else { return nil }
        locator.forget()
        guard try parts.files.look(at: staged, in: outgoing)?.identity == intent.identity else {
            try parts.giveBack(staged, from: outgoing, as: name, in: folder)
            return nil
        }
        return intent.row
    }

    private func retrieve(_ intent: Intent) throws {
        if case .replace(let staged, _) = intent.step { try parts.retrieveOurs(staged, intent) }
    }

    /// What a step leaves in staging once it is decided.
    private func cleanUp(after intent: Intent, isDone: Bool) throws {
        switch intent.step {
        // What was staged is what was placed.
        case .place where isDone: break
        case .place(let staged), .replace(let staged, _): try parts.discardOurs(staged, intent.identity)
        case .removeFolder(let staged): try parts.endFolder(staged, intent.row)
        default: break
        }
    }
}

extension Intent {
    var isPlacing: Bool { if case .place = step { true } else { false } }

    /// The entry of what the step takes out.
    var trash: TrashEntry? {
        switch step {
        case .replace(_, let trash), .remove(_, let trash): trash
        default: nil
        }
    }

    var needsDurableContent: Bool {
        switch step {
        case .place, .replace: true
        default: false
        }
    }
}

extension DriveError {
    /// About one item, not about the drive.
    fileprivate var leavesTheRest: Bool {
        [.permissionDenied, .readOnly, .inputOutput, .notFound, .unfit, .unmovable].contains(kind)
    }
}
