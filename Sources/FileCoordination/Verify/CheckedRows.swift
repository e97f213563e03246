import DriveCore

/// The rows of files and links that are to be compared with the disk, those of a folder one after the other: what is asked
/// for alone is looked up, and of a drive a folder at a time is in memory.
struct CheckedRows {
    private let rows: any RowStorage
    private let paths: [DrivePath]

    /// All, or those at or in these paths.
    init(_ rows: any RowStorage, only paths: [DrivePath]) {
        self.rows = rows
        self.paths = paths.contains(.root) ? [] : paths
    }

    func each(_ body: (Row) throws -> Void) throws {
        if paths.isEmpty { try eachOfAll(body) } else { try eachAsked(body) }
        for row in try rows.parkedRows() where row.kind != .folder {
            if try isAsked(row) { try body(row) }
        }
    }

    /// By the rows of folders, not from the root down: a damaged index may have folders that hang nowhere.
    private func eachOfAll(_ body: (Row) throws -> Void) throws {
        try rows.eachRow { if $0.kind == .folder { try eachIn($0.id, body) } }
    }

    private func eachIn(_ folder: RowID, _ body: (Row) throws -> Void) throws {
        for row in try rows.children(of: folder).sorted(by: { $0.name < $1.name }) where row.kind != .folder {
            try body(row)
        }
    }

    private func eachAsked(_ body: (Row) throws -> Void) throws {
        // Each once, where one lies in another.
        let outermost = Set(paths).filter { path in !paths.contains { $0 != path && path.isInside($0) } }
        for path in outermost.sorted() {
            guard let name = path.name, let folder = try rows.row(at: path.parent) else { continue }
            for found in try rows.glances(in: folder.id, named: name) {
                guard let row = try rows.row(found.id) else { continue }
                if row.kind == .folder { try eachBeneath(row.id, body) } else { try body(row) }
            }
        }
        for row in try rows.parkedRows() where row.kind == .folder { try eachBeneath(row.id, body, asked: true) }
    }

    private func eachBeneath(_ top: RowID, _ body: (Row) throws -> Void, asked: Bool = false) throws {
        var folders = [top]
        while let folder = folders.popLast() {
            for row in try rows.children(of: folder).sorted(by: { $0.name < $1.name }) {
                if row.kind == .folder {
                    folders.append(row.id)
                } else if try !asked || isAsked(row) {
                    try body(row)
                }
            }
        }
    }

    private func isAsked(_ row: Row) throws -> Bool {
        if paths.isEmpty { return true }
        let path = try rows.path(of: row)
        return paths.contains { path.isInside($0) }
    }
}
