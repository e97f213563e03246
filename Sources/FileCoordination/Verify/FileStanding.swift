public import DriveCore

/// Whether files are still what the index says, by size, times and inode; none is read.
///
/// Ask folder by folder: the last one is kept open.
public struct FileStanding {
    private let files: any FileStore
    private let root: OpenFolder
    private var last: (path: DrivePath, folder: OpenFolder?)?

    public init(files: any FileStore) throws {
        self.files = files
        root = try files.open(.root)
    }

    /// False where the file is edited, moved or gone, or cannot be looked at. That the folders above it are the ones that
    /// were recorded is not asked: the inode says that the file is.
    public mutating func isUnchanged(_ row: Row, at path: DrivePath) throws -> Bool {
        do {
            guard let name = path.name, let folder = try folder(path.parent) else { return false }
            return try files.look(at: name, in: folder)?.looksUnchanged(since: row.facts) ?? false
        } catch let error as DriveError
            where error.remedy == .skip
        {
            return false
        }
    }

    private mutating func folder(_ path: DrivePath) throws -> OpenFolder? {
        if let last, last.path == path { return last.folder }
        let folder = try files.open(path: path, in: root)
        last = (path, folder)
        return folder
    }
}
