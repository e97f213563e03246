import DriveCore

/// Paths of folders, each walked up once.
struct FolderPaths {
    private let index: DriveIndex
    private var known: [RowID: DrivePath] = [.root: .root]
    private var listed: [RowID: [UInt8]] = [.root: []]

    init(_ index: DriveIndex) { self.index = index }

    mutating func path(of row: Row) throws -> DrivePath { try path(row.name, in: row.parent) }

    mutating func path(_ name: FileName, in parent: RowID) throws -> DrivePath { try folder(parent).appending(name) }

    private mutating func folder(_ id: RowID) throws -> DrivePath {
        if let path = known[id] { return path }
        guard let found = try place(of: id) else { return .root }
        let path = try path(found.name, in: found.parent)
        known[id] = path
        return path
    }

    /// As a `PathList` holds it.
    mutating func listed(_ id: RowID) throws -> [UInt8] {
        if let path = listed[id] { return path }
        guard let found = try place(of: id) else { return [] }
        let path = try listed(found.parent) + [0] + found.name.bytes
        listed[id] = path
        return path
    }

    /// What waits aside is listed where it was, and what is in it beneath.
    private func place(of folder: RowID) throws -> (parent: RowID, name: FileName)? {
        for query in [Self.place, Self.parkedPlace] {
            let found = try index.connection.first(query, .int(folder.rawValue)) {
                (parent: RowID(rawValue: $0.int(0)), name: $0.name(1))
            }
            if let found { return found }
        }
        return nil
    }

    private static let place = Query(
        "SELECT parent, name FROM row INDEXED BY rowFolder WHERE id = ? AND kind = 1 AND parked = 0")
    private static let parkedPlace = Query("SELECT parent, name FROM row WHERE id = ? AND kind = 1 AND parked = 1")
}
