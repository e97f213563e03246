import DriveCore

/// Paths of rows while no folder moves: what many in one folder have in common is asked once.
struct RowPaths {
    private let rows: any RowStorage
    private var folders: [RowID: DrivePath] = [:]

    init(_ rows: any RowStorage) { self.rows = rows }

    /// A folder has another place, or is gone.
    mutating func forget() { folders = [:] }

    mutating func path(of row: Row) throws -> DrivePath {
        if row.id == .root || row.isParked { return try rows.path(of: row) }
        if let folder = folders[row.parent] { return folder.appending(row.name) }
        guard let parent = try rows.row(row.parent) else { return try rows.path(of: row) }
        let folder = try rows.path(of: parent)
        folders[row.parent] = folder
        return folder.appending(row.name)
    }
}
