import DriveCore

/// Copies of what files hold that the store refuses, beside the trash.
///
/// Of such a content there is no record, so that nothing waits for it and nobody is told of bytes that the store lacks. When
/// the file comes to hold something else, or goes, its copy comes into the trash and is a version that can be restored.
struct RefusedCopies {
    let parts: DriveParts
    private var staged: [(entry: TrashEntry, facts: FileFacts)] = []
    /// Of each content those whose places were empty when somebody first asked: all of them are looked at once, and not for each file.
    private var left: [ContentHash: [TrashEntry]] = [:]

    init(_ parts: DriveParts) { self.parts = parts }

    /// A larger file is not copied: its room would be taken twice, for months perhaps.
    private static let largest: UInt64 = 64 << 20
    /// So many are made to stay together.
    private static let atOnce = 64

    /// Of a file as it was refused. Where something is in the way there is none, and the next look tries again.
    mutating func keep(
        _ facts: FileFacts, _ name: FileName, in folder: OpenFolder, at path: DrivePath, _ row: Row?
    ) throws {
        // What is recorded waits to be sent.
        if let row, row.hash != nil, row.facts.looksUnchanged(since: facts) { return }
        guard facts.kind == .file, facts.size <= Self.largest else { return }
        try passing { try copy(facts, name, in: folder, path) }
        if staged.count >= Self.atOnce { try flush() }
    }

    private mutating func copy(
        _ facts: FileFacts, _ name: FileName, in folder: OpenFolder, _ path: DrivePath
    ) throws {
        let known = parts.knownCopies
        try known.load(parts.state)
        if let entry = known.entry(of: facts) { return try follow(entry, facts, to: path) }
        guard try parts.files.hasRoom(for: facts.size, floor: parts.options.freeSpaceFloor),
            let hash = try parts.files.contentHash(of: name, in: folder), try isStill(facts, name, in: folder)
        else { return }
        // Renamed, and perhaps edited since then: what it held goes with it, though no record names it.
        for entry in known.entries(ofInode: facts.identity.inode)
        where try entry.path != path && isBornBefore(facts, entry) && hasLeft(entry, as: facts) {
            known.move(entry, to: path)
        }
        if let entry = try existing(hash, facts, path) { return try follow(entry, facts, to: path) }
        let entry = TrashEntry(
            name: TrashEntry.nameOfRefused(facts.identity, parts.entropy), path: path, hash: hash, size: facts.size,
            reason: .refused, time: parts.clock.milliseconds())
        guard try parts.stageCopy(of: name, in: folder, hash, as: entry.name) != nil else { return }
        do {
            // Who may not read the file may not read what it held either.
            try parts.files.adoptLocalMetadata(from: name, in: folder, to: entry.name)
        } catch {
            try? parts.files.discard(entry.name, in: .incoming)
            throw error
        }
        staged.append((entry, facts))
    }

    /// Who was killed may have written it down and not made it.
    func isThere(_ entry: TrashEntry) throws -> Bool {
        try parts.files.look(at: entry.name, in: parts.files.open(.trash)) != nil
    }

    private func isStill(_ facts: FileFacts, _ name: FileName, in folder: OpenFolder) throws -> Bool {
        try parts.files.look(at: name, in: folder)?.looksUnchanged(since: facts) == true
    }

    /// Made before the file was renamed, or saved anew as it was, or by a process before this one.
    private mutating func existing(
        _ hash: ContentHash, _ facts: FileFacts, _ path: DrivePath
    ) throws -> TrashEntry? {
        let known = parts.knownCopies
        for entry in known.entries(at: path) where entry.hash == hash {
            if try isThere(entry) { return entry }
        }
        for entry in known.entries(ofInode: facts.identity.inode) where entry.hash == hash {
            if try hasLeft(entry, as: facts) && isThere(entry) { return entry }
        }
        while let entry = try nextLeft(hash) {
            if try isThere(entry) { return entry }
        }
        return nil
    }

    /// One that nobody has taken up yet.
    private mutating func nextLeft(_ hash: ContentHash) throws -> TrashEntry? {
        let known = parts.knownCopies
        if left[hash] == nil {
            var found: [TrashEntry] = []
            for entry in known.entries(hash).reversed() where try look(at: entry.path) == nil { found.append(entry) }
            left[hash] = found
        }
        while let entry = left[hash]?.popLast() {
            if known.entry(named: entry.name)?.path == entry.path { return entry }
        }
        return nil
    }

    /// Whether the file that it is a copy of, which is this one, is not where it was.
    private func hasLeft(_ entry: TrashEntry, as facts: FileFacts) throws -> Bool {
        try look(at: entry.path)?.identity != facts.identity
    }

    /// Inodes are reused: a file that is younger than the copy has the number of the one that was copied.
    private func isBornBefore(_ facts: FileFacts, _ entry: TrashEntry) -> Bool {
        facts.identity.birth.map { $0.millisecondsSince1970 <= entry.time } ?? false
    }

    /// The file is there by now. That is written down together with where older contents of it are (`RefusedPlaces`): who is cut off
    /// leaves none of them behind.
    private func follow(_ entry: TrashEntry, _ facts: FileFacts, to path: DrivePath) throws {
        // A further name of one file is none that it got.
        let isMoved = try entry.path != path && hasLeft(entry, as: facts)
        let known = parts.knownCopies
        known.note(isMoved ? known.move(entry, to: path) : entry, facts)
    }

    func look(at path: DrivePath) throws -> FileFacts? {
        guard let name = path.name, let folder = try parts.files.open(path: path.parent) else { return nil }
        return try parts.files.look(at: name, in: folder)
    }

    /// Makes what was copied stay, also where power fails then.
    mutating func flush() throws {
        if staged.isEmpty { return }
        let made = staged
        staged = []
        try passing {
            // Written down first: an entry without a file is harmless, a file without an entry would stay for ever.
            try parts.state.transaction { for copy in made { try parts.state.addTrash(copy.entry) } }
            let (incoming, trash) = (try parts.files.open(.incoming), try parts.files.open(.trash))
            for copy in made { _ = try parts.files.move(copy.entry.name, in: incoming, to: copy.entry.name, in: trash) }
            try parts.files.makeDurable()
            for copy in made { parts.knownCopies.note(copy.entry, copy.facts) }
        }
    }

    /// What is in the way of a copy is in the way of nothing else.
    private func passing(_ body: () throws -> Void) throws {
        do { try body() } catch let error as DriveError where error.remedy != .halt {}
    }
}
