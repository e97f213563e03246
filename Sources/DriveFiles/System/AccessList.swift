/// A POSIX access list as the kernel hands it over (acl(5), linux/posix_acl_xattr.h): a version of four bytes, then entries of eight,
/// a tag, what it gives, and whom, the low byte first.
struct AccessList {
    let bytes: [UInt8]

    /// What it gives the file's group. In the permissions of a file with a list its mask stands in the place of that (acl(5),
    /// "CORRESPONDENCE BETWEEN ACL ENTRIES AND FILE PERMISSION BITS"): without the list they would give the group all that the mask lets
    /// anybody named have.
    var groupPermissions: UInt32 {
        for start in stride(from: 4, through: bytes.count - 8, by: 8)
        where bytes[start] == Self.group && bytes[start + 1] == 0 {
            return UInt32(bytes[start + 2] & 7)
        }
        return 0
    }

    /// ACL_GROUP_OBJ.
    private static let group: UInt8 = 4
}
