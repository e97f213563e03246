import DriveCore

/// Paths of folders, each walked up once.
struct FolderPaths {
    private let index: DriveIndex
    private var known: [RowID: DrivePath] = [.root: .root]

    init(_ index: DriveIndex) { self.index = index }

    mutating func path(of row: Row) throws -> DrivePath { try path(row.name, in: row.parent) }

    mutating func path(_ name: FileName, in parent: RowID) throws -> DrivePath { try folder(parent).appending(name) }

    private mutating func folder(_ id: RowID) throws -> DrivePath {
        if let path = known[id] { return path }
        guard let row = try index.row(id), !row.isParked else { return .root }
        let path = try folder(row.parent).appending(row.name)
        known[id] = path
        return path
    }
}
