import DriveCore
import DriveFiles
import DriveTransport
import Glibc

/// What must never become a drive or a store. Every refusal names what to do instead.
struct Refusals {
    let folder: FolderPath
    let store: StoreAddress?

    /// Before anything is looked for in it.
    static func checkKind(_ folder: FolderPath) throws(DriveError) {
        var facts = stat()
        guard folder.withPointer({ stat($0, &facts) }) == 0, facts.st_mode & S_IFMT != S_IFDIR else { return }
        throw DriveError(
            .usage, "this is a file, and only a folder can be a drive; name the one that it is in, or another one",
            path: folder.description)
    }

    /// What another user has put there would decide what becomes of the folder.
    static func checkOwner(_ folder: FolderPath) throws(DriveError) {
        try DriveOwner(drive: folder).check(from: folder)
    }

    func check() throws(DriveError) {
        try Self.checkKind(folder)
        try Self.checkOwner(folder)
        let place = folder.resolved
        if place.isRoot { throw refused("the whole file system cannot be a drive; choose a folder in it") }
        if FolderPath.homes.contains(where: { $0.resolved == place }) {
            throw refused("a home folder itself cannot be a drive; choose a folder in it, such as Documents")
        }
        for above in place.ancestry.dropFirst() where try isDrive(above) {
            throw refused("the folder lies in the drive \(above); drives are never nested, choose a folder outside")
        }
        if place.isInDriveState {
            throw refused("a drive's own folder cannot be a drive; choose another folder")
        }
        for above in place.ancestry where isStore(above) {
            throw refused("the folder lies in the store \(above); choose a folder outside of it")
        }
        // A server's folders are its own.
        if let store = store?.folder { try check(store) }
    }

    private func check(_ store: FolderPath) throws(DriveError) {
        let place = folder.resolved
        let target = store.resolved
        if target.isInside(place) {
            throw DriveError(
                .usage, "the store cannot lie in the drive \(folder); choose a folder outside",
                path: store.description)
        }
        if place.isInside(target) {
            throw DriveError(
                .usage, "the store cannot lie around the drive \(folder); choose a folder beside it",
                path: store.description)
        }
        for above in target.ancestry where try isDrive(above) {
            throw DriveError(
                .usage, "the store cannot lie in the drive \(above); choose a folder outside",
                path: store.description)
        }
    }

    private func isDrive(_ folder: FolderPath) throws(DriveError) -> Bool {
        do throws(DriveError) { return try DiskFileStore.replica(at: folder.bytes) != nil } catch {
            // What cannot be read above is nobody's drive that could be used here.
            if error.remedy == .skip { return false }
            throw error
        }
    }

    /// What cannot be looked at above is nobody's store that could be used here.
    private func isStore(_ folder: FolderPath) -> Bool {
        var facts = stat()
        return folder.appending(StoreFinder.mark).withPointer { stat($0, &facts) } == 0
    }

    private func refused(_ reason: String) -> DriveError { DriveError(.usage, reason, path: folder.description) }

    /// Drives and stores beneath the folder, found while its files were counted.
    func check(_ census: FolderCensus) throws(DriveError) {
        if let nested = census.drives.min() {
            throw refused("the folder holds another drive, \(nested); drives are never nested, choose another folder")
        }
        if let nested = census.stores.min() {
            throw refused("the folder holds a store, \(nested); move it out of the folder first")
        }
    }
}

extension FolderPath {
    /// By its names: it is a drive's own folder, or lies in one.
    var isInDriveState: Bool { ancestry.contains { $0.bytes.hasSuffix(DriveLayout.state.bytes) } }
}

extension [UInt8] {
    /// As the last component of a path.
    fileprivate func hasSuffix(_ name: [UInt8]) -> Bool { suffix(name.count + 1).elementsEqual([0x2F] + name) }
}
