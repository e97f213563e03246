import DriveCore
import DriveFiles
import DriveTransport
import Glibc

/// The files of a folder that a cleaning may look at: no trash, and nothing that a drive, a store or version control keeps for
/// itself.
struct CleaningGround {
    private(set) var sizes: [DrivePath: UInt64] = [:]
    let drives: [DrivePath]
    let stores: [DrivePath]
    let mounts: [DrivePath]
    let unreadable: [DrivePath]
    /// What is mounted there does not answer.
    let silentMounts: [DrivePath]

    init(_ folder: FolderPath) throws(DriveError) {
        try Self.check(folder.resolved)
        guard let census = try FolderCensus.take(at: folder.bytes, storeMark: StoreFinder.mark) else {
            throw DriveError(.notFound, "the folder is not there; correct the path", path: folder.description)
        }
        drives = census.drives
        let mounted = census.silent.isEmpty ? [] : Set(MountTable.current.places(in: folder.resolved))
        let silent = Set(census.silent).intersection(mounted)
        silentMounts = silent.sorted()
        unreadable = census.unreadable.filter { !silent.contains($0) }
        stores = Self.stores(in: census)
        let own = DesktopTrash.home?.resolved.path(beneath: folder.resolved)
        let apart = Set(census.drives + stores + Self.trashes(in: census) + [own].compactMap(\.self))
        // What is mounted within what is left alone is no news.
        mounts = census.mounts.filter { !Self.isLeftAlone($0, apart) }.sorted()
        for (path, item) in census.items where item.kind == .file && !Self.isLeftAlone(path, apart) {
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
            } else if isTrashFolder(place) || TrashNames.contains(name)
                || place.parent.name.map({ TrashNames.contains($0, name) }) ?? false
            {
                what = "a trash"
            } else if repositories.contains(name) {
                what = "what version control keeps for itself"
            } else if isStore(place) {
                what = "a store"
            } else {
                continue
            }
            throw DriveError(
                .usage, "this is \(what), or lies in it, and is not to be cleaned; name another folder",
                path: folder.description)
        }
    }

    private static func isLeftAlone(_ path: DrivePath, _ apart: Set<DrivePath>) -> Bool {
        isApart(path, apart) || isKeptAway(path) || path.components.contains(where: repositories.contains)
    }

    private static func isApart(_ path: DrivePath, _ apart: Set<DrivePath>) -> Bool {
        var place = path
        while !place.isRoot {
            place = place.parent
            if apart.contains(place) { return true }
        }
        return false
    }

    /// By a name on the way: what a drive keeps for itself, and trashes.
    private static func isKeptAway(_ path: DrivePath) -> Bool {
        let names = path.components
        return names.contains { $0 == DriveLayout.state || TrashNames.contains($0) }
            || zip(names, names.dropFirst()).contains { TrashNames.contains($0, $1) }
    }

    /// A folder of the mark's name alone makes none: there is one of a store's own in it, or nobody can see what there is.
    private static func stores(in census: FolderCensus) -> [DrivePath] {
        var proven = Set(census.unreadable.filter { $0.name == StoreFinder.mark }.map(\.parent))
        for (path, item) in census.items
        where item.kind == .folder && path.parent.name == StoreFinder.mark && isStoreName(path.name) {
            proven.insert(path.parent.parent)
        }
        return census.stores.filter(proven.contains)
    }

    private static func isStore(_ folder: FolderPath) -> Bool {
        let mark = folder.appending(StoreFinder.mark)
        // Of what lies in a folder that may not be entered nothing is known.
        guard folder.withPointer({ access($0, X_OK) }) == 0, mark.exists else { return false }
        guard let names = try? mark.names() else { return true }
        return names.contains(where: isStoreName)
    }

    private static func isStoreName(_ name: FileName?) -> Bool { name.map { StoreID($0.description) != nil } ?? false }

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
