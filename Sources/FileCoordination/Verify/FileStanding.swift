public import DriveCore

/// Whether files are still what the index says, by size, times and inode; none is read.
///
/// Ask folder by folder (`LastFolder`).
public struct FileStanding {
    private let files: any FileStore
    private var folders: LastFolder

    public init(files: any FileStore) throws {
        self.files = files
        folders = try LastFolder(files)
    }

    /// False where the file is edited, moved or gone, or cannot be looked at. That the folders above it are the ones that
    /// were recorded is not asked: the inode says that the file is.
    public mutating func isUnchanged(_ row: Row, at path: DrivePath) throws -> Bool {
        do throws(DriveError) {
            return try look(at: path)?.looksUnchanged(since: row.facts) ?? false
        } catch {
            guard error.remedy == .skip else { throw error }
            return false
        }
    }

    private mutating func look(at path: DrivePath) throws(DriveError) -> FileFacts? {
        guard let name = path.name, let folder = try folders.open(path.parent) else { return nil }
        return try files.look(at: name, in: folder)
    }
}
