import DriveCore
import FileCoordination

/// Removes files of the drive's trash for good.
struct TrashActs {
    let parts: DriveParts

    init(_ parts: DriveParts) { self.parts = parts }

    /// What cannot be removed stays, and it is said why.
    func empty(_ names: [String]) throws -> [ActOutcome] {
        let entries = try find(names)
        let kept = try remove(entries)
        let count = entries.count - kept.count
        let removed = ActOutcome(nil, "\(count) removed for good")
        return (count > 0 || kept.isEmpty ? [removed] : []) + kept.map { .left($0.entry.path, $0.reason.message) }
    }

    /// What has been in the trash for longer than `PastVersion.kept`, by the time that was seen pass, goes for good, but for
    /// what is kept beside it, and for what a program goes on writing (`TrashWriting`). One that cannot be removed is
    /// passed over.
    func expire() throws {
        try AnnouncedTrash(parts).settle()
        let now = try parts.state.lookAtClock(parts.clock.milliseconds())
        let due = try parts.state.trash().filter {
            ($0.since ?? $0.time) + PastVersion.kept < now && $0.reason.isShown
        }
        let writing = TrashWriting(parts)
        var kept: [Kept] = []
        let over = try due.filter { entry in try passing(entry, &kept) { try !writing.keeps(entry) } }
        for (entry, reason) in kept + (try remove(over)) {
            parts.report(.passedOver(entry.name, "it stays in the trash: \(reason.message)"))
        }
    }

    private typealias Kept = (entry: TrashEntry, reason: DriveError)

    /// False where the world is in the way of this one, or the body says so.
    private func passing(_ entry: TrashEntry, _ kept: inout [Kept], _ body: () throws -> Bool) throws -> Bool {
        do { return try body() } catch let error as DriveError where error.remedy != .halt {
            kept.append((entry, error))
            return false
        }
    }

    /// So many are forgotten together.
    private static let atOnce = 256

    /// Those that could not be removed. Who is interrupted leaves entries without files, as many as are forgotten together at most,
    /// and the next sync or act forgets them (`AnnouncedTrash`): a file without an entry would stay for ever.
    private func remove(_ entries: [TrashEntry]) throws -> [Kept] {
        var kept: [Kept] = []
        var removed: [TrashEntry] = []
        var left = entries[...]
        while !left.isEmpty {
            let known = removed.count
            let next = left.prefix(Self.atOnce)
            try AnnouncedTrash(parts).announce(removing: next.map(\.name))
            // What stops all leaves those before it removed.
            let end = Result {
                for entry in next where try passing(entry, &kept, { try discard(entry) }) {
                    removed.append(entry)
                }
            }
            try parts.state.transaction {
                for entry in removed[known...] { try parts.state.removeTrash(entry.name) }
                // What stopped all may have done so right after it was removed: who comes next looks.
                if case .success = end { try AnnouncedTrash(parts).endRemoving(next.map(\.name)) }
            }
            try end.get()
            left = left.dropFirst(Self.atOnce)
        }
        try tellLost(removed)
        return kept
    }

    private func discard(_ entry: TrashEntry) throws -> Bool {
        try parts.files.discard(entry.name, in: .trash)
        return true
    }

    /// Who shows the file that was there learns what is not kept here any more.
    private func tellLost(_ entries: [TrashEntry]) throws {
        guard let claims = parts.claims else { return }
        let shown = Dictionary(grouping: entries.filter { $0.reason.isShown && $0.hash != nil }, by: \.path)
            .filter { claims.arePresented($0.key) }
        guard !shown.isEmpty else { return }
        let versions = try VersionList(parts.state, FolderNow(files: parts.files, state: parts.state))
        for (path, entries) in shown.sorted(by: { $0.key < $1.key }) {
            let left = Set(try versions.versions(of: path).filter(\.hasLocalContents).map(\.content))
            for content in Set(entries.compactMap(\.hash)).subtracting(left).sorted() {
                claims.announce(path, VersionNews(.lost, content.description))
            }
        }
    }

    private func find(_ names: [String]) throws -> [TrashEntry] {
        let all = Dictionary(try parts.state.trash().map { ($0.name, $0) }) { first, _ in first }
        return try names.map { name in
            guard let entry = all[FileName(name)] else {
                throw DriveError(.usage, "the trash has nothing with this id; `docdrive trash ls` lists it", path: name)
            }
            return entry
        }
    }
}
