import CLinux
public import DriveCore
import Glibc

/// What keeps this process from an item, asked once it was refused.
public enum ItemAccess {
    /// To list, enter and change a folder, or to read a file.
    public enum Wish: Sendable { case enter, change, read }

    /// Nil where nothing does, or it is not there. The path ends with a zero.
    public static func hindrance(to wish: Wish, at path: UnsafePointer<CChar>) -> Hindrance? {
        if wish == .change, dd_is_unchanging(path) { return .unchanging }
        let mode =
            switch wish {
            case .enter: R_OK | X_OK
            case .change: W_OK | X_OK
            case .read: R_OK
            }
        guard access(path, mode) != 0, errno == EACCES else { return nil }
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return nil }
        return facts.st_uid == geteuid() ? .permissions : .othersItem
    }
}
