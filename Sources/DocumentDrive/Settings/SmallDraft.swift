import DriveCore
import DriveFiles
import Glibc

/// What is to replace a small file, beside it under a name of its own. Locked: one process after the other has it.
final class SmallDraft {
    private let path: FolderPath
    private let draft: FolderPath
    private let number: Int32

    /// Waits for whoever has it. One that is left of a process that was killed is removed.
    init(of path: FolderPath, _ mode: mode_t) throws(DriveError) {
        self.path = path
        draft = FolderPath(path.bytes + Array(".new".utf8))
        number = try Self.locked(draft, for: path, mode)
        Ownership.give(file: draft.bytes, number)
    }

    deinit { close(number) }

    func write(_ bytes: [UInt8]) throws(DriveError) {
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

    /// Only what was made here is written to, and given away: another name of a file of somebody else may have been put there.
    private static func locked(_ draft: FolderPath, for path: FolderPath, _ mode: mode_t) throws(DriveError) -> Int32 {
        while true {
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let number = draft.withPointer { open($0, flags, mode) }
            if number >= 0 {
                lock(number)
                if isStill(draft, number) { return number }
                // Taken for one that was left.
                close(number)
            } else if errno == EEXIST {
                try clear(draft, for: path)
            } else {
                throw SmallFile.failure("write", path)
            }
        }
    }

    /// Waits for whoever has it, and removes it where nobody does.
    private static func clear(_ draft: FolderPath, for path: FolderPath) throws(DriveError) {
        let number = draft.withPointer { open($0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
        // It has just been renamed, and what has the name next is somebody else's.
        if number < 0, errno == ENOENT { return }
        defer { if number >= 0 { close(number) } }
        if number >= 0 {
            lock(number)
            // Who had it has renamed or removed it.
            guard isStill(draft, number) else { return }
        }
        guard draft.withPointer({ unlink($0) }) == 0 || errno == ENOENT else { throw SmallFile.failure("write", path) }
    }

    /// A file system without locks has one writer at a time, or none that knows of the other.
    private static func lock(_ number: Int32) { while flock(number, LOCK_EX) != 0, errno == EINTR {} }

    private static func isStill(_ draft: FolderPath, _ number: Int32) -> Bool {
        var (open, named) = (stat(), stat())
        guard fstat(number, &open) == 0, draft.withPointer({ lstat($0, &named) }) == 0 else { return false }
        return open.st_ino == named.st_ino && open.st_dev == named.st_dev
    }
}
