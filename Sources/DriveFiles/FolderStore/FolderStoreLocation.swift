import CLinux
import DriveCore
import Glibc

/// A folder that is to hold a store, before it does.
public struct FolderStoreLocation: StoreLocation {
    public let path: [UInt8]
    /// The name at the top that only a store has.
    private let mark: FileName

    public init(path: [UInt8], mark: FileName) {
        self.path = path
        self.mark = mark
    }

    public func look() throws(DriveError) -> StoreFinding {
        let number = path.withPathPointer { dd_open_root($0) }
        if number == -ENOTDIR { return .notFolder }
        if number < 0, (-number).meansAbsent { return .absent }
        let folder = Descriptor(
            try check(number, "open the store's folder", path: String(decoding: path, as: UTF8.self)))
        if try folder.folder(mark) != nil { return .store }
        var finding = StoreFinding.empty
        try forEachEntry(in: folder.number) { name, _, _ throws(DriveError) in
            // Somebody made it just now.
            if name.elementsEqual(mark.bytes) { finding = .store }
            if finding == .store { return }
            // Hidden ones are other tools' (.stfolder, .Trash-1000); mkfs makes the other.
            if name[0] != 0x2E, !name.elementsEqual("lost+found".utf8) { finding = .occupied }
        }
        return finding
    }

    /// Folders that hold nothing, the inner ones first.
    public func remove() throws(DriveError) {
        let place = String(decoding: path, as: UTF8.self)
        try Self.removeEmptyFolders(in: try Descriptor.root(at: path), place)
        _ = try check(path.withPathPointer { -(rmdir($0) == 0 ? 0 : errno) }, "remove the folder", path: place)
    }

    private static func removeEmptyFolders(in folder: Descriptor, _ place: String) throws(DriveError) {
        var names: [FileName] = []
        try forEachEntry(in: folder.number) { name, _, _ throws(DriveError) in
            names.append(FileName(bytes: Array(name)))
        }
        for name in names {
            guard let inner = try folder.folder(name) else {
                throw DriveError(.usage, "the folder is not empty; look what is in it", path: "\(place)/\(name)")
            }
            try removeEmptyFolders(in: inner, "\(place)/\(name)")
            _ = try check(
                dd_remove_folder(folder.number, name.bytes, name.bytes.count), "remove the folder",
                path: "\(place)/\(name)")
        }
    }

    /// Makes the folder, but none above it: where those are missing a disk is probably not mounted. Fine where it is
    /// there.
    public func create() throws(DriveError) {
        let place = String(decoding: path, as: UTF8.self)
        let result = path.withPathPointer { dd_make_folder_at($0, 0o777) }
        if result == -EEXIST { return }
        if result == -ENOENT {
            throw DriveError(
                .unreachable, "the folder that the store should be made in is missing; is its disk mounted?",
                path: place)
        }
        _ = try check(result, "make the store's folder", path: place)
        let made = try Descriptor.root(at: path)
        _ = dd_sync(made.number)
        let above = dd_open_parent(made.number)
        if above >= 0 { _ = dd_sync(Descriptor(above).number) }
    }
}
