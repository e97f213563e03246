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

    init(_ parts: DriveParts) throws {
        self.parts = parts
        let known = parts.knownCopies
        try known.load(parts.state)
        for entry in known.entries {
            guard let name = entry.path.name, let folder = try parts.state.row(at: entry.path.parent) else { continue }
            let file = try parts.state.child(of: folder.id, named: name)
            places[entry.name] = Place(path: entry.path, file: file?.id, folder: folder.id)
        }
    }

    /// Once that has moved what it had to.
    func follow() throws {
        let known = parts.knownCopies
        var moved: [TrashEntry] = []
        for (name, place) in places.sorted(by: { $0.key < $1.key }) {
            // Another one may have been followed by its inode.
            guard var entry = known.entry(named: name), entry.path == place.path, let there = try path(now: place),
                there != entry.path
            else { continue }
            entry.path = there
            moved.append(entry)
        }
        for entry in moved { known.noteMove(entry) }
        moved += try followers(known.takeMoves())
        if moved.isEmpty { return }
        let followed = try FollowedVersions(parts.state)
        try parts.state.transaction {
            for entry in moved { try parts.state.addTrash(entry) }
            try followed.note(moved, now: parts.clock.milliseconds(), in: parts.state)
        }
        for entry in moved where entry.reason == .refused { known.add(entry) }
    }

    /// What such files held before: no record tells where those are. Where there is a file at the path still, it was saved anew
    /// beside a backup, and what it held stays with it; what another one held that was deleted there is nobody's.
    private func followers(_ moves: [DrivePath: DrivePath]) throws -> [TrashEntry] {
        let (copies, taken) = (RefusedCopies(parts), Set(moves.values))
        let left = try moves.filter { try taken.contains($0.key) || copies.look(at: $0.key) == nil }
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

    /// Nil where it went.
    private func path(now place: Place) throws -> DrivePath? {
        let state = parts.state
        if let file = place.file { return try state.row(file).map { try state.path(of: $0) } }
        guard let name = place.path.name, let folder = try state.row(place.folder) else { return nil }
        return try state.path(of: folder).appending(name)
    }
}
