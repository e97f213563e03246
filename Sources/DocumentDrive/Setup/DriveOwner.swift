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

/// Drives of other users that a person works on all the same: a line of a file of their own for each, as git has them in
/// `safe.directory`. It is a path, which may begin with `~/`; with `/*` behind it, all that lie beneath; or `*` for all.
private struct AllowedDrives {
    private let file: FolderPath?
    private var lines: [ArraySlice<UInt8>] = []

    init() {
        let folder = FolderPath.base("XDG_CONFIG_HOME", orInHome: [".config"])?.appending("docdrive")
        file = folder?.appending("allowed-drives")
        guard let file, let bytes = try? SmallFile.read(file) else { return }
        lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    }

    func contain(_ drive: FolderPath) -> Bool {
        let place = drive.resolved
        // The name of a folder may end as lines do by a slip.
        return lines.contains { Self.allows($0, place) || Self.allows(Self.trimmed($0), place) }
    }

    private static func allows(_ text: ArraySlice<UInt8>, _ place: FolderPath) -> Bool {
        if text.elementsEqual([0x2A]) { return true }
        guard let path = path(text) else { return false }
        if path.resolved == place { return true }
        guard path.name == "*" else { return false }
        let folder = path.parent.resolved
        return place != folder && place.isInside(folder)
    }

    /// Nil where it is none.
    private static func path(_ text: ArraySlice<UInt8>) -> FolderPath? {
        if text.first == 0x2F { return FolderPath(Array(text)) }
        let rest = text.dropFirst()
        guard text.first == 0x7E, rest.isEmpty || rest.first == 0x2F, let home = FolderPath.home else { return nil }
        return FolderPath(home.bytes + rest)
    }

    /// Without blanks around it, and the return that some editors end lines with.
    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        let text = line.drop(while: isBlank)
        return text.prefix(text.reversed().drop(while: isBlank).count)
    }

    private static func meansNothing(_ line: ArraySlice<UInt8>) -> Bool {
        let text = trimmed(line)
        if text.isEmpty || text.first == 0x23 || text.elementsEqual([0x2A]) { return false }
        return path(text) == nil
    }

    func advice(_ drive: FolderPath) -> String {
        guard let file else { return "set HOME, and name it in ~/.config/docdrive/allowed-drives" }
        // The last line need not have an end.
        let format = lines.last?.isEmpty == false ? "'\\n%s\\n'" : "'%s\\n'"
        let command = "mkdir -p \(file.parent.shellText) && printf \(format) \(drive.shellText) >> \(file.shellText)"
        guard let index = lines.firstIndex(where: Self.meansNothing) else { return "run `\(command)`" }
        return "run `\(command)`; line \(index + 1) of that file allows none as it is: begin its path with / or ~/"
    }
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
