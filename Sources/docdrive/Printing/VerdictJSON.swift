import DocumentDrive
import DriveCore

/// A copy that `conflicts clean` found, and what was done with it.
struct VerdictJSON: Encodable {
    var v = 1
    var type = "conflict-copy"
    var path: String
    var pathBase64: String?
    /// Where the file that it is a copy of is, or would be.
    var original: String
    var originalBase64: String?
    var scheme: String
    /// identical, contained, extended, different, binary, original-missing, same-file,
    /// original-ignored, unreadable
    var finding: String
    /// Whether it adds nothing and was to go, and what stays for it.
    var goes: Bool
    var kept: String?
    var keptBase64: String?
    var size: UInt64
    /// Whether this cleaning moved it to the trash, and if not, why.
    var removed: Bool
    var reason: String?

    /// What became of a copy that was to go.
    struct Deed {
        var removed = false
        var reason: String?

        static let onlyLookedAt = Deed(reason: "nothing was to be changed")

        private init(reason: String) { self.reason = reason }

        init(_ outcome: CleaningOutcome) {
            switch outcome {
            case .removed: removed = true
            case .gone: reason = "it is not there any more"
            case .left(let error): reason = error.message
            }
        }
    }

    /// Without a deed it was not to go.
    init(_ verdict: CleaningPlan.Verdict, _ deed: Deed?, _ cleaning: FolderCleaning) {
        let candidate = verdict.candidate
        path = candidate.path.description
        pathBase64 = candidate.path.base64IfNeeded
        original = candidate.family.description
        originalBase64 = candidate.family.base64IfNeeded
        scheme = candidate.scheme.rawValue
        finding = verdict.finding.group.rawValue
        goes = deed != nil
        kept = verdict.finding.kept?.description
        keptBase64 = verdict.finding.kept?.base64IfNeeded
        size = cleaning.size(of: candidate.path)
        removed = deed?.removed ?? false
        reason = deed.map(\.reason) ?? "a copy \(verdict.finding.group.text(takesContained: cleaning.takesContained))"
    }
}
