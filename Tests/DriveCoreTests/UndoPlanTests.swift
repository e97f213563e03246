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
        var attributes: [DrivePath: Attributes] = [:]
        var left: [DriveEvent: Attributes] = [:]

        func standing(_ path: DrivePath) -> UndoPlan.Standing { now[path] ?? .nothing }

        func names(in folder: DrivePath) -> [FileName] {
            now.keys.filter { !$0.isRoot && $0.parent == folder }.compactMap(\.name)
        }

        func place(since event: DriveEvent) -> DrivePath? { moved[event.path] }

        func attributes(of path: DrivePath) -> Attributes? { attributes[path] }

        func attributes(leftBy event: DriveEvent) -> Attributes? { left[event] }

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

    @Test func aFileComesOutOfANewFolderOfItsName() throws {
        let events = [
            event(.moved, "f/f", from: "f", before: Self.a, after: Self.a), event(.added, "f"),
        ]
        for events in [events, events.reversed()] {
            let plan = try plan(events, ["f": .folder, "f/f": .content(Self.a)])
            #expect(plan.deeds == [.moveNested("f/f", to: "f")])
            #expect(plan.obstacles.isEmpty)
        }
        // Somebody has put something else into it.
        let kept = try plan(events, ["f": .folder, "f/f": .content(Self.a), "f/g": .content(Self.b)])
        #expect(kept.deeds.isEmpty)
        #expect(Set(kept.obstacles.map(\.reason)) == [.placeTaken, .notEmpty])
        // It was there before.
        let old = try plan([events[0]], ["f": .folder, "f/f": .content(Self.a)])
        #expect(old.deeds.isEmpty)
        let back = try plan(
            [event(.deleted, "f"), event(.moved, "f", from: "f/f", before: Self.a, after: Self.a)],
            ["f": .content(Self.a)])
        #expect(back.deeds == [.moveNested("f", to: "f/f")])
        #expect(back.obstacles.isEmpty)
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

    /// Nobody knows what has become of it.
    @Test func whatCannotBeLookedAtStays() throws {
        let events = [
            event(.edited, "d/f", before: Self.a, after: Self.b), event(.deleted, "d/g", before: Self.b),
            event(.moved, "there", from: "d/e", before: Self.a, after: Self.a),
            event(.moved, "d/new", from: "old", before: Self.a, after: Self.a), event(.deleted, "z", before: Self.b),
        ]
        var now: [DrivePath: UndoPlan.Standing] = ["there": .content(Self.a), "d": .folder]
        for path: DrivePath in ["d/f", "d/g", "d/e", "d/new"] { now[path] = .unseen }
        let plan = try plan(events, now)
        #expect(plan.deeds == [.putBack(Self.b, at: "z", replacing: nil)])
        #expect(Set(plan.obstacles.map(\.path)) == ["d/f", "d/g", "d/e", "d/new"])
        #expect(Set(plan.obstacles.map(\.reason)) == [.unseen])
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

    /// Two changed different things of a file, and a third one the same thing once more.
    @Test func ofAttributesOnlyWhatStillIsAsItWasLeftIsReversed() throws {
        let plain = Attributes(modified: FileTime(seconds: 1))
        var (executable, both, other) = (plain, plain, plain)
        executable.isExecutable = true
        both.isExecutable = true
        both.extended[.tags] = [1]
        other.isExecutable = true
        other.extended[.tags] = [2]
        func attributed(_ before: Attributes) -> DriveEvent {
            var event = event(.attributes, "f", before: Self.a, after: Self.a)
            event.attributes = before
            return event
        }
        func plan(_ events: [DriveEvent], now: Attributes, left: [DriveEvent: Attributes]) throws -> UndoPlan {
            try UndoPlan(
                events, Ground(now: ["f": .content(Self.a)], attributes: ["f": now], left: left))
        }
        let (first, second) = (attributed(plain), attributed(executable))
        let bit = try plan([first], now: both, left: [first: executable])
        var tagged = both
        tagged.isExecutable = false
        #expect(bit.deeds == [.setAttributes(tagged, of: "f")] && bit.obstacles.isEmpty)
        var plainWithTags = both
        plainWithTags.isExecutable = false
        let kept = try plan([second], now: plainWithTags, left: [second: both])
        #expect(kept.deeds == [.setAttributes(plain, of: "f")] && kept.obstacles.isEmpty)
        let tags = try plan([second], now: other, left: [second: both])
        #expect(tags.deeds.isEmpty && tags.obstacles.map(\.reason) == [.changedSince])
        let done = try plan([first], now: plain, left: [first: executable])
        #expect(done.isEmpty)
        let all = try plan([second, first], now: both, left: [first: executable, second: both])
        #expect(all.deeds == [.setAttributes(executable, of: "f"), .setAttributes(plain, of: "f")])
    }

    /// What has the name now is not what had it then.
    @Test func attributesAreThoseOfWhatComesBackToTheName() throws {
        var tagged = event(.attributes, "f", before: Self.a, after: Self.a)
        tagged.attributes = Attributes(modified: FileTime(seconds: 1))
        let left = Attributes(isExecutable: true, modified: FileTime(seconds: 1))
        let other = Attributes(modified: FileTime(seconds: 2), extended: [.tags: [7]])
        var swap = [
            event(.moved, "g", from: "f", before: Self.a, after: Self.a),
            event(.moved, "f", from: "g", before: Self.b, after: Self.b),
        ]
        for place in swap.indices { swap[place].operation = DriveOperation(id: 2, kind: .local, time: 1) }
        tagged.operation = DriveOperation(id: 1, kind: .local, time: 1)
        let ground = Ground(
            now: ["g": .content(Self.a), "f": .content(Self.b)], attributes: ["f": other], left: [tagged: left])
        let plan = try UndoPlan(swap + [tagged], ground)
        #expect(plan.deeds.last == .setAttributes(Attributes(modified: FileTime(seconds: 1)), of: "f"), "\(plan.deeds)")
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

    private func moved(
        _ from: DrivePath, _ to: DrivePath, _ content: ContentHash? = nil, _ operation: UInt64 = 1,
        _ kind: DriveOperation.Kind = .local
    ) -> DriveEvent {
        var event = event(.moved, to, from: from, before: content, after: content)
        event.operation = DriveOperation(id: operation, kind: kind, time: 1)
        return event
    }

    /// The log tells of a row of renames in either order.
    @Test(arguments: [false, true]) func aRowOfRenamesIsReversedFromItsEnd(_ isReversed: Bool) throws {
        let events = [moved("1", "2", Self.a), moved("2", "3", Self.b), moved("3", "4", Self.lost)]
        let plan = try plan(
            isReversed ? events.reversed() : events,
            ["2": .content(Self.a), "3": .content(Self.b), "4": .content(Self.lost)])
        #expect(plan.deeds == [.move("2", to: "1"), .move("3", to: "2"), .move("4", to: "3")])
        #expect(plan.obstacles.isEmpty)
    }

    @Test func whatHasChangedPlacesDoesSoAgain() throws {
        let events = [
            moved("3", "1", Self.lost), moved("1", "2", Self.a), moved("2", "3", Self.b), moved("y", "x"),
            moved("x", "y"),
        ]
        let now: [DrivePath: UndoPlan.Standing] = [
            "1": .content(Self.lost), "2": .content(Self.a), "3": .content(Self.b), "x": .folder, "y": .folder,
        ]
        #expect(try plan(events, now).deeds == [.rotate(["y", "x"]), .rotate(["3", "2", "1"])])
        // One of them was saved since.
        var later = now
        later["2"] = .content(ContentHasher.hash(of: [1]))
        let part = try plan(events, later)
        #expect(part.deeds == [.rotate(["y", "x"])])
        #expect(Set(part.obstacles.map(\.reason)) == [.placeTaken, .changedSince])
        #expect(part.obstacles.count == 3)
    }

    /// The log has them where the device came to them: between the moves.
    @Test func whatWasDoneToWhatChangedPlacesIsReversedFirst() throws {
        var tagged = event(.attributes, "1", before: Self.b, after: Self.b)
        tagged.attributes = Attributes(isExecutable: true)
        tagged.operation = DriveOperation(id: 1, kind: .local, time: 1)
        let plan = try plan(
            [moved("2", "1", Self.b), tagged, moved("1", "2", Self.a)], ["1": .content(Self.b), "2": .content(Self.a)])
        #expect(plan.deeds == [.setAttributes(Attributes(isExecutable: true), of: "1"), .rotate(["2", "1"])])
        #expect(plan.obstacles.isEmpty)
    }

    /// It lies where the folder is now, and not where that was.
    @Test func whatCameIntoAFolderOfARowOfRenamesGoesFirst() throws {
        let events = [moved("2", "3"), moved("1", "2"), event(.added, "2/new", after: Self.a)].map { event in
            var event = event
            event.operation = DriveOperation(id: 1, kind: .sync, time: 1)
            return event
        }
        for order in [[1, 2, 0], [0, 1, 2]] {
            let plan = try plan(
                order.map { events[$0] }, ["2": .folder, "3": .folder, "2/new": .content(Self.a)])
            #expect(plan.deeds == [.takeAway("2/new", Self.a), .move("2", to: "1"), .move("3", to: "2")])
            #expect(plan.obstacles.isEmpty)
        }
    }

    /// As a receiving device logs it: what is new came first, or last.
    @Test func aNameThatTheSameUndoFreesIsFree() throws {
        let events = [
            moved("Report", "Report-old"), event(.added, "Report"), event(.added, "Report/new", after: Self.a),
        ].map { event in
            var event = event
            event.operation = DriveOperation(id: 1, kind: .local, time: 1)
            return event
        }
        let now: [DrivePath: UndoPlan.Standing] = [
            "Report": .folder, "Report/new": .content(Self.a), "Report-old": .folder,
        ]
        for order in [[0, 1, 2], [1, 2, 0]] {
            let plan = try plan(order.map { events[$0] }, now)
            #expect(
                plan.deeds == [
                    .takeAway("Report/new", Self.a), .removeFolder("Report"), .move("Report-old", to: "Report"),
                ])
            #expect(plan.obstacles.isEmpty)
        }
    }

    /// What was edited in folders that have changed places since is found where it will be.
    @Test func whatIsInFoldersThatChangedPlacesGoesWithThem() throws {
        let events = [
            event(.edited, "x/f", before: Self.a, after: Self.b), moved("y", "x", nil, 2), moved("x", "y", nil, 2),
            event(.edited, "y/f", before: Self.b, after: Self.lost), event(.added, "x/g", after: Self.a),
        ]
        let plan = try plan(
            events, ["x": .folder, "y": .folder, "y/f": .content(Self.lost), "x/g": .content(Self.a)])
        #expect(
            plan.deeds == [
                .takeAway("x/g", Self.a), .putBack(Self.b, at: "y/f", replacing: Self.lost), .rotate(["y", "x"]),
                .putBack(Self.a, at: "x/f", replacing: Self.b),
            ])
        #expect(plan.obstacles.isEmpty)
    }

    /// The last of a row of renames is where its own rename left it, and not where another went that had its new name.
    /// Where a pass put it: the folder was moved while one of the two files waited aside.
    @Test func whatChangedPlacesWithAFileInAFolderThatWasMovedDoesSoAgain() throws {
        let events = [
            event(.moved, "top", from: "d/in/f", before: Self.a, after: Self.a),
            event(.moved, "e/d", from: "d"),
            event(.moved, "e/d/in/f", from: "top", before: Self.b, after: Self.b),
        ]
        let now: [DrivePath: UndoPlan.Standing] = [
            "top": .content(Self.a), "e": .folder, "e/d": .folder, "e/d/in": .folder, "e/d/in/f": .content(Self.b),
        ]
        let plan = try plan(events, now)
        #expect(plan.deeds == [.rotate(["e/d/in/f", "top"]), .move("e/d", to: "d")])
        #expect(plan.obstacles.isEmpty)
    }

    /// Two folders were at one path for the log, of which one waited aside: nothing tells which of them the file came out of.
    @Test func whatCameOutOfOneOfTwoFoldersOfANameStays() throws {
        let events = [moved("q", "d"), moved("d/f", "k", Self.a), moved("d", "q"), event(.added, "new", after: Self.b)]
            .map { event in
                var event = event
                event.operation = DriveOperation(id: 1, kind: .sync, time: 1)
                return event
            }
        let now: [DrivePath: UndoPlan.Standing] = [
            "d": .folder, "q": .folder, "k": .content(Self.a), "new": .content(Self.b),
        ]
        let plan = try plan(events, now)
        #expect(plan.deeds == [.takeAway("new", Self.b), .rotate(["q", "d"])])
        #expect(plan.obstacles == [UndoPlan.Obstacle(path: "k", reason: .placeUnknown)])
    }

    /// The one that waited has its own still; where that came with the operation, nothing tells what was there before.
    @Test func whatTheFolderThatWaitedHasStillCameOutOfTheOther() throws {
        let events = [
            moved("q", "d", nil, 1, .sync), moved("d/f", "k", Self.a, 1, .sync), moved("d", "q", nil, 1, .sync),
        ]
        var now: [DrivePath: UndoPlan.Standing] = ["d": .folder, "q": .folder, "k": .content(Self.a)]
        now["q/f"] = .content(Self.b)
        let whole = try plan(events, now)
        #expect(whole.deeds == [.move("k", to: "d/f"), .rotate(["q", "d"])])
        #expect(whole.obstacles.isEmpty)
        let part = try plan(events + [moved("x", "q/f", Self.b, 1, .sync)], now)
        #expect(part.deeds == [.move("q/f", to: "x"), .rotate(["q", "d"])])
        #expect(part.obstacles == [UndoPlan.Obstacle(path: "k", reason: .placeUnknown)])
        let deep = [
            moved("q", "d", nil, 1, .sync), moved("d/in/f", "k", Self.a, 1, .sync), moved("d", "q", nil, 1, .sync),
            moved("x", "q/in", nil, 1, .sync),
        ]
        let within: [DrivePath: UndoPlan.Standing] = [
            "d": .folder, "d/in": .folder, "q": .folder, "q/in": .folder, "q/in/f": .content(Self.b),
            "k": .content(Self.a),
        ]
        #expect(try plan(deep, within).obstacles.map(\.reason) == [.placeUnknown])
        now["d/f"] = .content(Self.lost)
        let stays = try plan(events, now)
        #expect(stays.obstacles == [UndoPlan.Obstacle(path: "k", reason: .placeUnknown)])
    }

    /// `swap p q/t; swap p/1 q/1`, as a pass brings it.
    @Test func whatChangedPlacesInFoldersThatDidSoTooDoesSoAgain() throws {
        let events = [
            moved("q/t", "p", nil, 1, .sync), moved("p/1", "q/1", Self.a, 1, .sync), moved("p", "q/t", nil, 1, .sync),
            moved("q/1", "p/1", Self.b, 1, .sync),
        ]
        let now: [DrivePath: UndoPlan.Standing] = [
            "p": .folder, "q": .folder, "q/t": .folder, "q/1": .content(Self.a), "p/1": .content(Self.b),
            "q/t/1": .content(Self.lost),
        ]
        let plan = try plan(events, now)
        #expect(plan.deeds == [.rotate(["p/1", "q/1"]), .rotate(["q/t", "p"])])
        #expect(plan.obstacles.isEmpty)
    }

    /// Three folders in a round, and files of two of them before the last one was there.
    @Test func whatChangedPlacesInARoundOfFoldersDoesSoAgain() throws {
        let events = [
            moved("r", "q", nil, 1, .sync), moved("p/s", "r", nil, 1, .sync), moved("r/1", "q/1", Self.b, 1, .sync),
            moved("q/1", "r/1", Self.a, 1, .sync), moved("q", "p/s", nil, 1, .sync),
        ]
        let now: [DrivePath: UndoPlan.Standing] = [
            "p": .folder, "q": .folder, "r": .folder, "p/s": .folder, "q/1": .content(Self.b), "r/1": .content(Self.a),
            "p/s/1": .content(Self.lost),
        ]
        let plan = try plan(events, now)
        #expect(plan.deeds == [.rotate(["r/1", "q/1"]), .rotate(["p/s", "q", "r"])])
        #expect(plan.obstacles.isEmpty)
    }

    /// A plan that would put something elsewhere than where it was moves nothing; the rest is reversed.
    @Test func whatWouldComeElsewhereIsNotMoved() throws {
        let events = [
            moved("e/x", "d"), moved("d/in", "q"), moved("q/l", "q/i", Self.b), moved("d", "e/x"),
            moved("q/i", "e/x/f", Self.a), moved("q", "e/x/in"), moved("e/x/f", "e/x/in/l", Self.lost),
            event(.edited, "x", before: Self.a, after: Self.b),
        ].map { event in
            var event = event
            event.operation = DriveOperation(id: 1, kind: .sync, time: 1)
            return event
        }
        var now: [DrivePath: UndoPlan.Standing] = ["x": .content(Self.b), "q/i": .content(Self.b)]
        for folder in ["d", "q", "e", "e/x", "e/x/in"] as [DrivePath] { now[folder] = .folder }
        now["e/x/f"] = .content(Self.a)
        now["e/x/in/l"] = .content(Self.lost)
        let plan = try plan(events, now)
        #expect(plan.deeds == [.putBack(Self.a, at: "x", replacing: Self.b)])
        #expect(plan.obstacles.allSatisfy { $0.reason == .placeUnknown } && plan.obstacles.count == 7)
    }

    /// An undo that was cut off had brought the file back: its folder follows.
    @Test func whatIsBackIsInNothingsWay() throws {
        let events = [moved("p", "q"), moved("q/f", "q/g", Self.a)]
        let now: [DrivePath: UndoPlan.Standing] = ["q": .folder, "q/f": .content(Self.a)]
        let plan = try plan(events, now, moved: ["q/g": "q/f"])
        #expect(plan.deeds == [.move("q", to: "p")])
        #expect(plan.obstacles.isEmpty)
    }

    /// `mv d m4; swap m4 e/x; swap m4 e`: the one that was in the other holds its name.
    @Test func aFolderDoesNotComeBackIntoItself() throws {
        let events = [moved("e/x", "e"), moved("e", "m4"), moved("d", "m4/x")]
        let now: [DrivePath: UndoPlan.Standing] = ["e": .folder, "m4": .folder, "m4/x": .folder]
        let plan = try plan(events, now)
        #expect(plan.deeds == [.move("m4/x", to: "d"), .move("e", to: "m4/x"), .move("m4", to: "e")])
        #expect(plan.obstacles.isEmpty)
    }

    @Test func foldersTakeAlongWhatTheLogNamesInThem() {
        func acted(_ event: DriveEvent, _ kind: DriveOperation.Kind = .undo) -> DriveEvent {
            var event = event
            event.operation = DriveOperation(id: 1, kind: kind, time: 1)
            return event
        }
        // Rotated by an act, one after the other in the log.
        let acts = FolderMoves([acted(moved("x", "y")), acted(moved("y", "x"))].reversed())
        #expect(acts.later("x/f", since: 2, 1) == "y/f")
        #expect(acts.later("y/f", since: 2, 1) == "x/f")
        #expect(acts.earlier("x/f", before: -1, 1) == "y/f")
        // One after the other.
        let passes = FolderMoves([acted(moved("d", "e"), .sync), acted(moved("f", "e/d/g"), .sync)].reversed())
        #expect(passes.later("d/a", since: 2, 1) == "e/a")
        #expect(passes.earlier("e/d/g/b", before: -1, 1) == "f/b")
        #expect(passes.later("d/a", since: 2, 2) == "d/a")
    }

    /// One that was made on the way would have the name of the one that comes back.
    @Test func whatComesBackIntoAFolderWaitsForThatFolder() throws {
        let events = [
            event(.moved, "e", from: "d"), event(.moved, "top", from: "d/f", before: Self.a, after: Self.a),
            event(.deleted, "d/g", before: Self.b),
        ]
        let plan = try plan(events, ["top": .content(Self.a), "e": .folder])
        #expect(
            plan.deeds == [.move("e", to: "d"), .putBack(Self.b, at: "d/g", replacing: nil), .move("top", to: "d/f")])
        #expect(plan.obstacles.isEmpty)
        // Somebody has taken the folder along.
        let gone = try self.plan(events, ["top": .content(Self.a), "d2": .folder], moved: ["e": "d2"])
        #expect(gone.deeds == [.putBack(Self.b, at: "d/g", replacing: nil), .move("top", to: "d/f")])
        #expect(gone.obstacles.map(\.reason) == [.movedSince])
    }

    @Test func oneOfManyRenamesIsFollowedByItself() {
        let rows = LaterMoves(
            [
                moved("1", "2", Self.a, 2), moved("2", "3", Self.b, 2), moved("x", "y", nil, 3),
                moved("y", "x", nil, 3),
                moved("p", "q", Self.a, 4, .undo), moved("q", "r", Self.a, 4, .undo), moved("s", "t", nil, 5, .undo),
                moved("t", "u", nil, 5, .undo),
            ].reversed())
        #expect(rows.place(of: "1", after: 1) == "2")
        #expect(rows.place(of: "2", after: 1) == "3")
        #expect(rows.place(of: "x/f", after: 1) == "y/f")
        #expect(rows.place(of: "y/f", after: 1) == "x/f")
        // An undo of several things moves one file twice.
        #expect(rows.place(of: "p", after: 1) == "r")
        #expect(rows.place(of: "s/f", after: 1) == "u/f")
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
