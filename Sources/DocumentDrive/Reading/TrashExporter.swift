import DriveCore
import DriveFiles
import Glibc

/// Copies what a drive's trash holds to another folder, each file under the path that it had.
public struct TrashExporter {
    private let reader: DriveReader

    public init(_ reader: DriveReader) { self.reader = reader }

    /// How many were written. Throws where the target has content already, or lies in a drive's own folder, where what is written
    /// would be hidden, and taken for the drive's.
    public func export(to target: FolderPath) throws -> Int {
        if target.resolved.isInDriveState {
            throw DriveError(
                .usage, "this is in a drive's own folder; give a new or an empty one outside of \(DriveLayout.state)",
                path: target.description)
        }
        if let census = try FolderCensus.take(at: target.bytes, storeMark: StoreFinder.mark), !census.items.isEmpty {
            throw DriveError(.usage, "the folder has content; give a new or an empty one", path: target.description)
        }
        let trash = reader.folder.appending(DriveLayout.state).appending("trash")
        make(target)
        var count = 0
        for entry in linksLast(try reader.trash().reversed(), in: trash)
        where try copy(trash.appending(entry.name), to: place(for: entry, in: target)) { count += 1 }
        return count
    }

    /// The folder itself is the person's: where a link leads there, it may.
    private func make(_ target: FolderPath) {
        target.makeWithParents(0o777)
    }

    /// So that nothing is ever written by way of a link that was written before.
    private func linksLast(_ entries: [TrashEntry], in trash: FolderPath) -> [TrashEntry] {
        let isLink = { (entry: TrashEntry) in kind(of: trash.appending(entry.name)) == S_IFLNK }
        return entries.filter { !isLink($0) } + entries.filter(isLink)
    }

    /// Its own path. The newest has it; older ones are told apart by their ids, and so is what has lost its folder's name
    /// to something else.
    private func place(for entry: TrashEntry, in target: FolderPath) -> FolderPath {
        if let name = entry.path.name, let folder = makeFolder(entry.path.parent, in: target) {
            let apart = FileName(bytes: Array((name.bytes + [0x2E] + entry.name.bytes).suffix(FileName.maximumLength)))
            for name in [name, apart] where kind(of: folder.appending(name)) == nil { return folder.appending(name) }
        }
        return target.appending(entry.name)
    }

    /// Nil where something else than a folder is in the way, a link being none.
    private func makeFolder(_ path: DrivePath, in target: FolderPath) -> FolderPath? {
        var place = target
        for name in path.components {
            place = place.appending(name)
            _ = place.withPointer { mkdir($0, 0o777) }
            guard kind(of: place) == S_IFDIR else { return nil }
        }
        return place
    }

    /// Nil where nothing is there.
    private func kind(of place: FolderPath) -> mode_t? {
        var facts = stat()
        return place.withPointer { lstat($0, &facts) } == 0 ? facts.st_mode & S_IFMT : nil
    }

    /// False where the trash has lost it.
    private func copy(_ from: FolderPath, to place: FolderPath) throws -> Bool {
        var facts = stat()
        guard from.withPointer({ lstat($0, &facts) }) == 0 else { return false }
        if facts.st_mode & S_IFMT == S_IFLNK {
            guard let target = from.linkTarget?.map({ CChar(bitPattern: $0) }) else { return false }
            guard place.withPointer({ symlink(target + [0], $0) }) == 0 else { throw SmallFile.failure("write", place) }
            return true
        }
        try copyBytes(from, to: place, mode: facts.st_mode & 0o777)
        var times = [facts.st_atim, facts.st_mtim]
        _ = place.withPointer { utimensat(AT_FDCWD, $0, &times, 0) }
        return true
    }

    private func copyBytes(_ from: FolderPath, to place: FolderPath, mode: mode_t) throws {
        let source = from.withPointer { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
        guard source >= 0 else { throw SmallFile.failure("read", from) }
        defer { close(source) }
        let target = try NewFile(place, mode: mode)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count == 0 { return }
            guard count > 0 else { throw SmallFile.failure("read", from) }
            try buffer[..<count].withUnsafeBytes { try target.write($0) }
        }
    }
}
