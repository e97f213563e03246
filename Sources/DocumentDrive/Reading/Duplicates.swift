public import DriveCore
import DriveFiles
import DriveIndex
import FileCoordination

/// Files of equal contents, told from the index: no file is read.
///
/// Contents are equal where their SHA-256 is; in a drive without a store, where their keyed fingerprint is (`ContentKey`).
/// Each file is looked at, and counts only where its size, times and inode are those with which it was read.
public struct Duplicates: Sendable {
    public var groups: [Group] = []
    /// Files that changed since the index was written and are left out.
    public var changed = 0

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
        let found = try reader.index.duplicates(minimumSize: minimumSize)
        var standing = FileStanding(
            files: try DiskFileStore.open(at: reader.folder.bytes, replica: replica), rows: reader.index)
        var unchanged: Set<RowID> = []
        for placed in found.joined().filter({ $0.path.isInside(folder) }).sorted(by: { $0.path < $1.path }) {
            try Task.checkCancellation()
            if try standing.isUnchanged(placed.row) { unchanged.insert(placed.row.id) } else { changed += 1 }
        }
        groups = found.compactMap { Self.group($0.filter { unchanged.contains($0.row.id) }) }
        groups.sort { ($1.surplus, $0.paths[0]) < ($0.surplus, $1.paths[0]) }
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
