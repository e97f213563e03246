import GRDBSQLite
import Glibc

/// Keeps SQLite from removing what is not its own.
///
/// The last connection to a file brings its log into it and removes the log, by its path (sqlite.org/walformat.html). Where
/// the drive was moved away meanwhile and another one put in its place, as when a disk is plugged in again or a snapshot
/// is brought back, that is the log of the other, with all that it has committed since.
struct LogGuard {
    private let path: [CChar]
    private let opened: Identity?

    private struct Identity: Equatable {
        let device: dev_t
        let inode: ino_t
    }

    /// For a file that has just been opened.
    init(of path: [UInt8]) {
        self.path = path.map { CChar(bitPattern: $0) } + [0]
        opened = Self.identity(at: self.path)
    }

    /// Before the connection is closed.
    func release(_ connection: OpaquePointer?) {
        guard Self.identity(at: path) != opened else { return }
        // Brought in and made empty through the open files, but not removed.
        var isKept: CInt = 1
        _ = sqlite3_file_control(connection, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
    }

    private static func identity(at path: [CChar]) -> Identity? {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        return Identity(device: facts.st_dev, inode: facts.st_ino)
    }
}
