import DocumentDrive
import DriveCore

/// What `conflicts clean` found, copy by copy.
struct CleaningReport {
    let cleaning: FolderCleaning

    /// What goes: how much it is.
    var total: String {
        let bytes = cleaning.removals.map { cleaning.size(of: $0.candidate.path) }.clampedSum()
        return "\(Quantity.count(cleaning.removals.count, "copy", "copies")), \(Quantity.bytes(bytes))"
    }

    func print(_ output: OutputOptions) {
        let going = Set(cleaning.removals.map(\.candidate.path))
        if output.printJSON(
            cleaning.verdicts.map { VerdictJSON($0, goes: going.contains($0.candidate.path), cleaning) })
        {
            return
        }
        let staying = cleaning.verdicts.filter { !going.contains($0.candidate.path) }
        for (group, verdicts) in Dictionary(grouping: staying, by: \.finding.group).sorted(by: { $0.key < $1.key }) {
            Output.line("\(Quantity.count(verdicts.count, "copy", "copies")) \(group.text):")
            for verdict in verdicts { Output.line("  \(Escaped.path(verdict.candidate.path))") }
            Output.line("")
        }
        for removal in cleaning.removals {
            let reason = removal.isIdentical ? "same as" : "all of its lines are in"
            Output.line("\(Escaped.path(removal.candidate.path))\n  \(reason) \(Escaped.path(removal.kept))")
        }
    }

    /// On standard error; true where something could not be looked at.
    func tellWhatWasNotSeen() -> Bool {
        for drive in cleaning.drives {
            Output.error(
                "docdrive: this is a drive with a trash of its own, and was left alone: \(Escaped.path(drive)): clean it by itself"
            )
        }
        for folder in cleaning.unreadable {
            Output.error("docdrive: the folder cannot be read: \(Escaped.path(folder)): give yourself access to it")
        }
        return !cleaning.unreadable.isEmpty || cleaning.verdicts.contains { $0.finding == .unreadable }
    }

    private struct VerdictJSON: Encodable {
        var v = 1
        var type = "conflict-copy"
        var path: String
        var pathBase64: String?
        /// Where the file that it is a copy of is, or would be.
        var original: String
        var originalBase64: String?
        var scheme: String
        /// identical, contained, extended, different, binary, original-missing, same-file, unreadable
        var finding: String
        /// Whether it goes, and what stays for it.
        var goes: Bool
        var kept: String?
        var keptBase64: String?
        var size: UInt64

        init(_ verdict: CleaningPlan.Verdict, goes: Bool, _ cleaning: FolderCleaning) {
            let candidate = verdict.candidate
            path = candidate.path.description
            pathBase64 = candidate.path.base64IfNeeded
            original = candidate.family.description
            originalBase64 = candidate.family.base64IfNeeded
            scheme = candidate.scheme.rawValue
            finding = verdict.finding.group.rawValue
            self.goes = goes
            kept = verdict.finding.kept?.description
            keptBase64 = verdict.finding.kept?.base64IfNeeded
            size = cleaning.size(of: candidate.path)
        }
    }
}

/// The word of a finding, and what people are told.
enum FindingGroup: String, CaseIterable, Comparable {
    case identical, contained, extended, different, binary
    case originalMissing = "original-missing"
    case sameFile = "same-file"
    case unreadable

    static func < (a: Self, b: Self) -> Bool {
        allCases.firstIndex(of: a)! < allCases.firstIndex(of: b)!
    }

    /// After a number of copies.
    var text: String {
        switch self {
        case .identical: "with the same bytes as another file, changed too lately"
        case .contained: "whose lines are all in the original (--superset takes them)"
        case .extended: "with all lines of the original, and more"
        case .different: "with other lines than the original"
        case .binary: "with other bytes than the original"
        case .originalMissing: "whose original is not there, so that nothing proves that it is a copy"
        case .sameFile: "that is the original itself under a second name"
        case .unreadable: "that cannot be read, or whose original cannot"
        }
    }
}

extension CleaningPlan.Finding {
    var group: FindingGroup {
        switch self {
        case .identical: .identical
        case .contained: .contained
        case .extended: .extended
        case .different: .different
        case .binary: .binary
        case .originalMissing: .originalMissing
        case .sameFile: .sameFile
        case .unreadable: .unreadable
        }
    }

    var kept: DrivePath? {
        switch self {
        case .identical(let path), .contained(let path): path
        default: nil
        }
    }
}
