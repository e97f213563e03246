/// Which conflict copies add nothing: their bytes stay in the original, or in another copy of it.
///
/// A function of names and contents, the same for any order of its input. Whoever carries it out looks at both files
/// again just before, and moves to a trash instead of unlinking.
public struct CleaningPlan: Hashable, Sendable {
    /// By path.
    public private(set) var removals: [Removal] = []

    public struct Removal: Hashable, Sendable {
        public var candidate: ConflictCandidate
        /// The file with the same bytes that stays.
        public var kept: DrivePath

        public init(candidate: ConflictCandidate, kept: DrivePath) {
            self.candidate = candidate
            self.kept = kept
        }
    }

    /// `sizes` and `hashes` are of the regular files that are there: candidates and their originals. A file without
    /// hash takes no part.
    public init(_ candidates: [ConflictCandidate], sizes: [DrivePath: UInt64], hashes: [DrivePath: ContentHash]) {
        for family in Self.families(candidates, sizes) {
            var equal: [ContentHash: [ConflictCandidate]] = [:]
            for copy in family.copies { if let hash = hashes[copy.path] { equal[hash, default: []].append(copy) } }
            for (hash, copies) in equal {
                var others = copies[...]
                let original = hashes[family.original]
                let isOriginal = sizes[family.original] != nil && original == hash
                guard let kept = isOriginal ? family.original : others.popFirst()?.path else { continue }
                for copy in others where sizes[copy.path] == sizes[kept] {
                    removals.append(Removal(candidate: copy, kept: kept))
                }
            }
        }
        removals.sort { $0.candidate.path < $1.candidate.path }
    }

    /// The files that must be hashed to plan: in a family, those of one size with another.
    public static func pathsToHash(_ candidates: [ConflictCandidate], sizes: [DrivePath: UInt64]) -> [DrivePath] {
        families(candidates, sizes).flatMap { family in
            let paths = family.copies.map(\.path) + (sizes[family.original] == nil ? [] : [family.original])
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
