/// What folders gave their group and everybody that syncing or an act has removed here and that were not open to all: should
/// they come back, they are to be closed as they were. No record tells of that, for permissions stay those of the device, and no
/// row does.
///
/// Whoever restores a file makes its folder anew, as another item: only its path tells that it is the same. So a note holds for what
/// comes to the path for as long as something of the folder can come back, and not for what has the name much later.
package struct ClosedFolders {
    private let state: any DriveState

    package init(_ state: any DriveState) { self.state = state }

    /// What was in it is kept by the store and in trashes, and longer where a device is away, until that counts as gone.
    package static let kept = CollectionRule().age + CollectionRule().patience

    /// Nil where the last one at the path was open, where nobody has removed one here, and where that was so long ago that nothing of
    /// it comes back.
    package func permissions(at path: DrivePath) throws -> UInt16? {
        guard let bytes = try state.setting(Self.key(path)) else { return nil }
        var reader = ByteReader(bytes)
        guard let permissions = try? reader.fixed(UInt16.self) else { return nil }
        // Without a time no clock had been looked at.
        guard let since = try? reader.fixed(UInt64.self), let now = try state.seenTime()?.now else {
            return permissions
        }
        return now > since && now - since > Self.kept ? nil : permissions
    }

    /// Within the caller's transaction.
    package func note(_ permissions: UInt16, at path: DrivePath) throws {
        let isOpen = permissions & Self.openToAll == Self.openToAll
        var writer = ByteWriter(reserving: 10)
        writer.fixed(permissions)
        if let now = try state.seenTime()?.now { writer.fixed(now) }
        try state.setSetting(isOpen ? nil : writer.bytes, Self.key(path))
    }

    /// Its group and everybody may list and enter it.
    private static let openToAll: UInt16 = 0o055

    /// Of any path, which need not be text.
    private static func key(_ path: DrivePath) -> String { "closed-folder \(ContentHasher.hash(of: path.bytes))" }
}
