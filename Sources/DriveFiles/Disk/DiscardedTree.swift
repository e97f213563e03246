import CLinux
import DriveCore
import Glibc

/// A folder in the trash whose time is over, with all that is in it. Without recursion: trees may be deeper than the stack of a
/// thread bears. Only the folder that is being emptied is open: each is found again from the trash, by no link.
struct DiscardedTree {
    private let trash: Descriptor

    init(_ trash: Descriptor) { self.trash = trash }

    func remove(_ name: FileName) throws(DriveError) {
        var path = [name]
        while let last = path.last {
            guard let above = try folder(path.dropLast()) else {
                path.removeLast()
                continue
            }
            let result = dd_remove_folder(above.number, last.bytes, last.bytes.count)
            if result == 0 || (-result).meansAbsent {
                path.removeLast()
                continue
            }
            guard result == -ENOTEMPTY, let folder = try above.folder(last) else {
                _ = try check(result, "remove the folder", path: Descriptor.path(of: last, in: above.number))
                return
            }
            if let inner = try removeFiles(of: folder) { path.append(inner) }
        }
    }

    /// Removes all but the folders in it, one of which is returned.
    private func removeFiles(of folder: Descriptor) throws(DriveError) -> FileName? {
        var inner: FileName?
        try forEachEntry(in: folder.number) { bytes, _, _ throws(DriveError) in
            let name = FileName(bytes: Array(bytes))
            let result = dd_remove_file(folder.number, name.bytes, name.bytes.count)
            if result == -EISDIR {
                inner = name
            } else if result < 0, !(-result).meansAbsent {
                _ = try check(result, "remove it", path: Descriptor.path(of: name, in: folder.number))
            }
        }
        return inner
    }

    private func folder(_ path: ArraySlice<FileName>) throws(DriveError) -> Descriptor? {
        var folder = trash
        for name in path {
            guard let next = try folder.folder(name) else { return nil }
            folder = next
        }
        return folder
    }
}
