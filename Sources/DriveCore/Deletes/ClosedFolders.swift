/// What folders gave their group and everybody that syncing or an act has removed here and that were not open to all: should
/// they come back, they are to be closed as they were. No record tells of that, for permissions stay those of the device, and no
/// row does.
package struct ClosedFolders {
    private let state: any DriveState

    package init(_ state: any DriveState) { self.state = state }

    /// Nil where the last one at the path was open, or nobody has removed one here.
    package func permissions(at path: DrivePath) throws -> UInt16? {
        guard let bytes = try state.setting(Self.key(path)), bytes.count == 2 else { return nil }
        return UInt16(bytes[0]) << 8 | UInt16(bytes[1])
    }

    /// Within the caller's transaction.
    package func note(_ permissions: UInt16, at path: DrivePath) throws {
        let isOpen = permissions & Self.openToAll == Self.openToAll
        let bytes = [UInt8(permissions >> 8), UInt8(permissions & 0xFF)]
        try state.setSetting(isOpen ? nil : bytes, Self.key(path))
    }

    /// Its group and everybody may list and enter it.
    private static let openToAll: UInt16 = 0o055

    /// Of any path, which need not be text.
    private static func key(_ path: DrivePath) -> String { "closed-folder \(ContentHasher.hash(of: path.bytes))" }
}
