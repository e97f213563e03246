/// How a program names the copies that it makes in a conflict. Only forms that are exactly known are here: what looks
/// like a copy and is none must not be touched. Where two programs write the same form, the first one here has it.
public enum ConflictScheme: String, Hashable, Sendable, CaseIterable {
    /// `<stem> (conflicted copy from <device> <YYYY-MM-DD HHMMSS>)<.ext>`, UTC: see `ConflictName`.
    case docdrive
    /// `<stem>.sync-conflict-<YYYYMMDD>-<HHMMSS>-<device><.ext>`, the time that of the device that made it. The device
    /// is the first 7 characters of its id (base32); before version 0.14.50 there was none.
    case syncthing
    /// `<stem> (conflicted copy <YYYY-MM-DD> <HHMMSS>)<.ext>`, a user before the time where copies are uploaded.
    case nextcloud
    /// As Nextcloud, and before version 2.5 `<stem>_conflict-<YYYYMMDD>-<HHMMSS><.ext>` or `_conflict_<user>-...`.
    case owncloud
    /// `<stem> (SFConflict <user> <YYYY-MM-DD-HH-MM-SS>)<.ext>`, the user optional.
    case seafile
    /// `<stem> (conflict_on_<YYYY-MM-DD>)<.ext>`, then `(conflict #1_on_...)`; with `_was_deleted` at the end where
    /// the other side had deleted the file.
    case unison
    /// bisync: `<name>.conflict1`, or before the extension; `<YYYY-MM-DD>-conflict1`; before version 1.66 `..path1`
    /// and `..path2`. A suffix of one's own (`--conflict-suffix`) is not known.
    case rclone
    /// `<stem> (<who>'s conflicted copy <YYYY-MM-DD>)<.ext>` in several languages, `(Case Conflict)` and the like.
    case dropbox
    /// `<stem> (<user>'s conflicting copy <YYYY-MM-DD>)<.ext>`, `(conflicting copy)`, `(case conflict)` and the like.
    case maestral
    /// `<stem>-<host>-safeBackup-<NNNN><.ext>`, of the Linux client by abraunegg. Before version 2.5.3 it wrote
    /// `<stem>-<host><.ext>`, which nothing tells from a plain name.
    case onedrive
    /// `<stem>.variant-<4 hex><.ext>`, the whole key in place of its hash where a variant is in conflict again.
    case gitannex
    /// `<stem>.Conflict<.ext>`, then `.Conflict1`.
    case resilio
    /// `<stem> (Conflicted copy <device> <YYYYMMDDHHMM>)<.ext>`.
    case obsidian
    /// `<stem> 2<.ext>`.
    case icloud
    /// `<stem> (1)<.ext>`, of Dropbox, Maestral, and of every program that downloads.
    case autorename

    /// Whether people give such names themselves, so that the name proves nothing.
    public var isGuess: Bool { self == .icloud || self == .autorename }

    /// Those to go by where nobody chose.
    public static let unmistakable = allCases.filter { !$0.isGuess }

    /// What a name says about the copy, nil where it is not of this scheme, or no file can have the original's name.
    func parse(_ name: FileName) -> ConflictMarker? {
        guard openings.isSubset(of: ConflictOpenings(in: name.bytes)) else { return nil }
        return parseOpened(name)
    }

    /// The same for a name that is known to have the `openings`.
    func parseOpened(_ name: FileName) -> ConflictMarker? {
        guard var marker = marker(in: name), marker.original.isValid else { return nil }
        marker.otherOriginals.removeAll { !$0.isValid }
        return marker
    }

    private func marker(in name: FileName) -> ConflictMarker? {
        let name = MarkedName(bytes: name.bytes)
        return switch self {
        case .docdrive: name.docdrive()
        case .syncthing: name.read(stemMayBeEmpty: true) { MarkedStem(syncthing: $0) }
        case .nextcloud: name.read { MarkedStem(nextcloud: $0) }
        case .owncloud: name.read { MarkedStem(nextcloud: $0) ?? MarkedStem(oldOwncloud: $0) }
        case .seafile: name.read(stemMayBeEmpty: true) { MarkedStem(seafile: $0) }
        case .unison: name.read(stemMayBeEmpty: true) { MarkedStem(unison: $0) }
        case .rclone: name.rclone()
        case .dropbox: name.read { MarkedStem(dropbox: $0) }
        case .maestral: name.read { MarkedStem(maestral: $0) }
        case .onedrive: name.read { MarkedStem(onedrive: $0) }
        case .gitannex: name.gitannex()
        case .resilio: name.read { MarkedStem(resilio: $0) }
        case .obsidian: name.read { MarkedStem(obsidian: $0) }
        case .icloud: name.read { MarkedStem(icloud: $0) }
        case .autorename: name.read { MarkedStem(autorename: $0) }
        }
    }
}
