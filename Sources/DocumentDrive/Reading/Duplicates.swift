public import DriveCore
import DriveFiles
import DriveIndex
import FileCoordination
import Glibc

/// Files of equal contents, told from the index: no file is read.
///
/// Contents are equal where their SHA-256 is; in a drive without a store, where their keyed fingerprint is (`ContentKey`).
/// Each file is looked at, and counts only where its size, times and inode are those with which it was read.
public struct Duplicates: Sendable {
    public var groups: [Group] = []
    /// Files that changed since the index was written and are left out.
    public var changed = 0
    /// Files that are left out because a folder above them may not be entered.
    public var closed: [DrivePath] = []

    public struct Group: Hashable, Sendable {
        /// Of each file, in bytes.
        public var size: UInt64
        public var hash: ContentHash
        /// Files of one inode (hard links) stand here once, by the first of their paths.
        public var paths: [DrivePath]

        /// What keeping one of them would free.
        public var surplus: UInt64 { size * UInt64(paths.count - 1) }
    }

    /// Of files in the folder, of at least so many bytes; what would free most comes first.
    public init(_ reader: DriveReader, in folder: DrivePath = .root, minimumSize: UInt64 = 1) throws {
        guard let replica = try Drive.replica(of: reader.folder) else {
            throw DriveError(.usage, "this folder is no drive", path: reader.folder.description)
        }
        let files = try DiskFileStore.open(at: reader.folder.bytes, replica: replica)
        // One view of the rows: each path would otherwise lock the index anew.
        let found = try reader.index.transaction { try reader.index.duplicates(minimumSize: minimumSize) }
        let unchanged = try unchanged(found.joined().filter { $0.path.isInside(folder) }, files, reader.folder)
        groups = found.compactMap { Self.group($0.filter { unchanged.contains($0.row.id) }) }
        groups.sort { ($1.surplus, $0.paths[0]) < ($0.surplus, $1.paths[0]) }
    }

    /// Those that are as the index says; the others are counted.
    private mutating func unchanged(
        _ placed: [PlacedRow], _ files: any FileStore, _ drive: FolderPath
    ) throws -> Set<RowID> {
        var standing = try FileStanding(files: files)
        var unchanged: Set<RowID> = []
        // Rows are large: what is sorted are their numbers.
        for place in placed.indices.sorted(by: { placed[$0].row.parent < placed[$1].row.parent }) {
            try Task.checkCancellation()
            let (row, path) = (placed[place].row, placed[place].path)
            if try standing.isUnchanged(row, at: path) {
                unchanged.insert(row.id)
            } else if Self.isClosed(drive.appending(path: path)) {
                closed.append(path)
            } else {
                changed += 1
            }
        }
        return unchanged
    }

    private static func isClosed(_ place: FolderPath) -> Bool {
        var facts = stat()
        return place.withPointer { lstat($0, &facts) } != 0 && errno == EACCES
    }

    /// Nil where no two files are left.
    private static func group(_ rows: [PlacedRow]) -> Group? {
        var byInode: [FileIdentity: DrivePath] = [:]
        for placed in rows {
            let inode = placed.row.facts.identity
            byInode[inode] = min(placed.path, byInode[inode] ?? placed.path)
        }
        guard byInode.count > 1, let first = rows.first?.row, let hash = first.hash else { return nil }
        return Group(size: first.facts.size, hash: hash, paths: byInode.values.sorted())
    }
}
