public import DriveCore

/// Whether files are still what the index says, by size, times and inode; none is read.
///
/// Ask in the order of paths: only the folders above a file are kept open.
public struct FileStanding {
    private var locator: FolderLocator
    private var folder: RowID?
    private var opened: [RowID] = []

    public init(files: any FileStore, rows: any RowStorage) { locator = FolderLocator(files: files, rows: rows) }

    /// False where the file is edited, moved or gone, or cannot be looked at.
    public mutating func isUnchanged(_ row: Row) throws -> Bool {
        do {
            if row.parent != folder {
                folder = row.parent
                try locator.enter(row.parent, from: &opened)
            }
            return try locator.verified(row, allowsEdit: false) != nil
        } catch let error as DriveError
            where error.remedy == .skip
        {
            return false
        }
    }
}
