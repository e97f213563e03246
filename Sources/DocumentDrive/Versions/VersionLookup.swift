public import DriveCore
import FileCoordination

/// What is known of the contents of files, looked up one after the other: the trash, the log and the folder are read once for however
/// many, when somebody first asks, so that what happens afterwards need not be in it.
public final class VersionLookup {
    private let reader: DriveReader
    private let list: VersionList
    private var changes: FolderChanges?

    init(_ reader: DriveReader) throws {
        self.reader = reader
        list = try VersionList(reader.index, reader.folderNow(), reader.unsent)
    }

    /// As `DriveReader.versions(of:)`.
    public func versions(of path: DrivePath) throws -> [FileVersion] { try list.versions(of: path) }

    /// As `DriveReader.deletedItems(in:unseen:)`.
    public func deletedItems(
        in folder: DrivePath, unseen: (DriveError) -> Void = { _ in }
    ) async throws -> (versions: [FileVersion], emptyFolders: [DrivePath]) {
        var missing = try list.missing(in: folder, unseen: unseen)
        if missing.contains(where: { $0.row != nil }) {
            let moved = try await folderChanges().moved
            missing.removeAll { $0.row.map(moved.contains) ?? false }
        }
        let versions = try missing.filter { !$0.isFolder }.compactMap { try list.versions(of: $0.path).first }
        let folders = missing.filter(\.isFolder).map(\.path)
        var filled: Set<DrivePath> = []
        for path in versions.map(\.path) + folders {
            var above = path.parent
            while !above.isRoot, filled.insert(above).inserted { above = above.parent }
        }
        return (versions, folders.filter { !filled.contains($0) })
    }

    private func folderChanges() async throws -> FolderChanges {
        if let changes { return changes }
        let read = try await reader.folderChanges()
        changes = read
        return read
    }
}

extension DriveReader {
    /// For many files: each of the calls below reads all that one of these reads once.
    public func versionLookup() throws -> VersionLookup { try VersionLookup(self) }

    /// Every content that is known of the file at a path, or that was there: the one in force first, then the newest.
    /// As they are on the disk now, also where no pass has looked at that yet: what such a file holds has no `recorded`, and
    /// what the index has of it is `past`, or `deleted`.
    public func versions(of path: DrivePath) throws -> [FileVersion] { try versionLookup().versions(of: path) }

    /// Nil where no file is there.
    public func currentVersion(of path: DrivePath) throws -> FileVersion? {
        try versions(of: path).first { $0.kind == .current }
    }

    /// All but the current one.
    public func otherVersions(of path: DrivePath) throws -> [FileVersion] {
        try versions(of: path).filter { $0.kind != .current }
    }

    public func unresolvedConflictVersions(of path: DrivePath) throws -> [FileVersion] {
        try versions(of: path).filter(\.isConflict)
    }

    /// Files that were beneath a folder, or at the path, and are not there any more, with the last content of each. What was
    /// only moved is not among them, nor is what cannot be looked at: `unseen` hears why, once for each folder.
    public func deletedVersions(
        in folder: DrivePath, unseen: (DriveError) -> Void = { _ in }
    ) async throws -> [FileVersion] {
        try await deletedItems(in: folder, unseen: unseen).versions
    }

    /// As `deletedVersions`, with the folders in which none of them was, and no other such folder.
    public func deletedItems(
        in folder: DrivePath, unseen: (DriveError) -> Void = { _ in }
    ) async throws -> (versions: [FileVersion], emptyFolders: [DrivePath]) {
        try await versionLookup().deletedItems(in: folder, unseen: unseen)
    }
}
