import DriveCore
import DriveFiles
import Glibc

/// Whether a drive that was found is to be worked on by who found it.
///
/// Anybody can make a drive of a folder that many may write in, as /tmp: what others have beneath it would go into a store of
/// theirs, and its text into an index that they can read. So a drive must belong to who works on it, as git has it of
/// repositories (git-config(1), `safe.directory`). What counts is the drive's own folder: all that is done goes by what lies
/// there, and the folder of the documents may well be another's, who shares it.
struct DriveOwner {
    let drive: FolderPath

    /// Throws `needsDecision` where the drive belongs to another user than the one who asks for what is at `start`, and
    /// nobody has allowed it.
    func check(from start: FolderPath) throws(DriveError) {
        if let refusal = refusal(from: start) { throw refusal }
    }

    /// Nil where it may be worked on, and where there is none.
    func refusal(from start: FolderPath) -> DriveError? {
        // Of what cannot be looked at, whoever opens it says why.
        guard let owner, !Self.isBelieved(owner, start) else { return nil }
        if let closed { return closed }
        let allowed = AllowedDrives()
        if allowed.contain(drive) { return nil }
        return DriveError(
            .needsDecision,
            "this drive belongs to another user (\(Self.name(of: owner))), who says where all that lies beneath it is sent; if it "
                + "is yours all the same, \(allowed.advice(drive))",
            path: state.description)
    }

    /// Of a drive that only its owner may look into; nil where it is open to this user. A drive keeps itself closed: what it knows
    /// of a folder is not for all who may read some of that.
    var closed: DriveError? {
        guard let owner, owner != geteuid(), geteuid() != 0,
            state.withPointer({ faccessat(AT_FDCWD, $0, R_OK | X_OK, AT_EACCESS) }) != 0, errno == EACCES
        else { return nil }
        return DriveError(
            .permissionDenied,
            "this drive belongs to another user (\(Self.name(of: owner))), who alone can work on it; keep a drive of your own, in "
                + "another folder, with the same store", path: state.description)
    }

    private var state: FolderPath { drive.appending(DriveLayout.state) }

    /// Nil where the drive's own folder is not there, or cannot be looked at.
    private var owner: uid_t? {
        var facts = stat()
        return state.withPointer { lstat($0, &facts) } == 0 ? facts.st_uid : nil
    }

    private static func name(of user: uid_t) -> String {
        getpwuid(user).flatMap { $0.pointee.pw_name }.map { String(cString: $0) } ?? "uid \(user)"
    }

    /// Root may do anything anyway. For root, also who became root by sudo, and whoever the folder belongs to that it is about:
    /// services of root keep the drives of others.
    private static func isBelieved(_ owner: uid_t, _ start: FolderPath) -> Bool {
        if owner == geteuid() || owner == 0 { return true }
        guard geteuid() == 0 else { return false }
        return owner == sudoUser || owner == start.folderOwner
    }

    private static var sudoUser: uid_t? { getenv("SUDO_UID").flatMap { uid_t(String(cString: $0)) } }
}

extension FolderPath {
    /// Whose the folder is, or the nearest one above.
    fileprivate var folderOwner: uid_t? {
        for place in ancestry {
            var facts = stat()
            let isThere = place.withPointer { stat($0, &facts) } == 0
            if isThere, facts.st_mode & S_IFMT == S_IFDIR { return facts.st_uid }
        }
        return nil
    }
}
