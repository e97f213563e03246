/// What the findings of a trial mean for somebody who wants to keep a store there.
public enum TrialVerdict: Hashable, Sendable {
    /// Every promise is kept.
    case good
    /// Devices sync, and nothing is lost; the store only grows, since what nobody needs any more cannot be removed.
    case growing
    /// The same, and objects can be removed: only the folders that they were in, or what else lies there, stay.
    case untidy
    /// Data or syncing would be at risk, by so many broken promises.
    case unfit(Int)

    public init(_ findings: [StoreTrial.Finding]) {
        let broken = findings.filter { !$0.isKept }
        let needed = broken.count { $0.isNeeded }
        self =
            if needed > 0 {
                .unfit(needed)
            } else if broken.isEmpty {
                .good
            } else if broken.allSatisfy({ $0.promise == StoreTrial.tidiness }) {
                .untidy
            } else {
                .growing
            }
    }

    /// Whether a store can be kept there.
    public var isFit: Bool {
        if case .unfit = self { false } else { true }
    }
}
