import CLinux
public import DriveCore
import Glibc

/// What keeps this process from an item, asked once it was refused.
public enum ItemAccess {
    /// To list, enter and change a folder, to read a file, or to set what only its owner may.
    public enum Wish: Sendable { case enter, change, read, own }

    /// Nil where nothing does, or it is not there. The path ends with a zero.
    public static func hindrance(to wish: Wish, at path: UnsafePointer<CChar>) -> Hindrance? {
        if wish == .change || wish == .own, dd_is_unchanging(path) { return .unchanging }
        let mode: Int32? =
            switch wish {
            case .enter: R_OK | X_OK
            case .change: W_OK | X_OK
            case .read: R_OK
            case .own: nil
            }
        var facts = stat()
        guard mode.map({ access(path, $0) != 0 && errno == EACCES }) ?? true, lstat(path, &facts) == 0 else {
            return nil
        }
        if facts.st_uid != geteuid() { return geteuid() == 0 && mode == nil ? nil : .othersItem }
        return mode == nil ? nil : .permissions
    }
}
