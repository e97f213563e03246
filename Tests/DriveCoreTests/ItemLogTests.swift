import DriveCore
import Testing

/// What the log tells of one item, whatever it was called.
struct ItemLogTests {
    private func event(
        _ kind: DriveEvent.Kind, _ path: DrivePath, from: DrivePath? = nil, in operation: UInt64 = 1,
        by cause: DriveOperation.Kind = .local, before: UInt64? = nil, after: UInt64? = nil
    ) -> DriveEvent {
        DriveEvent(
            time: operation, kind: kind, path: path, from: from,
            operation: DriveOperation(id: operation, kind: cause, time: operation),
            before: before.map { ContentHash(words: ($0, 0, 0, 0)) },
            after: after.map { ContentHash(words: ($0, 0, 0, 0)) })
    }

    private func renamed(_ from: DrivePath, _ path: DrivePath, in operation: UInt64, _ content: UInt64) -> DriveEvent {
        event(.moved, path, from: from, in: operation, before: content, after: content)
    }

    private func told(_ path: DrivePath, isThere: Bool = true, _ events: [DriveEvent]) -> [DriveEvent] {
        ItemLog(of: path, isThere: isThere, events.reversed()).newestFirst.reversed()
    }

    @Test func aFileThatMovedWithItsFolderIsFollowed() {
        let made = event(.added, "d/f", after: 1)
        let moves = [event(.moved, "e", from: "d", in: 2), event(.moved, "g/e", from: "e", in: 4)]
        let edited = event(.edited, "e/f", in: 3, before: 1, after: 2)
        let log = [event(.added, "d"), made, event(.added, "d/other", after: 9), moves[0], edited, moves[1]]
        #expect(told("g/e/f", log) == [made, moves[0], edited, moves[1]])
        #expect(told("g/e", log) == log)
        // By the name that it had, too, and where it went.
        #expect(told("d/f", isThere: false, log) == [made, moves[0]])
        #expect(told("e/f", isThere: false, log) == [made, moves[0], edited, moves[1]])
        // Something that never was did not go along.
        #expect(told("e/never", isThere: false, log).isEmpty)
        // Of what is there nothing else need be known.
        #expect(told("g/e/old", log) == moves)
    }

    @Test func whatElseHadAnEarlierNameIsNotTold() {
        let own = [event(.added, "x", in: 3, after: 1), renamed("x", "y", in: 4, 1)]
        let earlier = [event(.added, "x", after: 7), event(.deleted, "x", in: 2, before: 7)]
        let later = [event(.added, "x", in: 5, after: 8), event(.edited, "x", in: 6, before: 8, after: 9)]
        #expect(told("y", earlier + own + later) == own)
        // The same where the log does not know any more how it began.
        #expect(told("y", earlier + [own[1]] + later) == [own[1]])
        let left = [event(.added, "x", after: 7), renamed("x", "z", in: 2, 7)]
        #expect(told("y", left + [own[1]]) == [own[1]])
        // At the path itself everything counts.
        #expect(told("x", earlier + own + later) == earlier + own + later)
    }

    @Test func anotherFolderThatHadTheNameIsNotTold() {
        let earlier = [event(.added, "d"), event(.added, "d/f", after: 7), event(.moved, "old", from: "d", in: 2)]
        let own = [event(.added, "d/f", in: 3, after: 1), event(.moved, "e", from: "d", in: 4)]
        let later = [event(.added, "d", in: 5), event(.added, "d/f", in: 5, after: 8)]
        #expect(told("e/f", earlier + [event(.added, "d", in: 3)] + own + later) == own)
        // What came into a folder after that got its name did not come with it.
        let late = event(.added, "e/late", in: 6, after: 3)
        let gone = [event(.added, "d/late", in: 3, after: 4), event(.deleted, "d/late", in: 3, before: 4)]
        #expect(told("e/late", gone + own + [late]) == [late])
    }

    @Test func ofWhatChangedPlacesEachIsFollowedToItsOwn() {
        let (first, second) = (event(.added, "p", after: 1), event(.added, "q", after: 2))
        let round = [renamed("q", "p", in: 2, 2), renamed("p", "q", in: 2, 1)]
        let on = [renamed("p", "far", in: 3, 2), renamed("q", "away", in: 3, 1)]
        let log = [first, second] + round + on
        #expect(told("far", log) == [second, round[0], on[0]])
        #expect(told("away", log) == [first, round[1], on[1]])
        let folders = [
            event(.added, "d/f", after: 1), event(.added, "e/f", after: 2), event(.moved, "d", from: "e", in: 2),
            event(.moved, "e", from: "d", in: 2), event(.moved, "g", from: "d", in: 3),
            event(.moved, "h", from: "e", in: 3),
        ]
        #expect(told("g/f", folders) == [folders[1], folders[2], folders[4]])
        #expect(told("h/f", folders) == [folders[0], folders[3], folders[5]])
    }

    /// Whatever had the path is told of with how it came and went, and of what never had it nothing.
    @Test func whatWasInFoldersThatChangedPlacesIsToldOfWithHowItLeft() {
        let (first, second) = (event(.added, "d/f", after: 1), event(.added, "e/f", after: 2))
        let round = [event(.moved, "d", from: "e", in: 2), event(.moved, "e", from: "d", in: 2)]
        for order in [round, Array(round.reversed())] {
            for path: DrivePath in ["d/f", "e/f"] {
                #expect(told(path, [first, second] + order) == [first, second] + order)
            }
            #expect(told("d/f", [second] + order) == [second, round[0]])
            #expect(told("e/f", [first] + order) == [first, round[1]])
            // Nothing shows that anything came with the folder that did.
            #expect(told("d/f", isThere: false, [first] + order) == [first, round[1]])
        }
        let three = [
            first, second, event(.added, "g/f", after: 3), event(.moved, "d", from: "g", in: 2),
            event(.moved, "e", from: "d", in: 2), event(.moved, "g", from: "e", in: 2),
        ]
        #expect(told("d/f", three) == [three[0], three[2], three[3], three[4]])
    }

    /// Back and forth, it is told once.
    @Test func whatCameBackToItsNameIsTheSame() {
        let moves: [DriveEvent] = (UInt64(2)..<8).map { number in
            let (from, path): (DrivePath, DrivePath) = number % 2 == 0 ? ("d", "e") : ("e", "d")
            return event(.moved, path, from: from, in: number)
        }
        let log = [event(.added, "d/f", after: 1)] + moves
        #expect(told("d/f", log) == log && told("e/f", isThere: false, log) == log)
        let restored = [
            event(.added, "x", after: 1), event(.deleted, "x", in: 2, before: 1),
            event(.added, "x", in: 3, by: .restore, after: 1), renamed("x", "y", in: 4, 1),
        ]
        #expect(told("y", restored) == restored)
    }
}
