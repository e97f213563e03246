import DriveCore
import Testing

struct UndoPlanTests {
    private static let a = ContentHasher.hash(of: Array("a".utf8))
    /// Nobody has it any more.
    private static let lost = ContentHasher.hash(of: Array("lost".utf8))
    private static let b = ContentHasher.hash(of: Array("b".utf8))

    private func event(
        _ kind: DriveEvent.Kind, _ path: DrivePath, from: DrivePath? = nil, before: ContentHash? = nil,
        after: ContentHash? = nil
    ) -> DriveEvent {
        DriveEvent(time: 1, kind: kind, path: path, from: from, before: before, after: after)
    }

    private struct Ground: UndoGround {
        var now: [DrivePath: UndoPlan.Standing]
        var moved: [DrivePath: DrivePath] = [:]

        func standing(_ path: DrivePath) -> UndoPlan.Standing { now[path] ?? .nothing }

        func names(in folder: DrivePath) -> [FileName] {
            now.keys.filter { !$0.isRoot && $0.parent == folder }.compactMap(\.name)
        }

        func place(since event: DriveEvent) -> DrivePath? { moved[event.path] }

        func mayHave(_ content: ContentHash) -> Bool { content != UndoPlanTests.lost }
    }

    /// Events as they happened.
    private func plan(
        _ events: [DriveEvent], _ now: [DrivePath: UndoPlan.Standing], moved: [DrivePath: DrivePath] = [:]
    ) throws -> UndoPlan {
        try UndoPlan(events.reversed(), Ground(now: now, moved: moved))
    }

    @Test func whatIsAsItWasLeftIsReversed() throws {
        let events = [
            event(.added, "new", after: Self.a), event(.edited, "old", before: Self.a, after: Self.b),
            event(.trashed, "gone", before: Self.b),
            event(.moved, "there", from: "here", before: Self.a, after: Self.a),
        ]
        let plan = try plan(events, ["new": .content(Self.a), "old": .content(Self.b), "there": .content(Self.a)])
        #expect(
            plan.deeds == [
                .move("there", to: "here"), .putBack(Self.b, at: "gone", replacing: nil),
                .putBack(Self.a, at: "old", replacing: Self.b), .takeAway("new", Self.a),
            ])
        #expect(plan.obstacles.isEmpty)
    }

    @Test func whatHasChangedSinceStays() throws {
        let events = [
            event(.added, "new", after: Self.a), event(.edited, "old", before: Self.a, after: Self.b),
            event(.deleted, "gone", before: Self.b),
            event(.moved, "there", from: "here", before: Self.a, after: Self.a),
        ]
        let other = UndoPlan.Standing.content(ContentHasher.hash(of: [1]))
        let plan = try plan(
            events, ["new": other, "old": .nothing, "gone": other, "there": .content(Self.a), "here": .folder])
        #expect(plan.deeds.isEmpty)
        #expect(plan.obstacles.map(\.path) == ["here", "gone", "old", "new"])
        #expect(plan.obstacles.map(\.reason) == [.placeTaken, .placeTaken, .gone, .changedSince])
    }

    @Test func whatIsReversedAlreadyIsLeftInSilence() throws {
        let events = [
            event(.added, "new", after: Self.a), event(.edited, "old", before: Self.a, after: Self.b),
            event(.deleted, "gone", before: Self.b), event(.deleted, "folder"),
        ]
        let plan = try plan(events, ["old": .content(Self.a), "gone": .content(Self.b), "folder": .folder])
        #expect(plan.deeds.isEmpty)
        #expect(plan.obstacles.isEmpty)
    }

    @Test func laterChangesOfOneFileAreReversedFirst() throws {
        let events = [
            event(.added, "f", after: Self.a), event(.edited, "f", before: Self.a, after: Self.b),
            event(.moved, "g", from: "f", before: Self.b, after: Self.b), event(.deleted, "g", before: Self.b),
        ]
        let plan = try plan(events, [:])
        #expect(
            plan.deeds == [
                .putBack(Self.b, at: "g", replacing: nil), .move("g", to: "f"),
                .putBack(Self.a, at: "f", replacing: Self.b), .takeAway("f", Self.a),
            ])
    }

    @Test func whatIsInAMovedFolderIsFoundWhereItWillBe() throws {
        let events = [
            event(.edited, "d/f", before: Self.a, after: Self.b), event(.moved, "e", from: "d"),
        ]
        let plan = try plan(events, ["e": .folder, "e/f": .content(Self.b)])
        #expect(plan.deeds == [.move("e", to: "d"), .putBack(Self.a, at: "d/f", replacing: Self.b)])
    }

    @Test func foldersGoAndComeWithWhatIsInThem() throws {
        let made = try plan(
            [event(.added, "d"), event(.added, "d/f", after: Self.a)], ["d": .folder, "d/f": .content(Self.a)])
        #expect(made.deeds == [.takeAway("d/f", Self.a), .removeFolder("d")])
        let deleted = try plan([event(.deleted, "d/f", before: Self.a), event(.deleted, "d")], [:])
        #expect(deleted.deeds == [.makeFolder("d"), .putBack(Self.a, at: "d/f", replacing: nil)])
    }

    @Test func attributesOfBeforeComeBackWhereTheContentIsTheSame() throws {
        var tagged = event(.attributes, "f", before: Self.a, after: Self.a)
        tagged.attributes = Attributes(isExecutable: true)
        #expect(
            try plan([tagged], ["f": .content(Self.a)]).deeds == [
                .setAttributes(Attributes(isExecutable: true), of: "f")
            ])
        #expect(try plan([tagged], ["f": .content(Self.b)]).obstacles.map(\.reason) == [.changedSince])
    }

    @Test func whatWasPlannedInAFolderMovesWithIt() throws {
        let events = [
            event(.added, "d"), event(.added, "d/f", after: Self.a), event(.moved, "e", from: "d"),
            event(.edited, "e/f", before: Self.a, after: Self.b), event(.moved, "d", from: "e"),
        ]
        let plan = try plan(events, ["d": .folder, "d/f": .content(Self.b)])
        #expect(
            plan.deeds == [
                .move("d", to: "e"), .putBack(Self.a, at: "e/f", replacing: Self.b), .move("e", to: "d"),
                .takeAway("d/f", Self.a), .removeFolder("d"),
            ])
        #expect(plan.obstacles.isEmpty)
    }

    @Test func whatHasAnotherNameSinceIsNamed() throws {
        let events = [event(.added, "new", after: Self.a), event(.edited, "old", before: Self.a, after: Self.b)]
        let moved: [DrivePath: DrivePath] = ["new": "newer", "old": "older"]
        let now: [DrivePath: UndoPlan.Standing] = ["newer": .content(Self.a), "older": .content(Self.b)]
        let plan = try plan(events, now, moved: moved)
        #expect(plan.deeds.isEmpty)
        #expect(plan.obstacles.map(\.reason) == [.movedSince, .movedSince])
        #expect(plan.obstacles.map(\.place) == ["older", "newer"])
        #expect(try self.plan(events, [:], moved: moved).obstacles.map(\.reason) == [.gone])
    }

    @Test func aFolderWithSomethingElseInItStays() throws {
        let events = [event(.added, "d"), event(.added, "d/f", after: Self.a)]
        let plan = try plan(events, ["d": .folder, "d/f": .content(Self.a), "d/mine": .content(Self.b)])
        #expect(plan.deeds == [.takeAway("d/f", Self.a)])
        #expect(plan.obstacles == [UndoPlan.Obstacle(path: "d", reason: .notEmpty)])
    }

    @Test func thatBothWereKeptIsNotReversed() throws {
        let plan = try plan([event(.resolved, "f", before: Self.a, after: Self.a)], ["f": .content(Self.a)])
        #expect(plan.deeds.isEmpty)
        #expect(plan.obstacles.map(\.reason) == [.onlyKept])
    }

    @Test func whatNobodyHasIsNotPromised() throws {
        let events = [
            event(.edited, "f", before: Self.lost, after: Self.a), event(.deleted, "g", before: Self.lost),
            event(.moved, "i", from: "h", before: Self.lost, after: Self.a),
        ]
        let plan = try plan(events, ["f": .content(Self.a), "i": .content(Self.a)])
        #expect(plan.deeds == [.move("i", to: "h")])
        #expect(plan.obstacles.map(\.path) == ["h", "g", "f"])
        #expect(plan.obstacles.allSatisfy { $0.reason == .notKept })
    }

    @Test func laterMovesAreFollowed() {
        func moved(_ from: DrivePath, _ to: DrivePath, _ operation: UInt64) -> DriveEvent {
            var event = event(.moved, to, from: from)
            event.operation = DriveOperation(id: operation, kind: .local, time: 1)
            return event
        }
        let moves = LaterMoves(
            [moved("d", "e", 1), moved("d/f", "d/g", 2), moved("d", "h", 3), moved("x", "d/f", 4)].reversed())
        #expect(moves.place(of: "d/f", after: 1) == "h/g")
        #expect(moves.place(of: "d/f", after: 2) == "h/f")
        #expect(moves.place(of: "d/f", after: 3) == nil)
        #expect(moves.place(of: "x", after: 1) == "d/f")
    }

    @Test func anUndoThatIsUndoneUndoesNothing() {
        let operations = [
            DriveOperation(id: 4, kind: .undo, time: 1, undoes: 3),
            DriveOperation(id: 3, kind: .undo, time: 1, undoes: 1),
            DriveOperation(id: 2, kind: .undo, time: 1, undoes: 1), DriveOperation(id: 1, kind: .sync, time: 1),
        ]
        #expect(operations.undone == [3: 4, 1: 2])
        #expect(Array(operations.dropFirst()).undone == [1: 3])
    }
}
