import DriveCore
import FileCoordination

/// Files of which the change time alone is another than a pass has left: permissions that are not synced, an owner, a hard link
/// change nothing that others would hear of. A program may have put the date back after an edit, so they are read, up to some
/// bytes in all: who asks how things stand does not wait for the disk.
struct TouchedFiles {
    private let now: FolderNow
    private var bytesLeft: UInt64 = 64 << 20

    init(_ now: FolderNow) { self.now = now }

    /// Whether the pass that looks at it finds nothing to record; false where that would take too long to find out.
    mutating func isAsRecorded(_ path: DrivePath) throws -> Bool {
        guard let row = try now.state.row(at: path), row.kind == .file, let hash = row.hash, let name = path.name else {
            return false
        }
        do {
            guard let folder = try now.files.open(path: path.parent),
                let here = try now.files.look(at: name, in: folder),
                here.isTouchedAlone(since: row.facts), here.size <= bytesLeft,
                try now.files.extendedAttributes(of: name, in: folder) == row.attributes.extended
            else { return false }
            bytesLeft -= here.size
            return try now.files.contentHash(of: name, in: folder) == hash
        } catch {
            guard error.remedy == .skip else { throw error }
            return false
        }
    }
}

extension FileFacts {
    fileprivate func isTouchedAlone(since known: FileFacts) -> Bool {
        kind == known.kind && identity == known.identity && size == known.size && modified == known.modified
            && isExecutable == known.isExecutable && changed != known.changed
    }
}
