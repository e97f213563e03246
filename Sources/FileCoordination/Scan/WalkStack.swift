import DriveCore

/// The folders that a walk is still to go into, those that were met last first. Of a deep tree only the last folders above them
/// are kept open.
struct WalkStack {
    /// A folder that is still to be compared.
    struct Inner {
        var name: FileName
        var place: WalkPlace
        var folder: Sighting.Folder
        var row: RowID?
    }

    /// What is to be compared in one folder, the next one last.
    private struct Level {
        /// Nil where it was closed, and is opened again by its place.
        var open: OpenFolder?
        let identity: FileIdentity
        let place: WalkPlace
        var inner: [Inner]
    }

    private var levels: [Level] = []
    private let limit = OpenFolderLimits.ofProcess().walked

    mutating func push(_ inner: [Inner], of open: OpenFolder, _ place: WalkPlace) {
        guard !inner.isEmpty else { return }
        levels.append(Level(open: open, identity: open.identity, place: place, inner: inner.reversed()))
        if levels.count > limit { levels[levels.count - 1 - limit].open = nil }
    }

    /// The next one and the folder that it is in; that is nil where it is not there any more, or cannot be opened.
    mutating func pop(_ files: any FileStore) throws -> (Inner, OpenFolder?)? {
        guard var level = levels.popLast(), let next = level.inner.popLast() else { return nil }
        let open = try level.open ?? Self.reopened(level, files)
        level.open = open
        if !level.inner.isEmpty { levels.append(level) }
        return (next, open)
    }

    private static func reopened(_ level: Level, _ files: any FileStore) throws -> OpenFolder? {
        do throws(DriveError) {
            let open = try files.open(path: level.place.inArea, in: files.open(level.place.area))
            return open?.identity == level.identity ? open : nil
        } catch {
            guard error.remedy == .skip else { throw error }
            return nil
        }
    }
}
