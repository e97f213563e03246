import CLinux
import Glibc

extension Int32 {
    /// The error number says that nothing (or, where a folder was wanted, no folder) has the name. A name that no
    /// file system holds belongs to nothing either.
    var meansAbsent: Bool {
        switch self {
        case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, Int32(DD_BAD_NAME): true
        default: false
        }
    }

    /// Something has the name already, or a folder is not empty.
    var meansOccupied: Bool { self == EEXIST || self == ENOTEMPTY }

    /// The volume has no such extended attributes, or none for this kind of item.
    var meansUnsupported: Bool { self == EOPNOTSUPP || self == ENOSYS || self == EINVAL }
}
