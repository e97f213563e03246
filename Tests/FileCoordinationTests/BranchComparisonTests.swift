import DriveCore
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

    /// Equal records are no proof where they bear no time, as those of deletes.
    @Test func whatOnlyOneUsedANumberForSetsThemApart() {
        var one = comparison([5: "a", 6: "b"], [3: "x", 5: "a", 6: "b"])
        #expect(one.kinship() == .own)
        one.unknown = [3]
        #expect(one.kinship() == .apart(after: 0))
        var other = comparison([3: "x", 5: "a", 6: "b"], [5: "a", 6: "b"])
        #expect(other.kinship() == .own)
        other.needed = [3]
        #expect(other.kinship() == .apart(after: 0))
        // What theirs has not come to yet is no sign.
        other = comparison([3: "x", 5: "a", 6: "b"], [3: "x", 5: "a"])
        other.needed = [6]
        #expect(other.kinship() == .own)
        // Who goes on from the own head has used no number otherwise.
        other = comparison([5: "a"], [6: "b"], isLater: true)
        (other.needed, other.unknown) = ([5], [6])
        #expect(other.kinship() == .later)
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

    private static let device = DeviceID(high: 7, low: 1)
    private static let item = ItemID(high: 1, low: 2)

    /// Made by the first record; renamed by the second where that has a name of its own.
    private func record(_ n: UInt64, _ name: FileName, at time: UInt64 = 1, _ second: FileName? = nil) -> ItemState {
        func tag(_ n: UInt64, _ time: UInt64) -> DriveCore.Tag {
            DriveCore.Tag(time: HybridTime(rawValue: time), dot: Dot(device: Self.device, n: n))
        }
        let named = second.map { Register(tag: tag(n, 9), value: $0) } ?? Register(tag: tag(1, time), value: name)
        return ItemState(
            id: Self.item, kind: .folder, context: DeviceVector(Self.device, n), name: named,
            placement: Register(tag: tag(1, time), value: Placement(parent: .root, from: .root)),
            life: [LifeDot(dot: Dot(device: Self.device, n: 1), mark: .none)])
    }

    /// From both sides alike, or the two would not agree on what each of them is.
    @Test func whatLaterRecordsHaveKeptShowsTheSharedPast() {
        let past = SharedPast(of: Self.device)
        func last(_ one: ItemState, _ other: ItemState) -> [UInt64] {
            [past.last([one], [other]), past.last([other], [one])]
        }
        #expect(last(record(1, "a"), record(2, "a", "b")) == [1, 1])
        #expect(last(record(2, "a", "b"), record(3, "a", "c")) == [1, 1])
        // The same number at another time, or by another device.
        #expect(last(record(1, "a"), record(2, "a", at: 5, "b")) == [0, 0])
        #expect(SharedPast(of: DeviceID(high: 8, low: 1)).last([record(1, "a")], [record(1, "a")]) == 0)
        // The delete of what both had is one of them's alone, and that one has all of the other.
        let compared = BranchComparison(
            published: 1, theirPublished: 2, isLater: false, shared: [1], ours: [1: "a"], theirs: [2: "b"], missing: 0)
        #expect(compared.kinship() == .later)
    }
}
