import DriveCore

/// The word of a finding, and what people are told.
enum FindingGroup: String, CaseIterable, Comparable {
    case identical, contained, extended, different, binary
    case originalMissing = "original-missing"
    case sameFile = "same-file"
    case originalIgnored = "original-ignored"
    case unreadable

    static func < (a: Self, b: Self) -> Bool {
        allCases.firstIndex(of: a)! < allCases.firstIndex(of: b)!
    }

    /// After a number of copies.
    func text(takesContained: Bool) -> String {
        switch self {
        case .identical: "with the same bytes as another file, changed too lately"
        case .contained:
            "whose lines are all in the original\(takesContained ? ", changed too lately" : " (--superset takes them)")"
        case .extended: "with all lines of the original, and more"
        case .different: "with other lines than the original"
        case .binary: "with other bytes than the original"
        case .originalMissing: "whose original is not there, so that nothing proves that it is a copy"
        case .sameFile: "that is the original itself under a second name"
        case .originalIgnored: "whose original is ignored, so that other devices have only the copy"
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
        case .originalIgnored: .originalIgnored
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
