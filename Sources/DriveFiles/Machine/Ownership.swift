import CLinux
import Glibc

/// Whom it belongs to what root makes in somebody's folder: that person, who could else neither change nor remove it
/// (path_resolution(7), "Permissions"). Where this process is not root, or the folder is root's, nothing changes.
public enum Ownership {
    /// Gives what this process has just made to whom the folder belongs that it lies in.
    public static func give(_ path: [UInt8]) { path.withPathPointer { dd_give_to_owner($0) } }

    /// Makes an empty file for who opens it next, and may make others beside it: SQLite gives those to whom its database
    /// belongs.
    public static func prepare(file path: [UInt8], mode: mode_t = 0o644) {
        guard geteuid() == 0 else { return }
        let number = path.withPathPointer { open($0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode) }
        guard number >= 0 else { return }
        close(number)
        give(path)
    }
}
