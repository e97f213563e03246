/// What folders gave their group and everybody that syncing or an act has removed here and that were not open to all: should
/// they come back, they are to be closed as they were. No record tells of that, for permissions stay those of the device, and no
/// row does.
///
/// Whoever restores a file makes its folder anew, as another item: only its path tells that it is the same, from whichever folder
/// above it is still there, since those that are further up may have been renamed. So a note holds for what comes to the path for as
/// long as something of the folder can come back, and not for what has the name much later.
package struct ClosedFolders {
    private let state: any DriveState

    package init(_ state: any DriveState) { self.state = state }

    /// What was in it is kept by the store and in trashes, and longer where a device is away, until that counts as gone.
    package static let kept = CollectionRule().age + CollectionRule().patience

    /// Nil where the last one at the path was open, where nobody has removed one here, and where that was so long ago that nothing of
    /// it comes back.
    package func permissions(at path: DrivePath) throws -> UInt16? {
        guard try hasNotes else { return try permissions(Self.key(path)) }
        for (folder, rest) in try ways(to: path) {
            for member in folder.members {
                if let found = try permissions(Self.key(rest, from: member.item)) { return found }
            }
        }
        return try permissions(Self.key(path))
    }

    private func permissions(_ key: String) throws -> UInt16? {
        guard let bytes = try state.setting(key) else { return nil }
        var reader = ByteReader(bytes)
        guard let permissions = try? reader.fixed(UInt16.self) else { return nil }
        // Without a time no clock had been looked at.
        guard let since = try? reader.fixed(UInt64.self), let now = try state.seenTime()?.now else {
            return permissions
        }
        return now > since && now - since > Self.kept ? nil : permissions
    }

    /// Within the caller's transaction, while the folders above it are known.
    package func note(_ permissions: UInt16, at path: DrivePath) throws {
        let isOpen = permissions & Self.openToAll == Self.openToAll
        if isOpen, try !hasNotes { return try state.setSetting(nil, Self.key(path)) }
        var writer = ByteWriter(reserving: 10)
        writer.fixed(permissions)
        if let now = try state.seenTime()?.now { writer.fixed(now) }
        let note = isOpen ? nil : writer.bytes
        try state.setSetting(note, Self.key(path))
        for (folder, rest) in try ways(to: path) {
            try state.setSetting(note, Self.key(rest, from: folder.primary.item))
        }
        if try !isOpen && !hasNotes { try state.setSetting([1], Self.notesKey) }
    }

    /// The folders above it, the nearest first, and the way from each.
    private func ways(to path: DrivePath) throws -> [(folder: Row, rest: DrivePath)] {
        var ways: [(Row, DrivePath)] = []
        var above = RowID.root
        for (depth, name) in path.components.dropLast().enumerated() {
            guard let row = try state.child(of: above, named: name), row.kind == .folder else { break }
            ways.append((row, DrivePath(Array(path.components.dropFirst(depth + 1)))))
            above = row.id
        }
        return ways.reversed()
    }

    /// Its group and everybody may list and enter it.
    private static let openToAll: UInt16 = 0o055

    /// There may be some that have more than a path.
    private static let notesKey = "closed-folders"
    private var hasNotes: Bool { get throws { try state.setting(Self.notesKey) != nil } }

    /// Of any path, which need not be text.
    private static func key(_ path: DrivePath) -> String { "closed-folder \(ContentHasher.hash(of: path.bytes))" }

    /// No path has the byte 0.
    private static func key(_ path: DrivePath, from folder: ItemID) -> String {
        "closed-folder \(ContentHasher.hash(of: Array("\(folder)".utf8) + [0] + path.bytes))"
    }
}
