import DriveCore

extension FileStore {
    /// The folder at a path beneath the root, each component opened in the one before; nil where one is missing or no folder.
    func open(_ path: DrivePath) throws(DriveError) -> OpenFolder? {
        var folder = try open(.root)
        for name in path.components {
            guard let next = try open(name, in: folder) else { return nil }
            folder = next
        }
        return folder
    }
}

extension RowStorage {
    /// The row of an open folder, by its inode: a folder above it may have moved since the last scan.
    func folder(_ open: OpenFolder, at path: DrivePath) throws -> Row? {
        let row = path.isRoot ? try row(.root) : try row(identity: open.identity)
        return row?.kind == .folder ? row : nil
    }
}
