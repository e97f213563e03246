import DriveCore
import Glibc

/// A process of another user that works on the drive. Root may do all that it does, and cannot ask it: who watches listens where
/// its own user's programs look for it.
struct ForeignProcess: Hashable {
    var process: Int32
    /// Its name, or its number where it has none.
    var user: String

    init(process: Int32, user: String) { (self.process, self.user) = (process, user) }

    /// Nil where it is this user's, or nobody can tell.
    init?(_ process: Int32, asked asker: uid_t = geteuid()) {
        var facts = stat()
        guard process > 0, stat("/proc/\(process)", &facts) == 0, facts.st_uid != asker else { return nil }
        let name = getpwuid(facts.st_uid).flatMap { $0.pointee.pw_name }.map { String(cString: $0) }
        self.init(process: process, user: name ?? "#\(facts.st_uid)")
    }

    /// A watch is never done, so that waiting for it would not help.
    var words: String {
        "process \(process) of \(user) works on the drive and can be asked by that user alone; do this as "
            + "`sudo -u \(user.shellWord) docdrive ...`"
    }
}
