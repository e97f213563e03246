import DriveCore
import FileCoordination

/// Removes files of the drive's trash for good.
struct TrashActs {
    let parts: DriveParts

    init(_ parts: DriveParts) { self.parts = parts }

    func empty(_ names: [String]) throws -> [String] {
        let entries = try find(names)
        for entry in entries {
            try parts.files.discard(entry.name, in: .trash)
            try parts.state.removeTrash(entry.name)
        }
        return ["\(entries.count) removed for good"]
    }

    /// What has been in the trash for longer than `PastVersion.kept`, by the time that was seen pass, goes for good, but for
    /// what conflicts that stand need.
    func expire() throws {
        try AnnouncedTrash(parts).settle()
        let now = try parts.state.lookAtClock(parts.clock.milliseconds())
        for entry in try parts.state.trash()
        where (entry.since ?? entry.time) + PastVersion.kept < now && entry.reason != .ancestor {
            try parts.files.discard(entry.name, in: .trash)
            try parts.state.removeTrash(entry.name)
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
