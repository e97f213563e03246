import DriveCore
import FileCoordination

// Names, folders, attributes.
extension DeedRunner {
    mutating func move(_ from: DrivePath, to: DrivePath) throws -> String? {
        guard let newName = to.name, let (name, folder, facts) = try standing(at: from) else { return Self.isGone }
        let hash = facts.kind == .folder ? nil : try self.hash(of: facts, at: from)
        guard let target = try folders.make(to.parent) else { return Self.folderIsTaken }
        switch try parts.files.move(name, in: folder, to: newName, in: target) {
        case .done: break
        case .occupied: return Self.nameIsTaken
        case .missing, .impossible: return Self.isGone
        }
        if facts.kind == .folder { folders.forget() }
        ending.hasMoved = true
        note(.moved, to, from: from, before: hash, after: hash)
        return nil
    }

    /// By exchanges of the first with each other one: no name is free for a moment.
    mutating func rotate(_ paths: [DrivePath]) throws -> String? {
        let items = try paths.map { path in try standing(at: path).map { (path: path, item: $0) } }.compactMap(\.self)
        guard items.count == paths.count, let first = items.first?.item else { return Self.isGone }
        if let nested = nested(paths) { return try turnOver(outer: nested.outer, inner: nested.inner) }
        let hashes = try items.map { $0.item.facts.kind == .folder ? nil : try hash(of: $0.item.facts, at: $0.path) }
        var exchanged: [(path: DrivePath, name: FileName, folder: OpenFolder)] = []
        defer {
            for (path, name, folder) in exchanged.reversed() {
                exchangeBack(path, name, folder, with: (paths[0], first.name, first.folder))
            }
        }
        for (path, (name, folder, _)) in items.dropFirst() {
            guard try parts.files.exchange(name, in: folder, with: first.name, in: first.folder) == .done else {
                return Self.isGone
            }
            exchanged.append((path, name, folder))
        }
        exchanged = []
        if items.contains(where: { $0.item.facts.kind == .folder }) { folders.forget() }
        ending.hasMoved = true
        for ((from, to), hash) in zip(Deed.rotate(paths).moves, hashes) {
            note(.moved, to, from: from, before: hash, after: hash)
        }
        return nil
    }

    /// A folder and one that lies in it.
    private func nested(_ paths: [DrivePath]) -> (outer: DrivePath, inner: DrivePath)? {
        guard paths.count == 2 else { return nil }
        if paths[1].isInside(paths[0]) { return (paths[0], paths[1]) }
        return paths[0].isInside(paths[1]) ? (paths[1], paths[0]) : nil
    }

    /// No file system exchanges these two: the inner folder is put beside the outer one for a moment.
    private mutating func turnOver(outer: DrivePath, inner: DrivePath) throws -> String? {
        let aside = aside(outer)
        let below = inner.moved(from: outer, to: aside)
        var renamed: [(from: DrivePath, to: DrivePath)] = []
        defer { for step in renamed.reversed() { renameBack(step.to, step.from) } }
        for (from, to) in [(inner, aside), (outer, below), (aside, outer)] {
            if let obstacle = try rename(from, to) { return obstacle }
            renamed.append((from, to))
        }
        renamed = []
        ending.hasMoved = true
        note(.moved, outer, from: inner)
        note(.moved, inner, from: outer)
        return nil
    }

    /// What is moved is put beside the outer of the two for a moment.
    mutating func moveNested(_ from: DrivePath, to: DrivePath) throws -> String? {
        guard let (_, _, facts) = try standing(at: from) else { return Self.isGone }
        let hash = try self.hash(of: facts, at: from)
        let outer = from.isInside(to) ? to : from
        let aside = aside(outer)
        if let obstacle = try rename(from, aside) { return obstacle }
        var isDone = false
        defer {
            if !isDone {
                folders.takeBack(after: toldFolders)
                renameBack(aside, from)
            }
        }
        if outer == to {
            if let obstacle = try removeFolder(outer) { return obstacle }
        } else {
            guard try folders.make(outer) != nil else { return Self.folderIsTaken }
        }
        if let obstacle = try rename(aside, to) { return obstacle }
        isDone = true
        ending.hasMoved = true
        note(.moved, to, from: from, before: hash, after: hash)
        return nil
    }

    private func aside(_ path: DrivePath) -> DrivePath {
        path.parent.appending(FileName("docdrive-undo-\(parts.entropy.nonce(8))"))
    }

    private mutating func rename(_ from: DrivePath, _ to: DrivePath) throws -> String? {
        guard let newName = to.name, let (name, folder, _) = try standing(at: from),
            let target = try folders.open(to.parent)
        else { return Self.isGone }
        defer { folders.forget() }
        return try parts.files.move(name, in: folder, to: newName, in: target) == .done ? nil : Self.nameIsTaken
    }

    /// What cannot be put back is told with the deed: the next look at the folder takes it for what somebody did.
    private mutating func renameBack(_ now: DrivePath, _ before: DrivePath) {
        do { if try rename(now, before) == nil { return } } catch {}
        stranded.append("what was \(before) lies as \(now) now: rename it back")
    }

    /// The same of what has changed places.
    mutating func exchangeBack(
        _ path: DrivePath, _ name: FileName, _ folder: OpenFolder,
        with other: (path: DrivePath, name: FileName, folder: OpenFolder)
    ) {
        do {
            if try parts.files.exchange(name, in: folder, with: other.name, in: other.folder) == .done { return }
        } catch {}
        stranded.append("\(path) and \(other.path) have changed places: exchange them again")
    }

    mutating func makeFolder(_ path: DrivePath) throws -> String? {
        guard try folders.make(path) != nil else { return Self.folderIsTaken }
        noteFolders()
        return nil
    }

    /// What it had when it was here last.
    mutating func giveAttributes(toFolder path: DrivePath) throws {
        guard let attributes = try PastAttributes(parts).folder(at: path),
            let (name, folder, facts) = try standing(at: path), facts.kind == .folder
        else { return }
        _ = try parts.files.setAttributes(attributes, of: name, in: folder, expecting: facts.identity)
    }

    mutating func removeFolder(_ path: DrivePath) throws -> String? {
        guard let name = path.name, let folder = try folders.open(path.parent) else { return nil }
        let row = try parts.files.look(at: name, in: folder).flatMap { try self.row(of: $0, at: path) }
        folders.forget()
        let permissions = parts.files.permissions(of: name, in: folder)
        if let permissions { try parts.closedFolders.keep([(path, permissions)]) }
        switch try parts.files.removeFolder(name, in: folder) {
        case .occupied: return "something else is in it now"
        case .missing, .impossible: return nil
        case .done: break
        }
        if let permissions {
            let closed = parts.closedFolders
            try parts.state.transaction(isDurable: false) { try closed.note(permissions, at: path) }
        }
        if let row { ending.gone.insert(row.id) }
        note(.deleted, path)
        return nil
    }

    mutating func setAttributes(_ attributes: Attributes, of path: DrivePath) throws -> String? {
        guard let (name, folder, facts) = try standing(at: path) else { return Self.isGone }
        let (row, hash) = (try self.row(of: facts, at: path), try self.hash(of: facts, at: path))
        var wanted = attributes
        if facts.kind == .folder { wanted.modified = nil }
        guard try parts.files.setAttributes(wanted, of: name, in: folder, expecting: facts.identity) else {
            return Self.hasChanged
        }
        note(.attributes, path, before: hash, after: hash, attributes: row?.attributes)
        return nil
    }

    /// Moves its date by the least that can be seen, so that it counts as touched and looks as it did.
    mutating func touch(_ path: DrivePath) throws -> String? {
        guard let (name, folder, before) = try standing(at: path) else { return Self.isGone }
        let extended = try parts.files.extendedAttributes(of: name, in: folder)
        var facts = before
        // FAT's dates are two seconds apart (Microsoft, "FAT32 File System Specification", 2000, "Date and Time Formats").
        for step in [1, 2_000_000_000] as [UInt32] where facts.modified == before.modified {
            let attributes = Attributes(
                isExecutable: before.isExecutable, modified: before.modified.later(by: step), extended: extended)
            guard try parts.files.setAttributes(attributes, of: name, in: folder, expecting: before.identity),
                let touched = try parts.files.look(at: name, in: folder)
            else { return Self.hasChanged }
            facts = touched
        }
        let hash = try parts.state.row(at: path)?.hash
        note(.resolved, path, before: hash, after: hash)
        return nil
    }
}

extension FileTime {
    fileprivate func later(by step: UInt32) -> FileTime {
        let sum = UInt64(nanoseconds) + UInt64(step)
        return FileTime(
            seconds: seconds + Int64(sum / 1_000_000_000), nanoseconds: UInt32(sum % 1_000_000_000))
    }
}
