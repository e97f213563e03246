import DriveCore
import DriveFiles
import Glibc

/// What is to replace a small file, beside it under a name of its own. Locked: one process after the other has it.
final class SmallDraft {
    private let path: FolderPath
    private let draft: FolderPath
    private let number: Int32

    /// Waits for whoever has it. One that is left of a process that was killed is used again.
    init(of path: FolderPath, _ mode: mode_t) throws(DriveError) {
        self.path = path
        draft = FolderPath(path.bytes + Array(".new".utf8))
        number = try Self.locked(draft, for: path, mode)
        Ownership.give(file: draft.bytes, number)
    }

    deinit { close(number) }

    func write(_ bytes: [UInt8]) throws(DriveError) {
        guard ftruncate(number, 0) == 0 else { throw SmallFile.failure("write", path) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SmallFile.failure("write", path) }
            rest = rest.dropFirst(count)
        }
        guard fsync(number) == 0 else { throw SmallFile.failure("write", path) }
    }

    func rename() throws(DriveError) {
        let renamed = draft.withPointer { from in path.withPointer { Glibc.rename(from, $0) } }
        guard renamed == 0 else { throw SmallFile.failure("write", path) }
    }

    func remove() { _ = draft.withPointer { unlink($0) } }

    private static func locked(_ draft: FolderPath, for path: FolderPath, _ mode: mode_t) throws(DriveError) -> Int32 {
        while true {
            let number = draft.withPointer { open($0, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode) }
            guard number >= 0 else {
                // No file of ours: a link that somebody put there.
                if errno == ELOOP, draft.withPointer({ unlink($0) }) == 0 { continue }
                throw SmallFile.failure("write", path)
            }
            // A file system without locks has one writer at a time, or none that knows of the other.
            while flock(number, LOCK_EX) != 0, errno == EINTR {}
            if isStill(draft, number) { return number }
            // Who had it before has renamed or removed it.
            close(number)
        }
    }

    private static func isStill(_ draft: FolderPath, _ number: Int32) -> Bool {
        var (open, named) = (stat(), stat())
        guard fstat(number, &open) == 0, draft.withPointer({ lstat($0, &named) }) == 0 else { return false }
        return open.st_ino == named.st_ino && open.st_dev == named.st_dev
    }
}
