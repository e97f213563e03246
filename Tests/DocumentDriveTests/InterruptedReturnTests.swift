import DriveCore
import DriveTesting
@testable import FileCoordination
import Testing

@testable import DocumentDrive

/// An act that brings something back out of the trash and does not come to its end: nothing looks lost that is back.
struct InterruptedReturnTests {
    private typealias World = DeedWorld

    /// One of its files is in the trash, and a pass has seen it go.
    private static func world() async throws -> (World, entry: TrashEntry) {
        let world = try await World(["f": "text", "stays": "stays"])
        var runner = try DeedRunner(world.parts, reason: .resolved, [.takeAway("f", World.hash("text"))])
        try await world.parts.operations.during(.resolve) { try await runner.run() }
        _ = try await DriveEngine(world.parts).scan()
        world.parts.operations.begin()
        return (world, try #require(world.state.trash().first))
    }

    private static func restart(_ world: World) {
        world.endHooks()
        world.folder.restart()
    }

    /// In the `attempt`th move of it: it has another name where its own is taken.
    private static func killedRestore(
        _ world: World, _ entry: TrashEntry, isAfter: Bool = true, attempt: Int = 1
    ) async throws {
        func kill(in attempt: Int) {
            world.once(.move, entry.name, isAfter: isAfter) {
                if attempt == 1 { world.folder.kill() } else { kill(in: attempt - 1) }
            }
        }
        kill(in: attempt)
        let act = try RestoreActs(world.parts).restore(trashed: [entry.name.description])
        await #expect(throws: DriveError.self) { _ = try await act.run() }
        restart(world)
        #expect(world.state.trash() == [entry])
    }

    private static func events(_ world: World, _ kind: DriveOperation.Kind) -> [DriveEvent] {
        world.state.operations(limit: 99).filter { $0.kind == kind }.flatMap { world.state.events(of: $0.id) }
    }

    /// Under its own name, or under a free one.
    @Test(arguments: [false, true])
    func whatAKilledRestoreBroughtBackIsAnOperation(isTaken: Bool) async throws {
        let (world, entry) = try await Self.world()
        if isTaken {
            #expect(world.folder.create(Array("other".utf8), at: World.place("f")))
            _ = try await DriveEngine(world.parts).scan()
        }
        let path: DrivePath = isTaken ? "f (restored)" : "f"
        try await Self.killedRestore(world, entry, attempt: isTaken ? 2 : 1)
        #expect(try world.texts()[path.description] == "text")
        // The next process.
        _ = try await DriveEngine(world.parts).scan()
        #expect(world.state.trash().isEmpty)
        let events = Self.events(world, .restore)
        #expect(events.map(\.kind) == [.added] && events.map(\.path) == [path])
        #expect(events.map(\.after) == [World.hash("text")])
        // What the scan finds was said before.
        #expect(world.state.events(limit: 1) == events)
        let isUnsure = try AnnouncedTrash.areUnsure(world.state)
        #expect(!isUnsure)
    }

    @Test func aKilledUndoSaysWhatItHasReversed() async throws {
        let (world, entry) = try await Self.world()
        world.once(.move, entry.name, isAfter: true) { world.folder.kill() }
        let deed = Deed.putBack(World.hash("text"), at: "f", replacing: nil)
        var runner = try DeedRunner(world.parts, reason: .undone, [UndoPlan.Step(deed: deed, operation: 300)])
        await #expect(throws: DriveError.self) {
            try await world.parts.operations.during(.undo) { try await runner.run() }
        }
        Self.restart(world)
        try AnnouncedTrash(world.parts).settle()
        #expect(world.state.trash().isEmpty)
        let events = Self.events(world, .undo)
        #expect(events.map(\.path) == ["f"] && events.allSatisfy { $0.operation?.undoes == 300 })
    }

    @Test func whatHasNotLeftTheTrashIsInItsList() async throws {
        let (world, entry) = try await Self.world()
        try await Self.killedRestore(world, entry, isAfter: false)
        try AnnouncedTrash(world.parts).settle()
        #expect(world.state.trash() == [entry])
        #expect(try world.texts(in: .trash) == [entry.name.description: "text"])
        #expect(Self.events(world, .restore).isEmpty)
    }

    /// By a process that is killed while it does so: the one after it finds the same.
    @Test(arguments: [FolderOperation.Kind.list, .makeDurable])
    func whatIsSettledHalfwayIsSettledAgain(until call: FolderOperation.Kind) async throws {
        let (world, entry) = try await Self.world()
        try await Self.killedRestore(world, entry)
        world.once(call) { world.folder.kill() }
        #expect(throws: DriveError.self) { try AnnouncedTrash(world.parts).settle() }
        Self.restart(world)
        #expect(world.state.trash() == [entry])
        try AnnouncedTrash(world.parts).settle()
        try AnnouncedTrash(world.parts).settle()
        #expect(world.state.trash().isEmpty)
        #expect(Self.events(world, .restore).count == 1)
    }

    /// What the next look finds is told by that.
    @Test func whatSomebodyHasMovedSinceIsNotInTheTrash() async throws {
        let (world, entry) = try await Self.world()
        try await Self.killedRestore(world, entry)
        let root = try world.folder.open(.root)
        let outcome = try world.folder.move("f", in: root, to: "g", in: root)
        #expect(outcome == .done)
        _ = try await DriveEngine(world.parts).scan()
        #expect(world.state.trash().isEmpty)
        #expect(Self.events(world, .restore).isEmpty)
        #expect(world.state.events(limit: 1).map(\.path) == ["g"])
    }

    /// The list may be of before, where an index was put back.
    @Test func whatTheTrashHasLostIsSaidToLiveOn() async throws {
        let (world, entry) = try await Self.world()
        _ = try await RestoreActs(world.parts).restore(trashed: [entry.name.description]).run()
        _ = try await DriveEngine(world.parts).scan()
        world.state.addTrash(entry)
        let act = try RestoreActs(world.parts).restore(trashed: [entry.name.description])
        let error = await #expect(throws: DriveError.self) { _ = try await act.run() }
        #expect(error?.message == "the trash has lost this file; f has the same bytes")
    }

    @Test func whatIsToComeBackIsKept() throws {
        let returns = [
            AnnouncedReturn("17-3f0c", to: "d/f", FileIdentity(inode: 7, birth: nil), nil),
            AnnouncedReturn(
                "act-1", to: "g", FileIdentity(inode: .max, birth: FileTime(seconds: -1, nanoseconds: 999_999_999)),
                World.hash("g"), reversed: 3),
        ]
        var known = Announcement([], returns: returns, .restore)
        known.removed = ["17-3f0d"]
        let again = try Announcement(decoding: known.encoded)
        #expect(again.returns == returns && again.removed == ["17-3f0d"] && again.cause == .restore)
        #expect(again.takings.isEmpty && again.leaving == ["17-3f0c", "act-1", "17-3f0d"])
    }
}
