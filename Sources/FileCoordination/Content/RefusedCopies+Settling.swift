import DriveCore

// What becomes of copies of refused contents.
extension RefusedCopies {
    private enum Fate: Equatable {
        /// The file holds it, or nobody can tell.
        case stays
        /// It is in the records, or in the trash, or the file that holds it has another copy.
        case unneeded
        case over(TrashEntry.Reason)
    }

    /// After a look at the folder, at these places or everywhere: what files do not hold any more comes into the trash, and of what
    /// is recorded no copy is needed.
    func settle(_ touched: TouchedPaths?) throws {
        let known = parts.knownCopies
        do {
            try known.load(parts.state)
            let entries = known.entries.filter { touched?.covers($0.path) ?? true }
            if !entries.isEmpty { try settle(entries) }
        } catch let error as DriveError where error.remedy != .halt {
            // The next look tries again.
        }
    }

    private func settle(_ entries: [TrashEntry]) throws {
        let known = parts.knownCopies
        var shown: [Taken: UInt64]?
        for var entry in entries {
            var fate = try isThere(entry) ? try fate(of: entry) : .unneeded
            if case .over = fate {
                let taken = try shown ?? taken()
                shown = taken
                if let time = taken[Taken(entry)], time >= entry.time { fate = .unneeded }
            }
            switch fate {
            case .stays: continue
            case .unneeded:
                try parts.files.discard(entry.name, in: .trash)
                try parts.state.transaction { try parts.state.removeTrash(entry.name) }
            case .over(let reason):
                (entry.reason, entry.time) = (reason, parts.clock.milliseconds())
                try parts.state.transaction { try parts.state.addTrash(entry) }
            }
            // From here on another copy of these bytes may be the last one.
            known.forget(entry)
        }
    }

    private func fate(of entry: TrashEntry) throws -> Fate {
        let now: FileFacts?
        do { now = try look(at: entry.path) } catch let error as DriveError where error.remedy == .skip {
            return .stays
        }
        let row = try parts.state.row(at: entry.path)
        // It comes back to its place.
        if row?.isParked == true { return .stays }
        guard let now else { return try isElsewhere(entry) ? .unneeded : .over(.deleted) }
        if let row, row.hash != nil, row.facts.looksUnchanged(since: now) {
            return try row.hash == entry.hash || isElsewhere(entry) ? .unneeded : .over(.replaced)
        }
        if let file = parts.knownCopies.facts(entry), file.looksUnchanged(since: now) { return .stays }
        guard try holds(entry, now) else { return try isElsewhere(entry) ? .unneeded : .over(.replaced) }
        parts.knownCopies.note(entry, now)
        return .stays
    }

    private func holds(_ entry: TrashEntry, _ now: FileFacts) throws -> Bool {
        guard now.kind == .file, now.size == entry.size, let name = entry.path.name,
            let folder = try parts.files.open(path: entry.path.parent)
        else { return false }
        return try parts.files.contentHash(of: name, in: folder) == entry.hash
    }

    /// Whether the file has another name now, where it was taken up with the same bytes.
    private func isElsewhere(_ entry: TrashEntry) throws -> Bool {
        let known = parts.knownCopies
        guard let hash = entry.hash, let inode = known.inode(entry) else { return false }
        if known.entries(hash).contains(where: { $0.name != entry.name && known.inode($0) == inode }) { return true }
        return try parts.state.first(hash: hash) { $0.facts.identity.inode == inode ? $0 : nil } != nil
    }

    /// What is in the trash, and since when: an act may have taken it out.
    private func taken() throws -> [Taken: UInt64] {
        let entries = try parts.state.trash().filter(\.reason.isShown)
        return Dictionary(entries.map { (Taken($0), $0.time) }, uniquingKeysWith: max)
    }
}

private struct Taken: Hashable {
    var path: DrivePath
    var hash: ContentHash?

    init(_ entry: TrashEntry) { (path, hash) = (entry.path, entry.hash) }
}
