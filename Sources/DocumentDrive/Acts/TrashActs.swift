import DriveCore
import FileCoordination

/// Takes files out of the drive's trash, or removes them for good.
struct TrashActs {
    let parts: DriveParts

    init(_ parts: DriveParts) { self.parts = parts }

    func restore(_ names: [String]) throws -> [String] {
        try find(names).map { entry in
            guard let folder = try parts.files.makeFolder(at: entry.path.parent, entropy: parts.entropy) else {
                throw DriveError(
                    .usage, "something else has the name of its folder; move that away first",
                    path: entry.path.parent.description)
            }
            for ordinal in 1..<100 {
                let name = ordinal == 1 ? entry.path.name ?? entry.name : restoredName(entry.path, ordinal)
                switch try parts.files.move(entry.name, in: parts.files.open(.trash), to: name, in: folder) {
                case .done:
                    try parts.state.removeTrash(entry.name)
                    return "\(entry.path.parent.appending(name)): is back"
                case .occupied: continue
                case .missing, .impossible:
                    throw DriveError(.notFound, "the trash has lost this file", path: entry.path.description)
                }
            }
            throw DriveError(
                .usage, "too many files of this name are here; move some away", path: entry.path.description)
        }
    }

    func empty(_ names: [String]) throws -> [String] {
        let entries = try find(names)
        for entry in entries {
            try parts.files.discard(entry.name, in: .trash)
            try parts.state.removeTrash(entry.name)
        }
        return ["\(entries.count) removed for good"]
    }

    /// What has been in the trash for longer than this goes for good: 30 days.
    private static let kept: UInt64 = 30 * 86_400_000

    func expire() throws {
        let now = parts.clock.milliseconds()
        for entry in try parts.state.trash() where entry.time + Self.kept < now {
            try parts.files.discard(entry.name, in: .trash)
            try parts.state.removeTrash(entry.name)
        }
    }

    /// `Letter (restored).odt`, `Letter (restored 2).odt`
    private func restoredName(_ path: DrivePath, _ ordinal: Int) -> FileName {
        let bytes = path.name?.bytes ?? []
        let dot = bytes.lastIndex(of: 0x2E).flatMap { $0 > 0 && bytes.count - $0 <= 32 ? $0 : nil } ?? bytes.count
        let marker = ordinal == 2 ? " (restored)" : " (restored \(ordinal - 1))"
        let stem = bytes[..<dot].prefix(FileName.maximumLength - marker.utf8.count - (bytes.count - dot))
        return FileName(bytes: stem + Array(marker.utf8) + bytes[dot...])
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
