import DriveCore

/// Opens the folders that rows stand for, each component checked against its row: so nothing is ever done in a folder
/// that only has the name of the right one, or that left the drive.
struct FolderLocator {
    let files: any FileStore
    let rows: any RowStorage
    /// Folders opened since the last `forget`; a batch is short enough to trust them.
    private var opened: [RowID: OpenFolder] = [:]
    private let limit = OpenFolderLimits.ofProcess().located

    init(files: any FileStore, rows: any RowStorage) {
        self.files = files
        self.rows = rows
    }

    init(_ parts: DriveParts) { self.init(files: parts.files, rows: parts.state) }

    mutating func forget() { opened.removeAll(keepingCapacity: true) }
    mutating func forget(_ id: RowID) { opened[id] = nil }

    /// Nil where the row's whole path does not lead to its inode any more. From the top down, without recursion: trees may
    /// be deeper than the stack of a thread bears.
    mutating func open(_ id: RowID) throws -> OpenFolder? {
        var open: OpenFolder?
        for row in try unopened(id).reversed() {
            let folder = try row.isParked ? files.open(.parked) : open ?? opened[row.parent]
            let found =
                try row.id == .root
                ? files.open(.root)
                : folder.flatMap { try files.open(row.isParked ? row.parkedName : row.name, in: $0) }
            guard let found, row.id == .root || found.identity == row.facts.identity else { return nil }
            if opened.count >= limit { forget() }
            opened[row.id] = found
            open = found
        }
        return open ?? opened[id]
    }

    /// The row and those above it, up to one whose folder is open, or that can be opened by itself; nothing where a row is
    /// missing on the way.
    private func unopened(_ id: RowID) throws -> [Row] {
        var chain: [Row] = []
        var next = id
        while opened[next] == nil {
            // A damaged index may have rows in a circle.
            guard chain.count < 1 << 20, let row = try rows.row(next) else { return [] }
            chain.append(row)
            if row.id == .root || row.isParked { break }
            next = row.parent
        }
        return chain
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
    package func contentHash(
        of name: FileName, in folder: OpenFolder, _ progress: FileProgress? = nil
    ) throws(DriveError) -> ContentHash? {
        if let target = try readLink(name, in: folder) { return contentHash(ofLinkTarget: target) }
        guard let reader = try readUndated(name, in: folder) else { return nil }
        return try reader.hash { progress?.add($0.count) }?.0
    }
}
