import CLinux
import DriveCore
import Glibc

/// A folder in the trash whose time is over, with all that is in it. Without recursion: trees may be deeper than the stack of a
/// thread bears. Only the folder that is being emptied is open: each is found again from the trash, by no link.
struct DiscardedTree {
    private let trash: Descriptor

    init(_ trash: Descriptor) { self.trash = trash }

    /// A folder on the way to the one that is being emptied.
    private struct Level {
        let name: FileName
        /// Folders in it that are still to go.
        var inner: [FileName] = []
        var looks = 0
    }

    /// Where something goes on making files in a folder, it stays.
    private static let mostLooks = 100

    func remove(_ name: FileName) throws(DriveError) {
        var levels = [Level(name: name)]
        while let last = levels.last {
            let place = levels.count - 1
            if let inner = levels[place].inner.popLast() {
                levels.append(Level(name: inner))
                continue
            }
            guard let above = try folder(levels.dropLast()) else {
                levels.removeLast()
                continue
            }
            let result = dd_remove_folder(above.number, last.name.bytes, last.name.bytes.count)
            if result == 0 || (-result).meansAbsent {
                levels.removeLast()
                continue
            }
            guard result == -ENOTEMPTY, last.looks < Self.mostLooks, let folder = try above.folder(last.name) else {
                _ = try check(
                    result, "remove the folder", path: Descriptor.path(of: last.name, in: above.number))
                return
            }
            levels[place].inner = try removeFiles(of: folder)
            levels[place].looks += 1
        }
    }

    /// Removes all but the folders in it, which are returned.
    private func removeFiles(of folder: Descriptor) throws(DriveError) -> [FileName] {
        var inner: [FileName] = []
        try forEachEntry(in: folder.number) { bytes, _, _ throws(DriveError) in
            let name = FileName(bytes: Array(bytes))
            let result = dd_remove_file(folder.number, name.bytes, name.bytes.count)
            if result == -EISDIR {
                inner.append(name)
            } else if result < 0, !(-result).meansAbsent {
                _ = try check(result, "remove it", path: Descriptor.path(of: name, in: folder.number))
            }
        }
        return inner
    }

    private func folder(_ levels: ArraySlice<Level>) throws(DriveError) -> Descriptor? {
        var folder = trash
        for level in levels {
            guard let next = try folder.folder(level.name) else { return nil }
            folder = next
        }
        return folder
    }
}
