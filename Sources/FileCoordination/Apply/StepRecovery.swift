import DriveCore

/// Decides steps that a crash interrupted: where the inode is tells whether it was moved.
struct StepRecovery {
    let parts: DriveParts

    func run(cleansStaging: Bool) throws {
        for intent in try parts.state.intents() {
            let decision = try decide(intent)
            try parts.files.makeDurable()
            try parts.state.transaction {
                var paths = RowPaths(parts.state)
                let restored = try RestoredDeletes(parts.state).items()
                if decision != .notTaken {
                    let isUnread = decision == .takenUnread
                    try parts.finish(intent, intent.row, &paths, restored: restored, isUnread: isUnread)
                }
                try parts.state.setIntents(try parts.state.intents().filter { $0 != intent })
            }
        }
        if cleansStaging { try cleanStaging() }
    }

    enum Decision {
        case taken, notTaken
        /// What came out could not be read.
        case takenUnread
    }

    /// Whether the step was taken; what was left half-way is put back. One item that nobody can get at stops nothing: what
    /// cannot be put back goes to the trash with what else lies in staging (`cleanStaging`).
    func decide(_ intent: Intent) throws -> Decision {
        do {
            return switch intent.step {
            case .replace(let staged, let trash): try decideReplace(staged, trash, intent)
            case .remove(let staged, let trash): try decideRemove(staged, trash, intent)
            default: try isTaken(intent) ? .taken : .notTaken
            }
        } catch let error as DriveError where error.remedy == .skip {
            return .notTaken
        }
    }

    private func isTaken(_ intent: Intent) throws -> Bool {
        switch intent.step {
        case .place(let staged): try !isThere(staged, .incoming, intent.identity)
        case .replace, .remove: false
        case .removeFolder(let staged): try decideRemoveFolder(staged, intent)
        case .park: try decidePark(intent)
        case .move(let folder, let name, let wasParked):
            if wasParked {
                try !isThere(intent.row.parkedName, .parked, intent.identity)
            } else {
                try isAtPlace(intent.row) || hasLeft(name, folder, intent.identity)
            }
        case .setAttributes: try hasAttributes(intent)
        }
    }

    private func isThere(_ name: FileName, _ area: FileArea, _ identity: FileIdentity) throws -> Bool {
        try parts.files.look(at: name, in: parts.files.open(area))?.identity == identity
    }

    /// An empty folder is on its way out. One that somebody filled, or that took its place, in that moment goes back.
    private func decideRemoveFolder(_ staged: FileName, _ intent: Intent) throws -> Bool {
        let outgoing = try parts.files.open(.outgoing)
        guard let facts = try parts.files.look(at: staged, in: outgoing) else { return try !isAtPlace(intent.row) }
        if facts.identity == intent.identity, try end(staged, in: outgoing, intent.row) { return true }
        try parts.giveBack(staged, .outgoing, intent.row)
        return false
    }

    /// It stays a folder of the drive where it cannot be written down whether it was closed.
    private func end(_ staged: FileName, in outgoing: OpenFolder, _ row: Row) throws -> Bool {
        do { try parts.noteClosed(staged, in: outgoing, at: try parts.state.path(of: row)) } catch {
            try? parts.giveBack(staged, .outgoing, row)
            throw error
        }
        return try parts.files.removeFolder(staged, in: outgoing) == .done
    }

    private func decidePark(_ intent: Intent) throws -> Bool {
        if try isThere(intent.row.parkedName, .parked, intent.identity) { return true }
        try parts.giveBack(intent.row.parkedName, .parked, intent.row)
        return false
    }

    /// Moved by the step, or by a person before it: the scan tells, once the row is at one of the two places.
    private func hasLeft(_ name: FileName, _ folder: RowID, _ identity: FileIdentity) throws -> Bool {
        var locator = FolderLocator(parts)
        guard let folder = try locator.open(folder) else { return false }
        return try parts.files.look(at: name, in: folder)?.identity != identity
    }

    private func isAtPlace(_ row: Row) throws -> Bool {
        var locator = FolderLocator(parts)
        guard let (folder, name) = try locator.place(of: row) else { return false }
        return try parts.files.look(at: name, in: folder)?.identity == row.facts.identity
    }

    /// In `.outgoing` lies either our file, not exchanged or exchanged back, or the person's.
    private func decideReplace(_ staged: FileName, _ trash: TrashEntry, _ intent: Intent) throws -> Decision {
        if try isThere(staged, .incoming, intent.identity) { return .notTaken }
        let outgoing = try parts.files.open(.outgoing)
        guard let facts = try parts.files.look(at: staged, in: outgoing) else { return try lies(trash, nil) }
        if facts.identity == intent.identity {
            try parts.retrieveOurs(staged, intent)
            return .notTaken
        }
        let known = try parts.state.row(intent.row.id)?.facts
        let taken = try parts.takenOut(staged, trash.hash, known: known)
        guard taken == .other else { return try putAway(staged, trash, taken) }
        return try exchangeBack(staged, intent) ? .notTaken : .taken
    }

    /// Whether it is in the trash already.
    private func lies(_ trash: TrashEntry, _ identity: FileIdentity?) throws -> Decision {
        let facts = try parts.files.look(at: trash.name, in: parts.files.open(.trash))
        return facts != nil && (identity == nil || facts?.identity == identity) ? .taken : .notTaken
    }

    private func putAway(_ staged: FileName, _ trash: TrashEntry, _ taken: TakenOut) throws -> Decision {
        let outgoing = try parts.files.open(.outgoing)
        let outcome = try parts.files.move(staged, in: outgoing, to: trash.name, in: parts.files.open(.trash))
        guard outcome == .done else { return .notTaken }
        return taken == .unreadable ? .takenUnread : .taken
    }

    /// The person's file was edited before the exchange, and goes back. True where it has its place again; false where
    /// somebody has replaced or removed our version since: that is what they saw, and theirs lies beside it.
    private func exchangeBack(_ staged: FileName, _ intent: Intent) throws -> Bool {
        var locator = FolderLocator(parts)
        guard let (folder, name) = try locator.place(of: intent.row) else { return false }
        guard try parts.files.look(at: name, in: folder)?.identity == intent.identity else {
            try parts.giveBack(staged, .outgoing, intent.row)
            return false
        }
        try parts.putBack(staged, intent, folder)
        try parts.retrieveOurs(staged, intent)
        return true
    }

    /// What took the place of the file in the last moment came out as well, and goes back like what was written into it.
    private func decideRemove(_ staged: FileName, _ trash: TrashEntry, _ intent: Intent) throws -> Decision {
        let outgoing = try parts.files.open(.outgoing)
        guard let facts = try parts.files.look(at: staged, in: outgoing) else {
            return try lies(trash, intent.identity)
        }
        if facts.identity == intent.identity {
            let taken = try parts.takenOut(staged, trash.hash, known: intent.row.facts)
            if taken != .other { return try putAway(staged, trash, taken) }
        }
        try parts.giveBack(staged, .outgoing, intent.row)
        return .notTaken
    }

    /// Attributes may have been set in part: the row takes what is there, so that it is not read as a person's change.
    private func hasAttributes(_ intent: Intent) throws -> Bool {
        var locator = FolderLocator(parts)
        guard let (folder, name) = try locator.place(of: intent.row),
            let facts = try parts.files.look(at: name, in: folder), facts.identity == intent.identity,
            var row = try parts.state.row(intent.row.id)
        else { return false }
        if facts.isExecutable == intent.row.attributes.isExecutable { row.attributes.isExecutable = facts.isExecutable }
        if let modified = intent.row.attributes.modified, facts.modified.isOnDisk(for: modified) {
            row.attributes.modified = modified
            row.noteDate(in: facts)
        }
        let extended = try parts.files.extendedAttributes(of: name, in: folder)
        for key in AttributeKey.extendedAttributes where extended[key] == intent.row.attributes.extended[key] {
            row.attributes.extended[key] = extended[key]
        }
        try parts.state.transaction { try parts.state.save(row) }
        return false
    }

    /// `.incoming` is ours, and downloads that may go on stay there. What lies in the other places without a row is a person's: it goes to the trash.
    private func cleanStaging() throws {
        let incoming = try parts.files.open(.incoming)
        let unfinished = UnfinishedDownloads(parts)
        for entry in try parts.files.list(incoming) where try !unfinished.isWanted(entry, in: incoming) {
            if entry.kind == .folder {
                _ = try parts.files.removeFolder(entry.name, in: incoming)
            } else {
                try parts.files.discard(entry.name, in: .incoming)
            }
        }
        let parked = Set(try parts.state.parkedRows().map(\.parkedName))
        for area in [FileArea.parked, .outgoing] {
            let folder = try parts.files.open(area)
            for entry in try parts.files.list(folder) where area == .outgoing || !parked.contains(entry.name) {
                try parts.rescue(entry.name, from: area)
            }
        }
    }
}
