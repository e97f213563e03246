import DriveCore
import DriveFiles
import Glibc

extension FolderPath {
    /// Makes the folder and what is missing above it. Where it is none then, says what is in the way of the purpose, and
    /// where: `to: "make the trash"`.
    func make(_ mode: mode_t, to purpose: String, throughLink: Bool = true) throws(DriveError) {
        for place in ancestry.reversed() {
            var facts = stat()
            let isFollowed = throughLink || place != self
            let found = place.withPointer { isFollowed ? stat($0, &facts) : lstat($0, &facts) }
            if found == 0, facts.st_mode & S_IFMT == S_IFDIR { continue }
            if place.withPointer({ mkdir($0, mode) }) == 0 {
                Ownership.give(folder: place.bytes)
                continue
            }
            if errno != EEXIST { throw SmallFile.failure(purpose, errno == EACCES ? place.parent : place) }
            guard place.withPointer({ lstat($0, &facts) }) == 0 else { throw SmallFile.failure(purpose, place) }
            // Somebody else has just made it.
            if facts.st_mode & S_IFMT == S_IFDIR { continue }
            let what = facts.st_mode & S_IFMT == S_IFLNK ? "link" : "file"
            throw DriveError(
                .usage, "cannot \(purpose): a \(what) has the name of the folder; move it away",
                path: place.description)
        }
    }

    /// Throws `usage` where nothing is there, or something that is no folder.
    func checkIsFolder() throws(DriveError) {
        var facts = stat()
        guard withPointer({ stat($0, &facts) }) == 0 else {
            // Of what may not be looked at, whoever opens it says why.
            guard exists else {
                throw DriveError(
                    .usage, "there is no such folder; correct the path, or mount the disk that it is on",
                    path: description)
            }
            return
        }
        guard facts.st_mode & S_IFMT == S_IFDIR else {
            throw DriveError(.usage, "this is no folder; name the folder of a drive", path: description)
        }
    }

    /// The nearest folder above that is there, or this one.
    var nearest: FolderPath { ancestry.first { $0.exists } ?? FolderPath("/") }

    /// Of what lies in the folder; nil where it is not there.
    func names() throws(DriveError) -> [FileName]? {
        guard let stream = withPointer({ opendir($0) }) else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw SmallFile.failure("read the folder", self)
        }
        defer { closedir(stream) }
        var names: [FileName] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != [0x2E], name != [0x2E, 0x2E] { names.append(FileName(bytes: name)) }
        }
        return names
    }

    /// All that is beneath the folder, each folder after what is in it. No link is followed.
    func beneath() throws(DriveError) -> [FolderPath] {
        var found: [FolderPath] = []
        for name in try names() ?? [] {
            let place = appending(name)
            var facts = stat()
            if place.withPointer({ lstat($0, &facts) }) == 0, facts.st_mode & S_IFMT == S_IFDIR {
                found += try place.beneath()
            }
            found.append(place)
        }
        return found
    }

    /// The folder with all that is in it.
    func removeTree() throws(DriveError) {
        for place in try beneath() + [self] {
            guard place.withPointer({ remove($0) }) == 0 || errno == ENOENT else {
                throw SmallFile.failure("remove", place)
            }
        }
    }

    /// What a symbolic link leads to, as it stands in it; nil where there is none.
    public var linkTarget: [UInt8]? {
        // A target is shorter than PATH_MAX, 4096 (symlink(2)).
        var target = [CChar](repeating: 0, count: 4096)
        let count = withPointer { readlink($0, &target, target.count) }
        return count < 0 ? nil : target[..<count].map { UInt8(bitPattern: $0) }
    }
}
