import DriveCore
import DriveFiles

/// The files of a folder that a cleaning may look at: no trash, and nothing that a drive, a store or version control keeps for
/// itself.
struct CleaningGround {
    private(set) var sizes: [DrivePath: UInt64] = [:]
    let drives: [DrivePath]
    let unreadable: [DrivePath]

    init(_ folder: FolderPath) throws(DriveError) {
        try Self.check(folder.resolved)
        guard let census = try FolderCensus.take(at: folder.bytes, storeMark: StoreFinder.mark) else {
            throw DriveError(.notFound, "the folder is not there; correct the path", path: folder.description)
        }
        (drives, unreadable) = (census.drives, census.unreadable)
        let own = DesktopTrash.home?.resolved.path(beneath: folder.resolved)
        let apart = Set(census.drives + census.stores + Self.trashes(in: census) + [own].compactMap(\.self))
        for (path, item) in census.items
        where item.kind == .file && !Self.isApart(path, apart)
            && !path.components.contains(where: { Self.isKeptAway($0) || Self.repositories.contains($0) })
        {
            sizes[path] = item.size
        }
    }

    /// Such a folder is asked for by mistake.
    private static func check(_ folder: FolderPath) throws(DriveError) {
        for place in folder.ancestry {
            guard let name = place.name else { continue }
            let what: String
            if name == DriveLayout.state {
                what = "what a drive keeps for itself"
            } else if isTrashFolder(place) || isKeptAway(name) {
                what = "a trash"
            } else if repositories.contains(name) {
                what = "what version control keeps for itself"
            } else if place.appending(StoreFinder.mark).exists {
                what = "a store"
            } else {
                continue
            }
            throw DriveError(
                .usage, "this is \(what), or lies in it, and is not to be cleaned; name another folder",
                path: folder.description)
        }
    }

    private static func isApart(_ path: DrivePath, _ apart: Set<DrivePath>) -> Bool {
        var place = path
        while !place.isRoot {
            place = place.parent
            if apart.contains(place) { return true }
        }
        return false
    }

    /// By name: a drive's own, the trashes at the top of file systems and of other systems, and Syncthing's versions.
    private static func isKeptAway(_ name: FileName) -> Bool {
        [DriveLayout.state, ".Trash", ".Trashes", "$RECYCLE.BIN", ".stversions"].contains(name)
            || name.bytes.starts(with: Array(".Trash-".utf8))
    }

    /// What version control keeps its data in, which is nobody's documents, whatever its names look like.
    private static let repositories: Set<FileName> = [".git", ".hg", ".svn", ".jj"]

    /// Whoever's: a folder `Trash` with `files` and `info` in it (freedesktop.org, "Trash Specification").
    private static func trashes(in census: FolderCensus) -> [DrivePath] {
        census.items.compactMap { path, item in
            item.kind == .folder && path.name == "Trash" && census.items[path.appending("info")]?.kind == .folder
                && census.items[path.appending("files")]?.kind == .folder ? path : nil
        }
    }

    private static func isTrashFolder(_ folder: FolderPath) -> Bool {
        if folder == DesktopTrash.home?.resolved { return true }
        return folder.name == "Trash" && folder.appending("info").exists && folder.appending("files").exists
    }
}
