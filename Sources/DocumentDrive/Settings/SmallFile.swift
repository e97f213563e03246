import DriveCore
import DriveFiles
import Glibc

/// Files of the drive's own that fit in memory, read and replaced whole.
enum SmallFile {
    /// Nil where there is none. `action` is what the error says cannot be done. What is no file is not read: a pipe or a device has no
    /// end.
    static func read(
        _ path: FolderPath, to action: String = "read", throughLink followsLinks: Bool = true
    ) throws(DriveError) -> [UInt8]? {
        let ways = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
        let number = path.withPointer { open($0, ways) }
        if number < 0 {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure(action, path)
        }
        defer { close(number) }
        var facts = stat()
        guard fstat(number, &facts) == 0 else { throw failure(action, path) }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw DriveError(.usage, "cannot \(action): it is no file; move it away", path: path.description)
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(number, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(action, path) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Written aside, made durable, then renamed over the old one: a reader sees one or the other.
    static func write(_ bytes: [UInt8], to path: FolderPath, mode: mode_t = 0o600) throws(DriveError) {
        try replace(path, mode: mode) { _ throws(DriveError) in bytes }
    }

    /// As `write`, with what becomes of the file as it is then, which is nil where there is none: whoever else changes it this
    /// way meanwhile waits.
    static func replace(
        _ path: FolderPath, mode: mode_t = 0o600, _ change: ([UInt8]?) throws(DriveError) -> [UInt8]
    ) throws(DriveError) {
        let draft = try SmallDraft(of: path, mode)
        do throws(DriveError) {
            try draft.write(try change(try read(path)))
            try draft.rename()
        } catch {
            draft.remove()
            throw error
        }
    }

    static func failure(_ action: String, _ path: FolderPath) -> DriveError {
        let code = errno
        let reason = String(cString: strerror(code))
        switch code {
        case EACCES, EPERM:
            return DriveError(
                .permissionDenied, "cannot \(action): permission denied; give yourself access to it",
                path: path.description)
        case EROFS:
            return DriveError(
                .readOnly, "cannot \(action): the file system is read-only; mount it for writing",
                path: path.description)
        case ENOSPC, EDQUOT:
            return DriveError(.noSpace, "cannot \(action): the disk is full; make room", path: path.description)
        case EMFILE, ENFILE:
            return DriveError(
                .exhausted, "cannot \(action): too many files are open; close some, or raise the limit (`ulimit -n`)",
                path: path.description)
        case ENOMEM:
            return DriveError(.exhausted, "cannot \(action): no memory is left; free some", path: path.description)
        default: return DriveError(.inputOutput, "cannot \(action): \(reason)", path: path.description)
        }
    }
}

extension FolderPath {
    func withPointer<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
    }

    /// Only a clear answer counts as a no: what cannot be looked at is taken to be there, so that whoever uses it is told
    /// why that does not work.
    public var exists: Bool {
        var facts = stat()
        if withPointer({ stat($0, &facts) }) == 0 { return true }
        return ![ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(errno)
    }
}
