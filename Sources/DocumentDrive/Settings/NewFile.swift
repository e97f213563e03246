import DriveCore
import Glibc

/// A file that is made and filled.
final class NewFile {
    /// Closed when nobody holds the value any more.
    let number: Int32
    private let path: FolderPath

    init(_ path: FolderPath, mode: mode_t = 0o666) throws(DriveError) {
        self.path = path
        number = path.withPointer { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode) }
        guard number >= 0 else { throw SmallFile.failure("write", path) }
    }

    deinit { close(number) }

    func write(_ bytes: UnsafeRawBufferPointer) throws(DriveError) {
        var rest = bytes
        while rest.count > 0 {
            let count = Glibc.write(number, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SmallFile.failure("write", path) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    func remove() { path.withPointer { _ = unlink($0) } }
}
