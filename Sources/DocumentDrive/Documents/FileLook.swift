import DriveCore
import Glibc

/// Whether a file is what the index says.
enum FileLook {
    static func isSame(_ path: FolderPath, as facts: FileFacts) -> Bool {
        var found = stat()
        guard path.withPointer({ lstat($0, &found) }) == 0, found.st_mode & S_IFMT == S_IFREG else { return false }
        return UInt64(found.st_ino) == facts.identity.inode && UInt64(found.st_size) == facts.size
            && Int64(found.st_mtim.tv_sec) == facts.modified.seconds
            && UInt32(found.st_mtim.tv_nsec) == facts.modified.nanoseconds
            && Int64(found.st_ctim.tv_sec) == facts.changed.seconds
            && UInt32(found.st_ctim.tv_nsec) == facts.changed.nanoseconds
    }
}
