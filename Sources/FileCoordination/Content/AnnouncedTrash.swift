public import DriveCore

/// What an act is about to take to the trash, or out of it, is written down before it moves. An act that is interrupted leaves
/// entries of files that it has not come to, or that it has brought back or removed: they are forgotten, since nothing of them is
/// lost. What it had come to is an operation as if it had been all of the act.
public struct AnnouncedTrash {
    let parts: DriveParts
    private static let key = "announced-trash"

    public init(_ parts: DriveParts) { self.parts = parts }

    /// In one transaction, before anything moves; with the cause that what happens now has.
    public func announce(
        _ takings: [AnnouncedTaking], moves: [AnnouncedMove] = [], returns: [AnnouncedReturn] = []
    ) throws {
        guard !takings.isEmpty || !moves.isEmpty || !returns.isEmpty else { return }
        try parts.state.transaction {
            for taking in takings { try parts.state.addTrash(taking.entry) }
            try keep(Announcement(takings, moves: moves, returns: returns, parts.operations.cause))
        }
    }

    /// In one transaction, before these are removed from the trash for good. What an act before has announced, and could not settle,
    /// stays announced.
    public func announce(removing names: [FileName]) throws {
        try parts.state.transaction {
            var announcement = try known ?? Announcement([], nil)
            announcement.removed += names
            try keep(announcement)
        }
    }

    /// Within the transaction that forgets their entries.
    public func endRemoving(_ names: [FileName]) throws {
        guard var announcement = try known else { return }
        announcement.removed.removeAll(where: Set(names).contains)
        announcement.isEmpty ? try parts.state.setSetting(nil, Self.key) : try keep(announcement)
    }

    private var known: Announcement? {
        get throws { try parts.state.setting(Self.key).map { try Announcement(decoding: $0) } }
    }

    private func keep(_ announcement: Announcement) throws {
        try parts.state.setSetting(announcement.encoded, Self.key)
    }

    /// Within the transaction that writes down what was done: the entries are right from now on, but for these, which the act has
    /// not come to, or may have left halfway.
    public func end(leaving takings: [AnnouncedTaking] = [], returns: [AnnouncedReturn] = []) throws {
        guard !takings.isEmpty || !returns.isEmpty else { return try parts.state.setSetting(nil, Self.key) }
        try keep(Announcement(takings, returns: returns, parts.operations.cause))
    }

    /// After an act that did not come to its end. What it had taken out under the name that it was to have in the trash, and not
    /// looked at yet, comes to lie there; what somebody had saved by then goes back to where people see it. Of what it had brought
    /// back, or removed for good, no entry stays. What was done is written down, as an operation of its own. What it was also to
    /// move without taking it waits for a look at the folder. Cheap where there is none.
    public func settle() throws {
        guard try Self.areUnsure(parts.state) else { return }
        parts.operations.begin()
        defer { parts.operations.begin() }
        try finish()
    }

    /// As `settle`, within the act.
    public func finish() throws {
        guard let announcement = try known else { return }
        let there = Set(try parts.files.list(parts.files.open(.trash)).map(\.name))
        var (left, unread, come): ([TrashEntry], [TrashEntry], [TrashEntry]) = ([], [], [])
        let leaving = announcement.leaving
        for entry in try parts.state.trash() where entry.isOfAct || leaving.contains(entry.name) {
            // It was in the trash when the act began, and is on no other way than out of it.
            if leaving.contains(entry.name) {
                if !there.contains(entry.name) { left.append(entry) }
                continue
            }
            switch try there.contains(entry.name) ? .expected : takenIn(entry, announcement) {
            case .expected: come.append(entry)
            case .unreadable: unread.append(entry.unread)
            case .other: left.append(entry)
            }
        }
        let moved = try announcement.moves.filter(hasCome)
        let back = try announcement.returns.filter { !there.contains($0.name) }.compactMap(returned)
        try parts.files.makeDurable()
        try parts.state.transaction {
            for entry in left { try parts.state.removeTrash(entry.name) }
            for entry in unread { try parts.state.addTrash(entry) }
            try end()
            try writeDown(come + unread, announcement)
            try writeDown(moved, announcement)
            try writeDown(back, announcement)
            if !announcement.moves.isEmpty { try UnseenActs(state: parts.state).noteMovesOfCutOff() }
        }
    }

    /// In the words of an act that comes to its end (`DeedRunner`).
    private func writeDown(_ entries: [TrashEntry], _ announcement: Announcement) throws {
        guard let cause = announcement.cause else { return }
        var gone: Set<RowID> = []
        for entry in entries {
            guard let taking = announcement.takings[entry.name] else { continue }
            let row = try parts.state.row(at: taking.copy ?? entry.path)
            if taking.successor == nil || taking.copy != nil, let row { gone.insert(row.id) }
            try parts.operations.during(cause) {
                parts.operations.undoes(taking.reversed)
                if let copy = taking.copy { try log(.trashed, copy, taking.successor, row, entry) }
                if let successor = taking.successor {
                    try log(.edited, entry.path, entry.hash, parts.state.row(at: entry.path), entry, after: successor)
                } else {
                    try log(.trashed, entry.path, entry.hash, row, entry)
                }
            }
        }
        try HeldDeletes(parts.state).confirm(gone)
    }

    /// Whether what was to move is where it was to come.
    private func hasCome(_ move: AnnouncedMove) throws -> Bool {
        guard let name = move.to.name else { return false }
        do {
            guard let folder = try parts.files.open(path: move.to.parent) else { return false }
            return try parts.files.look(at: name, in: folder)?.identity == move.identity
        } catch  where error.remedy == .skip { return false }
    }

    private func writeDown(_ moves: [AnnouncedMove], _ announcement: Announcement) throws {
        guard let cause = announcement.cause else { return }
        for move in moves {
            try parts.operations.during(cause) {
                parts.operations.undoes(move.reversed)
                try parts.log(
                    DriveEvent(
                        time: parts.clock.milliseconds(), kind: .moved, path: move.to, from: move.from,
                        before: move.content, after: move.content))
            }
        }
    }

    private func log(
        _ kind: DriveEvent.Kind, _ path: DrivePath, _ before: ContentHash?, _ row: Row?, _ entry: TrashEntry,
        after: ContentHash? = nil
    ) throws {
        // The index may know another content of it than went.
        let attributes = row?.hash == before ? row?.attributesOfContent : nil
        try parts.log(
            DriveEvent(
                time: entry.time, kind: kind, path: path, before: before, after: after, attributes: attributes))
    }

    private func takenIn(_ entry: TrashEntry, _ announcement: Announcement) throws -> TakenOut {
        let outgoing = try parts.files.open(.outgoing)
        if let taking = announcement.takings[entry.name] { try takeExchanged(entry, taking) }
        guard try parts.files.look(at: entry.name, in: outgoing) != nil else { return .other }
        let taken = try parts.takenOut(entry.name, entry.hash, known: parts.state.row(at: entry.path)?.facts)
        if taken == .other {
            try returnOrRescue(entry, announcement.takings[entry.name]?.successor)
            return .other
        }
        let trash = try parts.files.open(.trash)
        return try parts.files.move(entry.name, in: outgoing, to: entry.name, in: trash) == .done ? taken : .other
    }

    /// A copy takes the place of its file by an exchange, after which the file is taken from where the copy was. Cut off in between,
    /// that looks as if somebody had let the two change places: it goes on.
    private func takeExchanged(_ entry: TrashEntry, _ taking: Announcement.Taking) throws {
        guard let copy = taking.copy, let name = copy.name,
            let copyRow = try parts.state.row(at: copy), copyRow.hash == taking.successor,
            let row = try parts.state.row(at: entry.path), row.hash == entry.hash
        else { return }
        do {
            guard let folder = try parts.files.open(path: copy.parent), try isThere(row, name, in: folder),
                let ownName = entry.path.name, let own = try parts.files.open(path: entry.path.parent),
                try isThere(copyRow, ownName, in: own)
            else { return }
            // What came out is looked at as if it had been taken by the act.
            _ = try parts.files.move(name, in: folder, to: entry.name, in: parts.files.open(.outgoing))
        } catch let error as DriveError where error.remedy == .skip {}
    }

    /// The row's file, as it was.
    private func isThere(_ row: Row, _ name: FileName, in folder: OpenFolder) throws -> Bool {
        guard let facts = try parts.files.look(at: name, in: folder) else { return false }
        return facts.identity == row.facts.identity && facts.isDated(as: row.facts)
    }

    /// What has the name may also be what was about to take its place, which nobody has saved.
    private func returnOrRescue(_ entry: TrashEntry, _ successor: ContentHash?) throws {
        let outgoing = try parts.files.open(.outgoing)
        do {
            if try !isOfAct(entry.name, in: outgoing, successor), let name = entry.path.name,
                let folder = try parts.files.open(path: entry.path.parent)
            {
                return try parts.giveBack(entry.name, from: outgoing, as: name, in: folder)
            }
        } catch let error as DriveError where error.remedy == .skip {}
        try parts.rescue(entry.name, from: .outgoing, path: entry.path)
    }

    /// Announced, or a version that the drive has.
    private func isOfAct(_ name: FileName, in folder: OpenFolder, _ successor: ContentHash?) throws -> Bool {
        guard let hash = try parts.files.contentHash(of: name, in: folder) else { return false }
        return try hash == successor || parts.state.pastVersion(of: hash) != nil
            || parts.state.hasRow(hash: hash)
    }

    /// Whether there may be entries of acts whose files are not there.
    public static func areUnsure(_ state: any DriveState) throws -> Bool { try state.setting(key) != nil }
}

extension TrashEntry {
    private static let prefix = Array("act-".utf8)

    /// The name in the trash of what an act of a person takes there.
    public static func nameOfAct(_ entropy: any Entropy) -> FileName {
        FileName(bytes: prefix + Array(entropy.nonce(16).utf8))
    }

    public var isOfAct: Bool { name.bytes.starts(with: Self.prefix) }
}
