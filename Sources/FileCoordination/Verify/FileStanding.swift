public import DriveCore

/// Whether files are still what the index says, by size, times and inode; none is read.
///
/// Ask for the files of a folder one after the other: few folders are kept open.
public struct FileStanding {
    private var locator: FolderLocator
    private var folder: RowID?

    public init(files: any FileStore, rows: any RowStorage) { locator = FolderLocator(files: files, rows: rows) }

    /// False where the file is edited, moved or gone, or cannot be looked at.
    public mutating func isUnchanged(_ row: Row) throws -> Bool {
        if row.parent != folder {
            locator.forget()
            folder = row.parent
        }
        do { return try locator.verified(row, allowsEdit: false) != nil } catch let error as DriveError
            where error.remedy == .skip
        {
            return false
        }
    }
}
