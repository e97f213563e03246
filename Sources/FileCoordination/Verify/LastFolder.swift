import DriveCore

/// Opens folders by their paths for who goes through files folder by folder: the last one stays open.
struct LastFolder {
    private let files: any FileStore
    private let root: OpenFolder
    private var last: (path: DrivePath, folder: OpenFolder?)?

    init(_ files: any FileStore) throws(DriveError) {
        self.files = files
        root = try files.open(.root)
    }

    /// Nil where there is none.
    mutating func open(_ path: DrivePath) throws(DriveError) -> OpenFolder? {
        if let last, last.path == path { return last.folder }
        let folder = try files.open(path: path, in: root)
        last = (path, folder)
        return folder
    }
}
