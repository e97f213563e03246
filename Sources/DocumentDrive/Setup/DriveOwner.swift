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
        let state = drive.appending(DriveLayout.state)
        var facts = stat()
        // Of what cannot be looked at, whoever opens it says why.
        guard state.withPointer({ lstat($0, &facts) }) == 0 else { return nil }
        if Self.isBelieved(facts.st_uid, start) { return nil }
        let allowed = AllowedDrives()
        if allowed.contain(drive) { return nil }
        let name = getpwuid(facts.st_uid).flatMap { $0.pointee.pw_name }.map { String(cString: $0) }
        let who = name ?? "uid \(facts.st_uid)"
        return DriveError(
            .needsDecision,
            "this drive belongs to another user (\(who)), who says where all that lies beneath it is sent; if it is yours all the "
                + "same, or shared with you, \(allowed.advice(drive))",
            path: state.description)
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
