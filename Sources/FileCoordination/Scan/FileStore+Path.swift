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
