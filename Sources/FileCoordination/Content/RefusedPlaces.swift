import DriveCore

/// Where the files were of which there are copies, while something may move them: a copy goes with its file, whatever that holds by
/// then.
///
/// By the rows: they follow a file that was renamed, and what is in a folder that was, also where an editor saved it anew there.
struct RefusedPlaces {
    private struct Place {
        var path: DrivePath
        /// Nil for what has never been recorded.
        var file: RowID?
        var folder: RowID
    }

    private let parts: DriveParts
    private var places: [FileName: Place] = [:]
    /// The rows of the files among them.
    private var files: [DrivePath: RowID] = [:]
    /// Rows from there on are made meanwhile. Nil where there are no places.
    private let firstNew: RowID?

    init(_ parts: DriveParts) throws {
        self.parts = parts
        let known = parts.knownCopies
        try known.load(parts.state)
        firstNew = known.entries.isEmpty ? nil : try parts.state.newRowID()
        for entry in known.entries {
            guard let name = entry.path.name, let folder = try parts.state.row(at: entry.path.parent) else { continue }
            let file = try parts.state.child(of: folder.id, named: name)
            places[entry.name] = Place(path: entry.path, file: file?.id, folder: folder.id)
            files[entry.path] = file?.id
        }
    }

    /// Once that has moved what it had to. Where it throws, or nobody comes to it, the state has the old paths, and the next look
    /// finds out again.
    func follow() throws {
        let known = parts.knownCopies
        for (name, place) in places.sorted(by: { $0.key < $1.key }) {
            // Another one may have been followed by its inode.
            guard let entry = known.entry(named: name), entry.path == place.path, let there = try path(now: place),
                there != entry.path
            else { continue }
            known.move(entry, to: there)
        }
        try write(known.moved, followedBy: known.moves)
        known.forgetMoves()
    }

    private func write(_ moved: [TrashEntry], followedBy moves: [DrivePath: DrivePath]) throws {
        if moves.isEmpty { return }
        let moved = try moved + followers(moves)
        let followed = try FollowedVersions(parts.state)
        try parts.state.transaction {
            for entry in moved { try parts.state.addTrash(entry) }
            try followed.note(moved, now: parts.clock.milliseconds(), in: parts.state)
        }
    }

    /// What such files held before: no record tells where those are. Where the file was saved anew beside a backup, what it held
    /// stays with it; what another one held that was deleted there is nobody's.
    private func followers(_ moves: [DrivePath: DrivePath]) throws -> [TrashEntry] {
        let taken = Set(moves.values)
        let left = try moves.filter { try taken.contains($0.key) || !isSavedAnew(at: $0.key) }
        if left.isEmpty { return [] }
        let (trash, followed) = (try parts.state.trash(), try FollowedVersions(parts.state))
        let ends = FollowedVersions.ends(in: trash)
        return trash.filter { $0.isOfRefused && $0.reason == .replaced }.compactMap { entry in
            guard let place = left[entry.path], !followed.isOver(entry, ends) else { return nil }
            var entry = entry
            entry.path = place
            return entry
        }
    }

    /// Whether what has the path is the file that had it, and nothing that came there from elsewhere.
    private func isSavedAnew(at path: DrivePath) throws -> Bool {
        guard try isThere(path) else { return false }
        let state = parts.state
        if let file = files[path], let row = try state.row(file) { return try state.path(of: row) == path }
        guard let row = try state.row(at: path) else { return true }
        return firstNew.map { $0 <= row.id } ?? true
    }

    private func isThere(_ path: DrivePath) throws -> Bool {
        // In a folder that may not be looked into nobody knows.
        do { return try RefusedCopies(parts).look(at: path) != nil } catch let error as DriveError
            where error.remedy == .skip
        { return true }
    }

    /// Nil where it went.
    private func path(now place: Place) throws -> DrivePath? {
        let state = parts.state
        if let file = place.file { return try state.row(file).map { try state.path(of: $0) } }
        guard let name = place.path.name, let folder = try state.row(place.folder) else { return nil }
        return try state.path(of: folder).appending(name)
    }
}
