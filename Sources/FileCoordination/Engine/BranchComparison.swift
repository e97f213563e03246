/// How a journal that somebody else has put under this device's id stands to the own one, by what only one of the two consists of.
struct BranchComparison<Record: Equatable> {
    /// The highest numbers.
    var published: UInt64
    var theirPublished: UInt64
    /// It goes on from the own head in force.
    var isLater: Bool
    /// Up to which numbers both are the same: the highest ones of the parts that both have, say.
    var shared: [UInt64]
    var ours: [UInt64: Record]
    var theirs: [UInt64: Record]
    /// Of ours, the numbers that no compaction leaves out.
    var needed: Set<UInt64> = []
    /// Of theirs, the numbers that this device does not know to be used.
    var unknown: Set<UInt64> = []
    /// The greatest number of those of their parts that are not there; 0 where all are.
    var missing: UInt64

    enum Kinship: Hashable {
        /// Of this device's own past: an answer was lost, and a list was late.
        case own
        /// It has all that the own one has, and more.
        case later
        /// Both have used numbers after this one.
        case apart(after: UInt64)
    }

    func kinship() -> Kinship {
        guard let first else { return theirPublished <= published ? .own : .later }
        // Of what a compaction left out of either nobody can tell whose it was.
        let equal = ours.filter { n, record in n < first && theirs[n] == record }.keys.max() ?? 0
        return .apart(after: max(equal, shared.filter { $0 < first }.max() ?? 0))
    }

    /// What is missing may say otherwise. What ends before the first difference is gone because one of both has rewritten it.
    var isOpen: Bool { (clash != nil || !isLater) && missing >= first ?? 1 }

    private var last: UInt64 { shared.max() ?? 0 }

    /// The first number that both have used for something else.
    private var clash: UInt64? { theirs.filter { n, record in ours[n].map { $0 != record } ?? false }.keys.min() }

    /// Where nothing of the same number is left of both, as after a compaction, it is what only one has.
    private var first: UInt64? {
        [clash, isLater ? nil : ownAlone, isLater ? nil : unknown.filter { $0 > last && $0 <= published }.min()]
            .compactMap(\.self).min()
    }

    private var ownAlone: UInt64? {
        ours.keys.filter { n in
            guard n > last, theirs[n] == nil else { return false }
            return theirPublished > published || n <= theirPublished && needed.contains(n)
        }.min()
    }
}
