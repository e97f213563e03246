import DriveCore
import Testing

struct UndoPlanTests {
    private static let a = ContentHasher.hash(of: Array("a".utf8))
    private static let b = ContentHasher.hash(of: Array("b".utf8))

    private func event(
        _ kind: DriveEvent.Kind, _ path: DrivePath, from: DrivePath? = nil, before: ContentHash? = nil,
        after: ContentHash? = nil
    ) -> DriveEvent {
        DriveEvent(time: 1, kind: kind, path: path, from: from, before: before, after: after)
    }

    /// Events as they happened.
    private func plan(_ events: [DriveEvent], _ now: [DrivePath: UndoPlan.Standing]) -> UndoPlan {
        UndoPlan(events.reversed()) { now[$0] ?? .nothing }
    }

    @Test func whatIsAsItWasLeftIsReversed() {
        let events = [
            event(.added, "new", after: Self.a), event(.edited, "old", before: Self.a, after: Self.b),
            event(.trashed, "gone", before: Self.b),
            event(.moved, "there", from: "here", before: Self.a, after: Self.a),
        ]
        let plan = plan(events, ["new": .content(Self.a), "old": .content(Self.b), "there": .content(Self.a)])
        #expect(
            plan.deeds == [
                .move("there", to: "here"), .putBack(Self.b, at: "gone", replacing: nil),
                .putBack(Self.a, at: "old", replacing: Self.b), .takeAway("new", Self.a),
            ])
        #expect(plan.obstacles.isEmpty)
    }

    @Test func whatHasChangedSinceStays() {
        let events = [
            event(.added, "new", after: Self.a), event(.edited, "old", before: Self.a, after: Self.b),
            event(.deleted, "gone", before: Self.b),
            event(.moved, "there", from: "here", before: Self.a, after: Self.a),
        ]
        let other = UndoPlan.Standing.content(ContentHasher.hash(of: [1]))
        let plan = plan(
            events, ["new": other, "old": .nothing, "gone": other, "there": .content(Self.a), "here": .folder])
        #expect(plan.deeds.isEmpty)
        #expect(plan.obstacles.map(\.path) == ["here", "gone", "old", "new"])
        #expect(plan.obstacles.map(\.reason) == [.placeTaken, .placeTaken, .gone, .changedSince])
    }

    @Test func whatIsReversedAlreadyIsLeftInSilence() {
        let events = [
            event(.added, "new", after: Self.a), event(.edited, "old", before: Self.a, after: Self.b),
            event(.deleted, "gone", before: Self.b), event(.deleted, "folder"),
        ]
        let plan = plan(events, ["old": .content(Self.a), "gone": .content(Self.b), "folder": .folder])
        #expect(plan.deeds.isEmpty)
        #expect(plan.obstacles.isEmpty)
    }

    @Test func laterChangesOfOneFileAreReversedFirst() {
        let events = [
            event(.added, "f", after: Self.a), event(.edited, "f", before: Self.a, after: Self.b),
            event(.moved, "g", from: "f", before: Self.b, after: Self.b), event(.deleted, "g", before: Self.b),
        ]
        let plan = plan(events, [:])
        #expect(
            plan.deeds == [
                .putBack(Self.b, at: "g", replacing: nil), .move("g", to: "f"),
                .putBack(Self.a, at: "f", replacing: Self.b), .takeAway("f", Self.a),
            ])
    }

    @Test func whatIsInAMovedFolderIsFoundWhereItWillBe() {
        let events = [
            event(.edited, "d/f", before: Self.a, after: Self.b), event(.moved, "e", from: "d"),
        ]
        let plan = plan(events, ["e": .folder, "e/f": .content(Self.b)])
        #expect(plan.deeds == [.move("e", to: "d"), .putBack(Self.a, at: "d/f", replacing: Self.b)])
    }

    @Test func foldersGoAndComeWithWhatIsInThem() {
        let made = plan(
            [event(.added, "d"), event(.added, "d/f", after: Self.a)], ["d": .folder, "d/f": .content(Self.a)])
        #expect(made.deeds == [.takeAway("d/f", Self.a), .removeFolder("d")])
        let deleted = plan([event(.deleted, "d/f", before: Self.a), event(.deleted, "d")], [:])
        #expect(deleted.deeds == [.makeFolder("d"), .putBack(Self.a, at: "d/f", replacing: nil)])
    }

    @Test func attributesOfBeforeComeBackWhereTheContentIsTheSame() {
        var tagged = event(.attributes, "f", before: Self.a, after: Self.a)
        tagged.attributes = Attributes(isExecutable: true)
        #expect(
            plan([tagged], ["f": .content(Self.a)]).deeds == [.setAttributes(Attributes(isExecutable: true), of: "f")])
        #expect(plan([tagged], ["f": .content(Self.b)]).obstacles.map(\.reason) == [.changedSince])
    }
}
