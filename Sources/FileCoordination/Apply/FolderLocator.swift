import DriveCore

/// Opens the folders that rows stand for, each component checked against its row: so nothing is ever done in a folder
/// that only has the name of the right one, or that left the drive.
struct FolderLocator {
    let files: any FileStore
    let rows: any RowStorage
    /// Folders opened since the last `forget`; a batch is short enough to trust them.
    private var opened: [RowID: OpenFolder] = [:]

    init(files: any FileStore, rows: any RowStorage) {
        self.files = files
        self.rows = rows
    }

    init(_ parts: DriveParts) { self.init(files: parts.files, rows: parts.state) }

    mutating func forget() { opened.removeAll(keepingCapacity: true) }
    mutating func forget(_ id: RowID) { opened[id] = nil }

    /// Nil where the row's whole path does not lead to its inode any more.
    mutating func open(_ id: RowID) throws -> OpenFolder? {
        if let known = opened[id] { return known }
        guard let row = try rows.row(id) else { return nil }
        let open: OpenFolder
        if id == .root {
            open = try files.open(.root)
        } else {
            guard let (folder, name) = try place(of: row), let found = try files.open(name, in: folder),
                found.identity == row.facts.identity
            else { return nil }
            open = found
        }
        opened[id] = open
        return open
    }

    /// The open folder that the row's item is in, and its name there.
    mutating func place(of row: Row) throws -> (OpenFolder, FileName)? {
        if row.isParked { return (try files.open(.parked), row.parkedName) }
        return try open(row.parent).map { ($0, row.name) }
    }

    /// The row's place, if what is there is exactly what the row says.
    ///
    /// Of a parked file only the inode counts where `allowsEdit` says so: it may have been edited in the moment that
    /// it was parked, and only where the scan sees it that edit becomes a record.
    mutating func verified(_ row: Row, allowsEdit: Bool = true) throws -> (folder: OpenFolder, name: FileName)? {
        guard let (folder, name) = try place(of: row), let facts = try files.look(at: name, in: folder) else {
            return nil
        }
        let isSame =
            row.kind == .folder || (row.isParked && allowsEdit)
            ? facts.kind == row.facts.kind && facts.identity == row.facts.identity
            : facts.looksUnchanged(since: row.facts)
        return isSame ? (folder, name) : nil
    }
}

extension FileStore {
    /// The hash of a file's or link's content now; nil where nothing has the name, or it changed while it was read.
    ///
    /// A rename has just dated what a step took out, so waiting until a further write shows would cost each of them a tick.
    /// Such a write goes wherever the file goes.
    func contentHash(of name: FileName, in folder: OpenFolder) throws -> ContentHash? {
        if let target = try readLink(name, in: folder) { return ContentHasher.hash(ofLinkTarget: target) }
        guard let reader = try readUndated(name, in: folder) else { return nil }
        return try reader.hash()?.0
    }
}
