import DriveCore
import FileCoordination

// What is written down before anything moves.
extension DeedRunner {
    mutating func announce() throws {
        try parts.state.transaction {
            let now = parts.clock.milliseconds()
            for (place, outcome) in outcomes.enumerated() {
                guard let (path, hash) = outcome.deed.trashed else { continue }
                let size = try parts.state.row(at: path)?.facts.size ?? 0
                entries[place] = TrashEntry(
                    name: TrashEntry.nameOfAct(parts.entropy), path: path, hash: hash, size: size, reason: reason,
                    time: now)
            }
            returning = try expectedReturns()
            try AnnouncedTrash(parts).announce(
                takings { _ in true }, moves: announcedMoves(), returns: returns { _ in true })
        }
        try keepClosedFolders()
    }

    /// Of those that are to go, all at once: each for itself would wait for the disk. What is to be there by then is looked at then.
    private func keepClosedFolders() throws {
        let folders = outcomes.compactMap { outcome -> (path: DrivePath, permissions: UInt16)? in
            guard case .removeFolder(let path) = outcome.deed, let name = path.name,
                let folder = try? parts.files.open(path: path.parent),
                let permissions = parts.files.permissions(of: name, in: folder)
            else { return nil }
            return (path, permissions)
        }
        try parts.closedFolders.keep(folders)
    }

    /// What is not there yet, or known by another content, is told of by the next look at the folder.
    private func announcedMoves() throws -> [AnnouncedMove] {
        try outcomes.flatMap { outcome in
            try outcome.deed.moves.compactMap { move in
                guard let row = try parts.state.row(at: move.from), row.kind == .folder || row.hash != nil else {
                    return nil
                }
                return AnnouncedMove(
                    move.from, to: move.to, row.facts.identity, row.hash, reversed: outcome.reversed)
            }
        }
    }

    func takings(where isMeant: (Outcome) -> Bool) -> [AnnouncedTaking] {
        entries.sorted { $0.key < $1.key }.filter { isMeant(outcomes[$0.key]) }.map { place, entry in
            AnnouncedTaking(
                entry, successor: outcomes[place].deed.successor, copy: outcomes[place].deed.copy,
                reversed: outcomes[place].reversed)
        }
    }
}

extension Deed {
    /// What takes the place of what it sends to the trash.
    fileprivate var successor: ContentHash? {
        switch self {
        case .putBack(let hash, _, _), .moveOver(_, let hash, _, _): hash
        case .write(let bytes, _, _): ContentHasher.hash(of: bytes)
        default: nil
        }
    }
}
