import DriveCore

// B: entries, top down.
extension Applier {
    mutating func bring(_ entry: ViewEntry) async throws {
        if let folder = matching.folder(ofNode: entry.node), batch.rows.contains(folder) { try flush() }
        guard let folder = matching.folder(ofNode: entry.node), let above = try pathOfFolder(folder) else { return }
        let path = above.appending(entry.name)
        // A conflict that cannot be seen could not be ended.
        let isHidden = !entry.isDerived && parts.options.ignores(path, entry.kind == .folder)
        if folder == .root, entry.name == FileName(".docdrive") {
            note(path, "this name belongs to the drive itself; the item is not shown", .ownName)
            return
        }
        do {
            if isHidden { return try await bringToHidden(entry, in: folder, path) }
            guard let id = matching.row(for: entry), let row = try parts.state.row(id), try !wasLost(row) else {
                if !isAhead || goals.contains(entry.primary.item) { try await bringNew(entry, to: folder, path) }
                return
            }
            if row.isHeld { return }
            guard let placed = try move(row, to: entry, in: folder, path), !isAhead else { return }
            if !placed.matches(entry) {
                try await update(placed, to: entry, path)
            } else if !placed.shares(entry.members) {
                try stand(placed, for: entry)
            }
        } catch let error as DriveError where !isMidStep && (error.remedy == .skip || error.kind == .noSpace) {
            outcome.leavesStaging = true
            note(path, error)
        }
    }

    /// Entries come folder by folder.
    mutating func pathOfFolder(_ folder: RowID) throws -> DrivePath? {
        if let lastFolder, lastFolder.row == folder { return lastFolder.path }
        guard let row = try parts.state.row(folder) else { return nil }
        let path = try parts.state.path(of: row)
        lastFolder = (folder, path)
        return path
    }

    mutating func note(_ path: DrivePath, _ error: DriveError) {
        note(path, error.message, Cause(bringing: error))
    }

    mutating func note(_ path: DrivePath, _ reason: String, _ cause: Cause) {
        if isAhead { return }
        outcome.obstacles.append(Obstacle(path, cause))
        outcome.problems.append(
            Problem(path: path, reason: reason, source: .apply, since: parts.clock.milliseconds()))
    }

    mutating func bringNew(_ entry: ViewEntry, to folder: RowID, _ path: DrivePath) async throws {
        guard path.components.count <= DrivePath.deepest else {
            note(
                path, "it lies in more than \(DrivePath.deepest) folders; move it up on the device that has it",
                .impossible)
            return
        }
        let before = denials
        guard try runner.locator.open(folder) != nil, try makeFree(entry.name, in: folder) else {
            if try denials > before || waitsForDecision(path, in: folder) { return }
            if try !noteTaken(path, in: folder) { passOver(entry.name, "its place is taken") }
            return
        }
        if try isClosed(path, in: folder, entry.name) { return }
        let id = try parts.state.newRowID()
        let staged = FileName("new-\(id.rawValue)-\(parts.entropy.nonce(8))")
        var model: Row?
        if entry.isDerived, entry.kind == .file { model = try original(of: entry, in: folder) }
        guard let (facts, attributes) = try await stageWhole(entry, as: staged, path, like: model) else { return }
        if model == nil, let open = try runner.locator.open(folder) {
            parts.files.adoptSurroundings(of: open, to: staged)
        }
        // Where nobody can tell how it was, it is for its owner alone.
        if entry.kind == .folder, let permissions = parts.closedFolders.permissions(at: path, orElse: 0o700) {
            parts.files.limit(staged, to: permissions)
        }
        var row = Row(
            id: id, parent: folder, name: entry.name, kind: entry.kind, facts: facts, hash: entry.content?.hash,
            attributes: attributes)
        try stand(&row, for: entry)
        row.placedInBoot = parts.options.boot
        batch.add(
            Intent(step: .place(staged: staged), identity: facts.identity, row: row), bytes: facts.size, entry: entry)
        if entry.kind == .folder { matching.placed(entry, as: id) }
        if batch.isFull { try flush() }
    }

    /// The file whose conflict copy the entry is, or that has its name: who may not read that may not read the copy either.
    private func original(of copy: ViewEntry, in folder: RowID) throws -> Row? {
        let own = try parts.state.rows(holding: copy.primary.item).first { $0.kind == .file && !$0.isParked }
        let found = try own ?? parts.state.child(of: folder, named: copy.ownName)
        return found?.kind == .file ? found : nil
    }

    private mutating func adoptMetadata(of row: Row, to staged: FileName) throws {
        guard let (folder, name) = try runner.locator.place(of: row) else { return }
        do { try parts.files.adoptLocalMetadata(from: name, in: folder, to: staged) } catch {
            try? parts.files.discard(staged, in: .incoming)
            throw error
        }
    }

    /// The new item in staging, and the attributes that it has there: what this disk cannot keep of them keeps nobody from the
    /// rest, and is noted. They come last: where not all has room, who may read it matters more.
    private mutating func stageWhole(
        _ entry: ViewEntry, as name: FileName, _ path: DrivePath, replacing row: Row? = nil, like model: Row?
    ) async throws -> (FileFacts, Attributes)? {
        guard let facts = try await stage(entry, as: name, path, replacing: row) else { return nil }
        if let model, entry.kind == .file { try adoptMetadata(of: model, to: name) }
        var attributes = entry.attributes
        guard !attributes.extended.isEmpty, entry.kind != .link else { return (facts, attributes) }
        let incoming = try parts.files.open(.incoming)
        do throws(DriveError) {
            guard try parts.files.setAttributes(attributes, of: name, in: incoming, expecting: facts.identity) else {
                return nil
            }
        } catch {
            guard error.remedy == .skip else { throw error }
            note(path, error)
            attributes.extended = try parts.files.extendedAttributes(of: name, in: incoming)
        }
        guard let now = try parts.files.look(at: name, in: incoming), now.identity == facts.identity else { return nil }
        return (now, attributes)
    }

    /// The new item in staging, without its extended attributes.
    private mutating func stage(
        _ entry: ViewEntry, as name: FileName, _ path: DrivePath, replacing row: Row? = nil
    ) async throws -> FileFacts? {
        switch entry.kind {
        case .folder: return try parts.files.stageFolder(name)
        case .link:
            guard case .inline(let target)? = entry.content?.body, !target.isEmpty, target.count < 4096,
                !target.contains(0)
            else {
                note(path, "the link has no target that could be made", .impossible)
                return nil
            }
            do throws(DriveError) {
                return try parts.files.stageLink(name, target: target, modified: entry.attributes.modified)
            } catch {
                // That this disk has no links keeps nobody from the rest.
                guard error.kind == .usage else { throw error }
                note(path, error)
                return nil
            }
        case .file:
            guard let content = entry.content else { return nil }
            var attributes = entry.attributes
            attributes.extended = [:]
            guard content.size == content.namedSize else {
                note(path, "its record names parts that are not \(content.size) bytes together", .impossible)
                return nil
            }
            guard let download else {
                try parts.checkSpace(for: content.size)
                return try stageFromHere(content, attributes, as: name)
            }
            try download.makeRoom(for: content)
            if let facts = try stageFromHere(content, attributes, as: name) { return facts }
            let (facts, fetched) = try await download.stage(
                content, attributes, as: name, replacing: row.flatMap { try replaced($0, by: content) })
            outcome.bytes += fetched
            return facts
        }
    }

    /// What a row's file held before it is replaced, if the two may share chunks.
    private mutating func replaced(_ row: Row, by content: Content) throws -> LocalContent? {
        guard row.kind == .file, let hash = row.hash, min(row.facts.size, content.size) > Chunker.minimum,
            let old = try parts.state.pastVersion(of: hash)?.head.content,
            let (folder, name) = try runner.locator.place(of: row),
            let file = try? parts.files.readUndated(name, in: folder)
        else { return nil }
        return LocalContent(content: old, file: file)
    }

    /// To where the view has it. Nil where that cannot be done now.
    mutating func move(_ row: Row, to entry: ViewEntry, in folder: RowID, _ path: DrivePath) throws -> Row? {
        if row.parent == folder, row.name == entry.name, !row.isParked { return row }
        let places = [RowPlace(folder: folder, name: entry.name), RowPlace(folder: row.parent, name: row.name)]
        if isDenied(path, row.isParked ? [places[0]] : places) { return nil }
        try flush()
        let before = denials
        guard try runner.locator.open(folder) != nil, try runner.locator.verified(row) != nil,
            try makeFree(entry.name, in: folder, for: row), let row = try parts.state.row(row.id),
            try runner.locator.verified(row) != nil, try !isInside(folder, row)
        else {
            if try denials > before || waitsForDecision(path, in: folder) { return nil }
            let isTaken = row.parent != folder || row.name != entry.name
            if try !isTaken || !noteTaken(path, in: folder) {
                passOver(entry.name, "it cannot be moved from \(row.name)")
            }
            return nil
        }
        var new = row
        new.parent = folder
        new.name = entry.name
        new.isParked = false
        new.isDerived = entry.isDerived
        if row.kind == .folder || row.matches(entry) {
            try stand(&new, for: entry)
        }
        let step = Intent.Step.move(fromFolder: row.parent, fromName: row.name, wasParked: row.isParked)
        let done = try run(Intent(step: step, identity: row.facts.identity, row: new))
        if row.kind == .folder {
            runner.locator.forget()
            lastFolder = nil
        }
        return done
    }

    /// The file is what the entry wants already, but for another item: who deletes or edits it from now on means this one.
    mutating func stand(_ row: Row, for entry: ViewEntry) throws {
        guard try runner.locator.verified(row) != nil else { return }
        try parts.state.transaction {
            var row = row
            row.isDerived = entry.isDerived
            try stand(&row, for: entry)
            try parts.state.save(row)
        }
    }

    /// A row never holds a content that it does not show. So where other rows stand for all of the entry still, because their
    /// own turn in this pass is yet to come, it is shared with them until then.
    func stand(_ row: inout Row, for entry: ViewEntry) throws {
        let free = try parts.state.free(entry.members, for: row)
        try row.stand(for: entry, free.isEmpty ? entry.members : free) { item in
            try matching.shown[item] ?? parts.state.item(item).map(ShownItem.init)
        }
    }

    func isInside(_ folder: RowID, _ row: Row) throws -> Bool {
        guard row.kind == .folder, let start = try parts.state.row(folder) else { return false }
        return try parts.state.chain(of: start).contains { $0.id == row.id }
    }

    /// Other bytes or attributes than the row's.
    mutating func update(_ row: Row, to entry: ViewEntry, _ path: DrivePath) async throws {
        guard try runner.locator.verified(row) != nil else {
            passOver(entry.name, "it is not as it was")
            return
        }
        var new = row
        new.attributes = entry.attributes
        new.hash = entry.content?.hash
        new.isDerived = entry.isDerived
        try stand(&new, for: entry)
        if row.hash == entry.content?.hash {
            if try isDenied(row, isOfAttributes: true) { return }
            batch.add(Intent(step: .setAttributes, identity: row.facts.identity, row: new), bytes: 0)
        } else {
            guard try !waitsForWriter(of: row), try !isClosed(path, in: row.parent, row.name) else { return }
            let staged = FileName("edit-\(row.id.rawValue)-\(parts.entropy.nonce(8))")
            guard
                let (facts, attributes) = try await stageWhole(entry, as: staged, path, replacing: row, like: row)
            else { return }
            new.facts = facts
            new.attributes = attributes
            new.placedInBoot = parts.options.boot
            let trash = try trashEntry(for: row, reason: .replaced)
            batch.add(
                Intent(step: .replace(staged: staged, trash: trash), identity: facts.identity, row: new),
                bytes: facts.size)
        }
        if batch.isFull { try flush() }
    }
}

extension DriveParts {
    /// Throws where so many bytes more would leave the disk too full.
    func checkSpace(for size: UInt64) throws {
        guard try files.hasRoom(for: size, floor: options.freeSpaceFloor) else {
            throw DriveError(.noSpace, "the disk is nearly full; make room and sync again")
        }
    }
}

extension FileStore {
    /// Whether the disk would still have as much free as nothing that docdrive brings may take, after so many bytes more.
    package func hasRoom(for size: UInt64, floor: UInt64 = EngineOptions().freeSpaceFloor) throws -> Bool {
        try room(floor: floor).left >= size
    }

    /// Bytes that may be brought, and where that is none, those that are lacking before any may be.
    package func room(floor: UInt64 = EngineOptions().freeSpaceFloor) throws -> (left: UInt64, lacking: UInt64) {
        let (available, total) = try freeSpace()
        let least = min(max(floor, total / 100), total / 10)
        return (available - min(available, least), least - min(available, least))
    }
}
