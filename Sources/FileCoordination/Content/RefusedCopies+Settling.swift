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
        var shown: Shown?
        for var entry in entries {
            var fate = try isThere(entry) ? try fate(of: entry) : .unneeded
            if case .over(let reason) = fate {
                let trash = try shown ?? Shown(parts.state)
                shown = trash
                let now = parts.clock.milliseconds()
                if trash.has(entry) || reason == .replaced && trash.isCrowded(entry, now: now) { fate = .unneeded }
            }
            switch fate {
            case .stays: continue
            case .unneeded:
                try parts.files.discard(entry.name, in: .trash)
                try parts.state.transaction { try parts.state.removeTrash(entry.name) }
            case .over(let reason):
                (entry.reason, entry.time) = (reason, parts.clock.milliseconds())
                try parts.state.transaction { try parts.state.addTrash(entry) }
                shown?.add(entry)
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
        guard let now else {
            // It waits for its place, or a folder that it is in does.
            if try row == nil && parts.state.rowAside(at: entry.path) != nil { return .stays }
            return try isElsewhere(entry) ? .unneeded : .over(.deleted)
        }
        if let row, row.hash != nil, row.facts.looksUnchanged(since: now) {
            return try row.hash == entry.hash || isElsewhere(entry) ? .unneeded : .over(.replaced)
        }
        if let file = parts.knownCopies.facts(entry), file.looksUnchanged(since: now) { return .stays }
        guard try holds(entry, now) else { return try isElsewhere(entry) ? .unneeded : .over(.replaced) }
        if hasAnother(entry, now) { return .unneeded }
        parts.knownCopies.note(entry, now)
        return .stays
    }

    /// Whether there is another copy of what the file holds: one was made while this one was not listed.
    private func hasAnother(_ entry: TrashEntry, _ now: FileFacts) -> Bool {
        let known = parts.knownCopies
        return known.entries(at: entry.path).contains { other in
            other.name != entry.name && other.hash == entry.hash
                && known.facts(other)?.looksUnchanged(since: now) == true
        }
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
        if known.entries(ofInode: inode).contains(where: { $0.name != entry.name && $0.hash == hash }) { return true }
        return try parts.state.first(hash: hash) { $0.facts.identity.inode == inode ? $0 : nil } != nil
    }
}

/// What is in the trash.
private struct Shown {
    /// Since when.
    private var times: [Taken: UInt64] = [:]
    /// When the last version of a refused file came there.
    private var versions: [DrivePath: UInt64] = [:]

    private struct Taken: Hashable {
        var path: DrivePath
        var hash: ContentHash?
    }

    init(_ state: any DriveState) throws {
        for entry in try state.trash() where entry.reason.isShown { add(entry) }
    }

    mutating func add(_ entry: TrashEntry) {
        let taken = Taken(path: entry.path, hash: entry.hash)
        times[taken] = max(times[taken] ?? 0, entry.time)
        if entry.isOfRefused { versions[entry.path] = max(versions[entry.path] ?? 0, entry.time) }
    }

    /// Whether an act has taken it out since.
    func has(_ entry: TrashEntry) -> Bool {
        times[Taken(path: entry.path, hash: entry.hash)].map { $0 >= entry.time } ?? false
    }

    /// Whether the version before came so short a time ago that this one is left out. A file that is saved all the time takes no
    /// more than a mebibyte a minute.
    func isCrowded(_ entry: TrashEntry, now: UInt64) -> Bool {
        guard let last = versions[entry.path], last <= now else { return false }
        return now - last < entry.size / Self.bytesPerSecond * 1_000
    }

    private static let bytesPerSecond: UInt64 = (1 << 20) / 60
}
