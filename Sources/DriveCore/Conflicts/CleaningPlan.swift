/// What is found about the conflict copies in a folder: which add nothing, and why the others stay.
///
/// A function of names and contents, the same for any order of its input. Whoever carries it out looks at both files
/// again just before, and moves to a trash instead of unlinking.
public struct CleaningPlan: Hashable, Sendable {
    /// One for each candidate that is there, by path.
    public private(set) var verdicts: [Verdict] = []
    private let takesContained: Bool

    public struct Verdict: Hashable, Sendable {
        public var candidate: ConflictCandidate
        public var finding: Finding

        public init(candidate: ConflictCandidate, finding: Finding) {
            self.candidate = candidate
            self.finding = finding
        }
    }

    public enum Finding: Hashable, Sendable {
        /// The other file, which stays, has the very same bytes.
        case identical(to: DrivePath)
        /// Text, and the other file, which stays, has each of its lines in the same order.
        case contained(in: DrivePath)
        /// Text, and it has each line of the original, and more.
        case extended
        /// Text, and both have lines that the other has not.
        case different
        /// Other bytes than the original's, and no text, or too much of it to compare.
        case binary
        /// There is no file that it could be a copy of: its name proves nothing.
        case originalMissing
        /// It is the original itself under a second name (a hard link).
        case sameFile
        /// The original has all that it has, and is on this device only: for the others the copy is all there is.
        case originalIgnored
        /// It, or its original, could not be read.
        case unreadable
    }

    public struct Removal: Hashable, Sendable {
        public var candidate: ConflictCandidate
        /// The file that stays and has all that the copy has.
        public var kept: DrivePath
        /// Else it has all lines of it.
        public var isIdentical: Bool
    }

    /// By path.
    public var removals: [Removal] {
        verdicts.compactMap { verdict in
            switch verdict.finding {
            case .identical(let kept): Removal(candidate: verdict.candidate, kept: kept, isIdentical: true)
            case .contained(let kept) where takesContained:
                Removal(candidate: verdict.candidate, kept: kept, isIdentical: false)
            default: nil
            }
        }
    }

    /// What the regular files that are candidates or originals hold.
    public struct Contents: Sendable {
        public var sizes: [DrivePath: UInt64]
        /// A file without one could not be read, or need not be since no other of its family has its size.
        public var hashes: [DrivePath: ContentHash]
        /// Names of one file.
        public var linked: Set<DrivePath> = []
        public var unreadable: Set<DrivePath> = []
        /// Of a drive those that a rule hides, so that no other device has them.
        public var ignored: Set<DrivePath> = []
        /// How the first, a copy, stands to the second, its original; asked only where they differ. Nil where one of them could not
        /// be read.
        public var compare: @Sendable (DrivePath, DrivePath) -> LineContainment?

        public init(
            sizes: [DrivePath: UInt64], hashes: [DrivePath: ContentHash],
            compare: @escaping @Sendable (DrivePath, DrivePath) -> LineContainment? = { _, _ in .unknown }
        ) {
            self.sizes = sizes
            self.hashes = hashes
            self.compare = compare
        }

        /// Whether the copy may go because the other stays: also for devices that only one of them is sent to.
        fileprivate func mayRely(_ copy: DrivePath, on other: DrivePath) -> Bool {
            ignored.contains(copy) || !ignored.contains(other)
        }
    }

    /// Where `takesContained`, a copy adds nothing if its original has all its lines; else only if its bytes are the same.
    public init(_ candidates: [ConflictCandidate], _ contents: Contents, takesContained: Bool = false) {
        self.takesContained = takesContained
        for family in Self.families(candidates, contents.sizes) { judge(family, contents) }
        verdicts.sort { $0.candidate.path < $1.candidate.path }
    }

    private mutating func judge(_ family: Family, _ contents: Contents) {
        var firsts: [ContentHash: (path: DrivePath, finding: Finding)] = [:]
        let original = family.original
        for copy in family.copies {
            var finding = Self.ownFinding(copy, family, contents)
            if let hash = contents.hashes[copy.path], finding == nil {
                if let first = firsts[hash], contents.mayRely(copy.path, on: first.path) {
                    // Where the first goes, it is nothing to rely on.
                    if takesContained, case .contained = first.finding {
                        finding = first.finding
                    } else {
                        finding = .identical(to: first.path)
                    }
                } else if contents.hashes[original] == hash {
                    finding = contents.mayRely(copy.path, on: original) ? .identical(to: original) : .originalIgnored
                }
            }
            let settled = finding ?? Self.compared(copy.path, original, contents)
            if let hash = contents.hashes[copy.path], finding == nil || finding == .originalIgnored {
                firsts[hash] = (copy.path, settled)
            }
            verdicts.append(Verdict(candidate: copy, finding: settled))
        }
    }

    /// What needs no comparison.
    private static func ownFinding(_ copy: ConflictCandidate, _ family: Family, _ contents: Contents) -> Finding? {
        if contents.sizes[family.original] == nil { return .originalMissing }
        if contents.unreadable.contains(copy.path) || contents.unreadable.contains(family.original) {
            return .unreadable
        }
        return contents.linked.contains(copy.path) ? .sameFile : nil
    }

    private static func compared(_ copy: DrivePath, _ original: DrivePath, _ contents: Contents) -> Finding {
        switch contents.compare(copy, original) {
        case .firstInSecond: contents.mayRely(copy, on: original) ? .contained(in: original) : .originalIgnored
        case .secondInFirst: .extended
        case .neither: .different
        case .unknown: .binary
        case nil: .unreadable
        }
    }

    /// The files that must be hashed to plan: in a family whose original is there, those of one size with another.
    public static func pathsToHash(_ candidates: [ConflictCandidate], sizes: [DrivePath: UInt64]) -> [DrivePath] {
        families(candidates, sizes).flatMap { family -> [DrivePath] in
            guard sizes[family.original] != nil else { return [] }
            let paths = family.copies.map(\.path) + [family.original]
            let bySize = Dictionary(grouping: paths) { sizes[$0] }
            return paths.filter { (bySize[sizes[$0]]?.count ?? 0) > 1 }
        }.sorted()
    }

    private struct Family {
        var original: DrivePath
        /// Those that are there; the one that stays before its equals first.
        var copies: [ConflictCandidate]
    }

    private static func families(_ candidates: [ConflictCandidate], _ sizes: [DrivePath: UInt64]) -> [Family] {
        var copies: [DrivePath: [DrivePath: ConflictCandidate]] = [:]
        for candidate in candidates where sizes[candidate.path] != nil {
            copies[candidate.family, default: [:]][candidate.path] = candidate
        }
        return copies.keys.sorted().map { original in
            // The shortest name is the least derived one.
            Family(
                original: original,
                copies: copies[original]!.values.sorted {
                    ($0.path.bytes.count, $0.path) < ($1.path.bytes.count, $1.path)
                })
        }
    }
}
