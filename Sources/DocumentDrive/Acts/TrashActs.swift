import DriveCore
import FileCoordination

/// Removes files of the drive's trash for good.
struct TrashActs {
    let parts: DriveParts

    init(_ parts: DriveParts) { self.parts = parts }

    func empty(_ names: [String]) throws -> [ActOutcome] {
        let entries = try find(names)
        try remove(entries)
        return [ActOutcome(nil, "\(entries.count) removed for good")]
    }

    /// What has been in the trash for longer than `PastVersion.kept`, by the time that was seen pass, goes for good, but for
    /// what conflicts that stand need.
    func expire() throws {
        try AnnouncedTrash(parts).settle()
        let now = try parts.state.lookAtClock(parts.clock.milliseconds())
        try remove(
            parts.state.trash().filter {
                ($0.since ?? $0.time) + PastVersion.kept < now && $0.reason != .ancestor
            })
    }

    private func remove(_ entries: [TrashEntry]) throws {
        for entry in entries {
            try parts.files.discard(entry.name, in: .trash)
            try parts.state.removeTrash(entry.name)
        }
        try tellLost(entries)
    }

    /// Who shows the file that was there learns what is not kept here any more.
    private func tellLost(_ entries: [TrashEntry]) throws {
        guard let claims = parts.claims else { return }
        let shown = Dictionary(grouping: entries.filter { $0.reason != .ancestor && $0.hash != nil }, by: \.path)
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
        let all = try parts.state.trash()
        return try names.map { name in
            guard let entry = all.first(where: { $0.name == FileName(name) }) else {
                throw DriveError(.usage, "the trash has nothing with this id; `docdrive trash ls` lists it", path: name)
            }
            return entry
        }
    }
}
