import DriveCore

extension RowStorage {
    /// The row of an open folder, by its inode: a folder above it may have moved since the last scan.
    func folder(_ open: OpenFolder, at path: DrivePath) throws -> Row? {
        let row = path.isRoot ? try row(.root) : try row(identity: open.identity)
        return row?.kind == .folder ? row : nil
    }
}
