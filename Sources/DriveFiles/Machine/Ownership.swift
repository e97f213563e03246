import CLinux
import Glibc

/// Whom it belongs to what root makes in somebody's folder: that person, who could else neither change nor remove it
/// (path_resolution(7), "Permissions"). Where this process is not root, or the folder is root's, nothing changes.
///
/// Whose the folder is may put another name of a file of somebody else there meanwhile: nothing is given but what was made.
public enum Ownership {
    /// Of a file that this process has just made (O_EXCL) and has open.
    public static func give(file path: [UInt8], _ number: Int32) {
        path.withPathPointer { dd_made_file_at($0, number) }
    }

    /// Of a folder that this process has just made; one with something in it stays whose it is.
    public static func give(folder path: [UInt8]) { path.withPathPointer { dd_made_folder_at($0) } }

    /// Makes an empty file for who opens it next, and may make others beside it: SQLite gives those to whom its database
    /// belongs.
    public static func prepare(file path: [UInt8], mode: mode_t = 0o644) {
        guard geteuid() == 0 else { return }
        let number = path.withPathPointer { open($0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode) }
        guard number >= 0 else { return }
        give(file: path, number)
        close(number)
    }
}
