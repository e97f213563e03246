import Testing

@testable import FileCoordination

/// What another copy of a device has published, against what this one has: numbers, and what each used them for.
struct BranchComparisonTests {
    private typealias Comparison = BranchComparison<String>

    private func comparison(
        _ ours: [UInt64: String], _ theirs: [UInt64: String], isLater: Bool = false, shared: [UInt64] = [],
        missing: UInt64 = 0
    ) -> Comparison {
        Comparison(
            published: max(ours.keys.max() ?? 0, shared.max() ?? 0),
            theirPublished: max(theirs.keys.max() ?? 0, shared.max() ?? 0, missing), isLater: isLater, shared: shared,
            ours: ours, theirs: theirs, missing: missing)
    }

    @Test func whatIsTheSameIsOnesOwn() {
        #expect(comparison([1: "a", 2: "b"], [1: "a"]).kinship() == .own)
        #expect(comparison([1: "a", 2: "b"], [2: "b"]).kinship() == .own)
        #expect(comparison([:], [:], shared: [4]).kinship() == .own)
    }

    @Test func whatGoesOnHasAll() {
        #expect(comparison([:], [5: "a"], isLater: true, shared: [4]).kinship() == .later)
        // The original of a backup has left out what nobody needs any more.
        #expect(comparison([3: "a", 4: "b"], [4: "b", 6: "c"], isLater: true).kinship() == .later)
        #expect(comparison([1: "a"], [1: "a", 2: "b"]).kinship() == .later)
    }

    @Test func whatBothUsedForSomethingElseSetsThemApart() {
        #expect(comparison([5: "a"], [5: "b"], shared: [4]).kinship() == .apart(after: 4))
        #expect(comparison([4: "s", 5: "a", 6: "c"], [4: "s", 5: "b"]).kinship() == .apart(after: 4))
        // Also where theirs is the older head, or seems to go on.
        #expect(comparison([5: "a", 6: "b", 7: "c"], [5: "x"], shared: [4]).kinship() == .apart(after: 4))
        #expect(comparison([5: "a"], [5: "b", 6: "c"], isLater: true, shared: [4]).kinship() == .apart(after: 4))
    }

    /// What was left out of one may have been another's all the same.
    @Test func whatACompactionLeftOutIsNotTakenForCommon() {
        #expect(comparison([1: "a", 2: "b", 3: "c"], [3: "x", 4: "y"]).kinship() == .apart(after: 0))
        #expect(comparison([1: "a", 2: "b"], [1: "a", 3: "y", 4: "z"]).kinship() == .apart(after: 1))
    }

    @Test func whatIsMissingMaySayOtherwise() {
        #expect(comparison([5: "a"], [:], shared: [4], missing: 6).isOpen)
        #expect(comparison([5: "a"], [5: "b"], shared: [4], missing: 6).isOpen)
        // One of both has rewritten it.
        #expect(!comparison([4: "s", 5: "a"], [4: "s", 5: "b"], missing: 3).isOpen)
        // A backup's original waits for nobody.
        #expect(!comparison([:], [5: "a"], isLater: true, shared: [4], missing: 6).isOpen)
        #expect(!comparison([5: "a"], [5: "b"], shared: [4]).isOpen)
    }
}
