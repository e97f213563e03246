import DriveCore
import DriveFiles

/// Whether an index is the very file that was worked with last. One that was put back, as from a backup, may know nothing of what came
/// to the trash since.
struct IndexPlace {
    let drive: FolderPath

    private static let key = "index-file"
    private static let path = DrivePath([DriveLayout.state, "index.sqlite"])

    /// Has the trash listed anew where it is another one.
    func look(_ index: DriveIndex) throws {
        guard let found = try? FolderLook(at: drive.bytes).facts(of: Self.path) else { return }
        let identity = found.identity
        var writer = ByteWriter()
        writer.fixed(identity.inode)
        for time in [identity.birth].compactMap(\.self) {
            writer.fixed(time.seconds)
            writer.fixed(time.nanoseconds)
        }
        let bytes = writer.bytes
        guard try index.setting(Self.key) != bytes else { return }
        try index.transaction {
            try index.setSetting(bytes, Self.key)
            try TrashSalvage.setDue(index)
        }
    }
}
