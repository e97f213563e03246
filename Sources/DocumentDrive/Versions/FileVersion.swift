public import DriveCore

/// One of the contents that a file has or had: `NSFileVersion` is the model.
public struct FileVersion: Hashable, Sendable, Identifiable {
    /// Where the file is, or was.
    public var path: DrivePath
    /// The identity of the bytes.
    public var content: ContentHash
    public var size: UInt64
    /// The file's own modification time, as it was saved with.
    public var modificationDate: FileTime
    /// The label of the device that saved it; nil where no record tells.
    public var deviceName: String?
    /// When it was recorded, in milliseconds since 1970.
    public var recorded: UInt64?
    /// When another content took its place, as far as this device knows; nil for what is in force.
    public var replaced: UInt64?
    public var kind: Kind
    public var place: Place
    /// Of what is in the store alone: this device has agreed to its removal or missed it there, or nothing has needed it for as long as
    /// what nobody needs is kept. Other devices may have needed it since.
    public var mayHaveLeftTheStore = false
    /// When it was in force, the last time first: a content may come back.
    public var periods: [Period]

    /// In milliseconds since 1970, as far as this device knows.
    public struct Period: Hashable, Sendable {
        public var from: UInt64
        /// Nil while it is in force, and where the end is not known.
        public var until: UInt64?
    }

    public enum Kind: String, Hashable, Sendable {
        /// What the file holds.
        case current
        /// An unresolved conflict: shown as a copy beside the file.
        case conflict
        /// Replaced by another content.
        case past
        /// What the file held when it was deleted.
        case deleted
    }

    /// Where the bytes are.
    public enum Place: String, Hashable, Sendable {
        /// In the folder itself.
        case folder
        /// In the drive's trash on this device.
        case trash
        /// In what the drive keeps on this device until it can be sent to the store.
        case unsent
        /// Nowhere on this device: they are brought from the store, for as long as it keeps them.
        case store
        /// Nowhere any more: this device has removed it from the store, or it was given up.
        case gone
    }

    /// Stays the same on every device and in every version of the program: the content's 64 hexadecimal digits.
    public var persistentIdentifier: String { content.description }
    public var id: String { persistentIdentifier }
    public var isConflict: Bool { kind == .conflict }
    /// False as long as its conflict stands; true for every other version.
    public var isResolved: Bool { kind != .conflict }
    public var hasLocalContents: Bool { place != .store && place != .gone }
}

extension DriveReader {
    /// Every content that is known of the file at a path, or that was there: the one in force first, then the newest.
    /// As they are on the disk now, also where no pass has looked at that yet: what such a file holds has no `recorded`, and
    /// what the index has of it is `past`, or `deleted`.
    public func versions(of path: DrivePath) throws -> [FileVersion] {
        try VersionList(index, folderNow(), unsent).versions(of: path)
    }

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
        let list = try VersionList(index, folderNow(), unsent)
        var missing = try list.missing(in: folder, unseen: unseen)
        let rows = missing.compactMap(\.row)
        let moved = rows.isEmpty ? [] : try await folderChanges().moved
        missing.removeAll { $0.row.map(moved.contains) ?? false }
        let versions = try missing.filter { !$0.isFolder }.compactMap { try list.versions(of: $0.path).first }
        let folders = missing.filter(\.isFolder).map(\.path)
        var filled: Set<DrivePath> = []
        for path in versions.map(\.path) + folders {
            var above = path.parent
            while !above.isRoot, filled.insert(above).inserted { above = above.parent }
        }
        return (versions, folders.filter { !filled.contains($0) })
    }
}
