import DriveCore
import DriveTesting
import Testing

@Suite("Join")
struct JoinTests {
    @Test("Commutative, associative and idempotent on reachable states", arguments: 0..<60)
    func laws(seed: Int) {
        var writers = ViewWriters(seed: UInt64(seed))
        for _ in 0..<150 { writers.step() }
        let byItem = Dictionary(grouping: writers.reached, by: \.id)
        for states in byItem.values.sorted(by: { $0[0].id < $1[0].id }) {
            for _ in 0..<20 {
                let a = writers.random.choice(states)
                let b = writers.random.choice(states)
                let c = writers.random.choice(states)
                #expect(a.joined(a) == a)
                #expect(a.joined(b) == b.joined(a))
                #expect(a.joined(b).joined(c) == a.joined(b.joined(c)))
                #expect(a.joined(b).joined(b) == a.joined(b))
                #expect(a.joined(b).context.covers(a.context))
            }
        }
    }

    @Test func whatJournalsClaimLessOfThanWasJoinedIsMissingUntilItIsOffered() {
        let devices = (1...4).map { DeviceID(high: 0, low: $0) }
        func vector(_ numbers: UInt64...) -> DeviceVector {
            zip(devices, numbers).reduce(into: DeviceVector()) { $0[$1.0] = $1.1 }
        }
        let joined = vector(5, 5, 5)
        #expect(joined.missing(in: vector(5, 6, 5, 9)).entries.isEmpty)
        #expect(joined.missing(in: vector(5, 4, 0, 9)) == vector(0, 5, 5))
        #expect(joined.missing(in: vector(5, 4, 0), offered: vector(0, 5, 3)) == vector(0, 0, 5))
        #expect(joined.missing(in: vector(4, 4, 4), offered: vector(6, 5, 5)).entries.isEmpty)
    }

    @Test("Any order, repetition and detour over joined states ends in the same state", arguments: 0..<40)
    func everyOrderEndsTheSame(seed: Int) {
        var writers = ViewWriters(seed: UInt64(seed) + 1000)
        for _ in 0..<120 { writers.step() }
        let expected = Set(writers.records.joined)
        for _ in 0..<5 {
            var order = (writers.records + writers.reached).shuffled(using: &writers.random)
            order += order.prefix(30)
            #expect(Set(order.joined) == expected)
        }
    }

    private let a = DeviceID(high: 1, low: 0)
    private let b = DeviceID(high: 2, low: 0)

    private func file(_ device: DeviceID, _ n: UInt64, heads: [Head], context: DeviceVector) -> ItemState {
        let tag = Tag(time: HybridTime(milliseconds: n), dot: Dot(device: device, n: n))
        return ItemState(
            id: ItemID(high: 1, low: 1), kind: .file, context: context, name: Register(tag: tag, value: "f"),
            placement: Register(tag: tag, value: Placement(parent: .root, from: .root)), heads: heads,
            life: [LifeDot(dot: Dot(device: a, n: 1))])
    }

    private func head(_ device: DeviceID, _ n: UInt64, mark: Mark = .none) -> Head {
        Head(
            dot: Dot(device: device, n: n), time: HybridTime(milliseconds: n),
            content: Content(
                hash: ContentHash(words: (n, 0, 0, 0)), size: 1, modified: FileTime(seconds: 0), body: .inline([])),
            mark: mark)
    }

    @Test func concurrentEditsStandSideBySide() {
        var both = DeviceVector(a, 1)
        both[b] = 1
        let one = file(a, 2, heads: [head(a, 2)], context: DeviceVector(a, 2))
        let two = file(b, 1, heads: [head(b, 1)], context: both)
        #expect(one.joined(two).heads.map(\.dot) == [Dot(device: a, n: 2), Dot(device: b, n: 1)])
    }

    @Test func replacedHeadDoesNotComeBack() {
        var after = DeviceVector(a, 1)
        after[b] = 1
        let old = file(a, 1, heads: [head(a, 1)], context: DeviceVector(a, 1))
        let new = file(b, 1, heads: [head(b, 1)], context: after)
        #expect(new.joined(old).heads == [head(b, 1)])
    }

    @Test func marksOfBothSidesAreKept() {
        let folder = ItemID(high: 9, low: 9)
        let one = file(a, 1, heads: [head(a, 1, mark: .bySelf)], context: DeviceVector(a, 1))
        let two = file(a, 1, heads: [head(a, 1, mark: Mark(folders: [folder]))], context: DeviceVector(a, 1))
        #expect(one.joined(two).heads[0].mark == Mark(bySelf: true, folders: [folder]))
    }

    @Test func whoStoredAContentAgainLastSaysWhereItIs() {
        func stored(_ device: DeviceID, at milliseconds: UInt64, in object: ObjectKey) -> ItemState {
            var head = head(a, 1)
            let chunk = ChunkReference(
                id: head.content.hash, length: 1, object: object, offset: 0, storedLength: 1, encoding: .raw)
            head.content.body = .chunks([chunk])
            let tag = Tag(time: HybridTime(milliseconds: milliseconds), dot: Dot(device: device, n: 7))
            head.content.storedAgain = milliseconds == 0 ? nil : tag
            return file(a, 1, heads: [head], context: DeviceVector(a, 1))
        }
        let first = stored(a, at: 0, in: "pack/lost")
        let second = stored(a, at: 5, in: "pack/second")
        let third = stored(b, at: 6, in: "pack/third")
        for (one, two) in [(first, third), (third, first), (second, third), (third, second)] {
            #expect(one.joined(two).heads == third.heads)
        }
        #expect(first.joined(second).heads == second.heads)
    }

    @Test func eachRegisterTakesItsOwnGreaterTag() {
        var one = file(a, 5, heads: [], context: DeviceVector(a, 5))
        var two = file(a, 5, heads: [], context: DeviceVector(a, 5))
        let late = Tag(time: HybridTime(milliseconds: 9), dot: Dot(device: b, n: 1))
        one.name = Register(tag: late, value: "renamed")
        two.placement = Register(tag: late, value: Placement(parent: ItemID(high: 3, low: 3), from: .root))
        let joined = one.joined(two)
        #expect(joined.name.value == "renamed")
        #expect(joined.parent == ItemID(high: 3, low: 3))
    }
}

extension DeviceVector {
    fileprivate func covers(_ other: DeviceVector) -> Bool { other.entries.allSatisfy { self[$0.device] >= $0.n } }
}
