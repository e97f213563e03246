import DriveCore
import FileCoordination

extension ConflictResolution {
    /// What has the name is left as it is, whatever the two sides hold.
    fileprivate var leavesCurrent: Bool { self == .keep(.current) || self == .keep(.both) }
}

/// What a rule hides of a conflict. What is hidden is neither sent nor brought; copies of a file are, whatever rule hides it, but for
/// one that hides the folder that they are in.
enum ConflictHiding {
    case file, folder

    /// Nil where no rule hides the file.
    init?(of file: DrivePath, by ignores: (_ path: DrivePath, _ isFolder: Bool) throws -> Bool) rethrows {
        if try ignores(file.parent, true) {
            self = .folder
        } else if try ignores(file, false) {
            self = .file
        } else {
            return nil
        }
    }
}

extension Conflict {
    private static let folderHasName =
        "a folder has its name; --keep both makes the copy a file of its own, --keep current moves it to the trash"

    private static let fileIsHidden =
        "a rule hides it, so that other devices would lose the copy and not learn what the file holds; "
        + "take the rule out and sync (`docdrive ignored` names it), or say --keep current or --keep both"

    private static let folderIsHidden =
        "a rule hides its folder, so that other devices would not learn of it; take the rule out and sync (`docdrive ignored` names it)"

    private static let decisionIsHidden =
        "a rule hides it, so that other devices would not learn of it; take the rule out and sync (`docdrive ignored` names it)"

    /// Why it cannot be ended so, whatever the contents are.
    func obstacle(_ how: ConflictResolution, _ hiding: ConflictHiding?) -> String? {
        if isHeld { return Self.heldReason }
        if hiding == .folder { return Self.folderIsHidden }
        if hiding == .file, copy == nil { return Self.decisionIsHidden }
        if hiding == .file, !isAgainstFolder, !how.leavesCurrent { return Self.fileIsHidden }
        return isAgainstFolder && !how.leavesCurrent ? Self.folderHasName : nil
    }

    /// Where so many are about one file.
    func reasonToName(among count: Int) -> String {
        let one = copySide?.device.map { "takes that by \($0)" } ?? "takes this one"
        return "\(count) contend for its name; `docdrive conflicts resolve \(id) --keep copy` "
            + (copy == nil ? "deletes it" : one)
    }

    /// Why nothing is suggested any more.
    var reasonAfterAnother: String {
        "another of its copies comes first, and this one has lines that the file has not then; "
            + "`docdrive conflicts diff \(id)` shows them once that is done"
    }

    /// Why nothing is suggested.
    var reasonToLook: String {
        switch kind {
        // Without an ancestor nobody is known to have changed anything.
        case .divergent where ancestor == nil:
            "each has lines that the other has not; `docdrive conflicts diff \(id)` shows them"
        case .divergent: "both changed the same text; `docdrive conflicts diff \(id)` shows how"
        case .binary: "they are no texts; open both, then say --keep current, copy or both"
        case .deleteVersusEdit:
            "\(deleter ?? "another device") deleted what another edited; --keep current keeps it, --keep copy deletes it"
        case nil: "both sides were not compared yet; run `docdrive sync`"
        case .identical, .superset, .mergeable: "it has a suggestion"
        }
    }
}
