import DriveCore
import Testing

/// What became of what had a path, by the paths that the log tells.
struct PathHistoryTests {
    private func event(
        _ kind: DriveEvent.Kind, _ path: DrivePath, from: DrivePath? = nil, at time: UInt64 = 1, before: UInt64? = nil,
        after: UInt64? = nil
    ) -> DriveEvent {
        DriveEvent(
            time: time, kind: kind, path: path, from: from,
            operation: DriveOperation(id: time, kind: .local, time: time),
            before: before.map { ContentHash(words: ($0, 0, 0, 0)) },
            after: after.map { ContentHash(words: ($0, 0, 0, 0)) })
    }

    private func history(_ events: DriveEvent...) -> PathHistory { PathHistory(events.reversed()) }

    private func isGone(
        _ fate: PathHistory.Fate?, _ event: DriveEvent, _ path: DrivePath, recorded: DrivePath
    ) -> Bool {
        guard case .gone(let departure)? = fate else { return false }
        return (departure.event, departure.path, departure.recorded) == (event, path, recorded)
    }

    @Test func whatWasDeletedBeforeItsFolderWasRenamedIsKnownByBothNames() {
        let deleted = event(.deleted, "d/f", at: 2, before: 1)
        let moved = event(.moved, "e", from: "d", at: 3)
        let log = history(event(.added, "d/f", after: 1), deleted, moved, event(.moved, "g", from: "e", at: 4))
        #expect(isGone(log.fate(of: "d/f"), deleted, "d/f", recorded: "g/f"))
        #expect(log.fate(of: "d/stays") == .moved(event(.moved, "g", from: "e", at: 4), to: "g/stays"))
        #expect(log.fate(of: "g") == nil)
    }

    @Test func whatWasDeletedAfterwardsIsFollowedToThere() {
        let deleted = event(.deleted, "e/f", at: 3, before: 1)
        let log = history(
            event(.added, "d/f", after: 1), event(.moved, "e", from: "d", at: 2), deleted,
            event(.moved, "g", from: "e", at: 4))
        #expect(isGone(log.fate(of: "d/f"), deleted, "e/f", recorded: "g/f"))
        #expect(isGone(log.fate(of: "e/f"), deleted, "e/f", recorded: "g/f"))
    }

    @Test func whatWasDeletedIsFoundByItsContentWhateverCameSince() {
        let deletes = [event(.deleted, "x", at: 2, before: 1), event(.trashed, "x", at: 4, before: 1)]
        let log = history(
            event(.added, "x", after: 1), deletes[0], event(.added, "x", at: 3, after: 1), deletes[1],
            event(.added, "x", at: 5, after: 2), event(.moved, "y", from: "x", at: 6, before: 2, after: 2))
        #expect(log.deletion(of: ContentHash(words: (1, 0, 0, 0)), at: "x") == deletes[1])
        #expect(log.deletion(of: ContentHash(words: (2, 0, 0, 0)), at: "x") == nil)
        #expect(log.deletion(of: ContentHash(words: (1, 0, 0, 0)), at: "y") == nil)
    }

    /// A delete of long ago is no end of what came to the path since.
    @Test func whatCameSinceCounts() {
        let moved = event(.moved, "e", from: "d", at: 4)
        let log = history(event(.deleted, "d/f", at: 2, before: 1), event(.added, "d/f", at: 3, after: 2), moved)
        #expect(log.fate(of: "d/f") == .moved(moved, to: "e/f"))
        #expect(log.fate(of: "d/f", replaced: nil, at: 4) == .moved(moved, to: "e/f"))
    }

    /// A file that is gone is not what was in the folder that has its name now; nor is a folder that was deleted.
    @Test func whatIsBeneathAnotherThingThatWentWasNotThatThing() {
        let wasFile = history(
            event(.added, "h", after: 1), event(.deleted, "h", at: 2, before: 1), event(.added, "h", at: 3),
            event(.added, "h/c", at: 3, after: 2))
        let wasMoved = history(
            event(.added, "h", after: 1), event(.moved, "g", from: "h", at: 2, before: 1, after: 1),
            event(.deleted, "g", at: 3, before: 1))
        let wasFolder = history(
            event(.added, "h"), event(.moved, "g", from: "h", at: 2), event(.deleted, "g", at: 3),
            event(.added, "h", at: 4), event(.added, "h/c", at: 4, after: 2))
        for log in [wasFile, wasMoved, wasFolder] {
            #expect(log.fate(of: "h/c") == nil)
            for path in ["h/c", "h/c@1"] as [DrivePath] { #expect(log.renamedDepartures(in: path).isEmpty) }
        }
        for log in [wasFile, wasMoved] { #expect(log.fate(of: "h/c@1") == nil) }
        // A folder takes along what is in it: whether that was there the log need not know.
        #expect(wasFolder.fate(of: "h/c@1") == .moved(event(.moved, "g", from: "h", at: 2), to: "g/c@1"))
        #expect(wasFolder.mentions("h/c") && !wasFolder.mentions("h/c@1"))
    }

    /// The log has the order of what happened, whatever the clock said then.
    @Test func whatWasReplacedAfterTheClockWasSetBackBelongsToTheFileOfThen() {
        let moved = event(.moved, "q", from: "p", at: 100, before: 1, after: 1)
        let log = history(
            event(.added, "p", at: 90, after: 9), event(.edited, "p", at: 95, before: 9, after: 1), moved,
            event(.added, "p", at: 80, after: 2),
            event(.edited, "p", at: 85, before: 2, after: 3))
        let old = ContentHash(words: (2, 0, 0, 0))
        #expect(log.fate(of: "p", replaced: old, at: 85) == nil)
        #expect(log.fate(of: "p", replaced: ContentHash(words: (9, 0, 0, 0)), at: 95) == .moved(moved, to: "q"))
    }

    @Test func whenAContentWasMadeHereIsToldByTheLatestUpToATime() {
        let one = ContentHash(words: (1, 0, 0, 0))
        var others = event(.edited, "f", at: 50, before: 2, after: 1)
        others.device = "another"
        let log = history(
            event(.added, "f", at: 10, after: 1), event(.edited, "f", at: 20, before: 1, after: 2),
            event(.edited, "f", at: 30, before: 2, after: 1), event(.attributes, "f", at: 35, before: 1, after: 1),
            event(.added, "g", at: 40, after: 1), others)
        let times = [9, 10, 29, 30, 99].map { log.madeHere(one, at: "f", through: $0) }
        #expect(times == [nil, 10, 10, 30, 30])
        #expect(log.madeHere(one, at: "renamed", through: 99) == 40)
    }

    @Test func whatOnlyTookTheNameIsNotFollowed() {
        let to = event(.moved, "f", from: "x", before: 1, after: 1)
        let away = event(.moved, "g", from: "f", before: 2, after: 2)
        #expect(history(to, away).fate(of: "f") == nil)
        #expect(history(to, away).fate(of: "x") == .moved(to, to: "f"))
    }

    /// A folder that got the name brought another file to the path; what was replaced there before was one of the folder that left.
    @Test func whatWasReplacedBeforeItsFolderGotTheNameIsAnotherFiles() {
        let deleted = event(.deleted, "e/f", at: 5, before: 3)
        let replaced = event(.edited, "e/f", at: 4, before: 2, after: 3)
        let both = [event(.moved, "x", from: "e", at: 3), event(.moved, "e", from: "d", at: 3)]
        let before = [
            event(.added, "e/f", after: 7), event(.added, "d/f", after: 2),
            event(.edited, "e/f", at: 2, before: 7, after: 8),
        ]
        for moves in [both, [both[0]], [both[1]]] {
            let log = PathHistory((before + moves + [replaced, deleted]).reversed())
            #expect(log.replacements(at: "e/f", before: deleted) == [replaced])
        }
        // A file of that name, and a folder beside it, are in nobody's way.
        let others = [
            event(.moved, "e", from: "d", at: 3, before: 9, after: 9), event(.moved, "e/g", from: "e/h", at: 3),
            event(.edited, "g", at: 3, before: 1, after: 2),
        ]
        let log = PathHistory((before + others + [replaced, deleted]).reversed())
        #expect(log.replacements(at: "e/f", before: deleted) == [replaced, before[2]])
    }

    @Test func whatIsOnlyToldEndsNothing() {
        let deleted = event(.deleted, "f", at: 2, before: 1)
        #expect(isGone(history(deleted, event(.error, "f", at: 3)).fate(of: "f"), deleted, "f", recorded: "f"))
    }

    @Test func ofAFolderOnlyWhatHasAnotherNameNowIsTold() {
        let (file, folder) = (event(.deleted, "d/f", at: 2, before: 1), event(.deleted, "d/sub", at: 2))
        let later = event(.deleted, "e/late", at: 4, before: 3)
        let log = history(
            event(.added, "d/late", after: 3), file, folder, event(.moved, "e", from: "d", at: 3), later)
        #expect(log.renamedDepartures(in: "d").map(\.path) == ["d/f", "d/sub"])
        #expect(log.renamedDepartures(in: "d/sub").map(\.departure.event) == [folder])
        #expect(log.renamedDepartures(in: "d/late").map(\.departure.event) == [later])
        #expect(log.renamedDepartures(in: "e").isEmpty && log.renamedDepartures(in: .root).isEmpty)
    }
}
