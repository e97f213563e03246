import DriveCore
import DriveTesting
@testable import FileCoordination
import Testing

@testable import DocumentDrive

/// An act that does not come to its end: what it had done is an operation, as if that had been all of it.
struct InterruptedActTests {
    private typealias World = DeedWorld

    private static let texts = ["1": "one", "2": "two!", "3": "three"]

    private static func takingAll(_ world: World) throws -> DeedRunner {
        try DeedRunner(
            world.parts, reason: .resolved,
            together: texts.sorted { $0.key < $1.key }.map { [.takeAway(DrivePath($0.key), World.hash($0.value))] })
    }

    private static func fail(_ world: World, _ act: DeedRunner) async {
        var runner = act
        await #expect(throws: DriveError.self) {
            try await world.parts.operations.during(.resolve) { try await runner.run() }
        }
    }

    /// What acts have written down of the files that they took.
    private static func resolved(_ world: World) -> [DriveEvent] {
        world.state.operations(limit: 99).filter { $0.kind == .resolve }.sorted { $0.id < $1.id }
            .flatMap { world.state.events(of: $0.id) }
    }

    @Test func whatAKilledActHadTakenIsAnOperation() async throws {
        let world = try await World(Self.texts)
        let rows = try ["1", "2"].map { try #require(try world.state.row(at: DrivePath($0))).id }
        world.once(.move, "3") { world.folder.kill() }
        try await Self.fail(world, Self.takingAll(world))
        world.endHooks()
        world.folder.restart()
        #expect(Self.resolved(world).isEmpty)
        // The next process. What holds deletes is to let these through, until they are recorded.
        try AnnouncedTrash(world.parts).settle()
        #expect(try HeldDeletes(world.state).confirmed().isSuperset(of: rows))
        _ = try await DriveEngine(world.parts).scan()
        #expect(try HeldDeletes(world.state).confirmed().isEmpty)
        let events = Self.resolved(world)
        #expect(Set(events.map(\.path)) == ["1", "2"] && events.allSatisfy { $0.kind == .trashed })
        #expect(Set(events.map(\.before)) == [World.hash("one"), World.hash("two!")])
        #expect(events.allSatisfy { $0.attributes != nil })
        #expect(Set(events.map(\.operation?.id)).count == 1)
        #expect(try world.texts() == ["3": "three"] && world.leftovers() == 0)
        // What the scan finds was said before.
        let all = world.state.events(limit: 99).filter { $0.path == "1" }
        #expect(all.count { $0.kind == .trashed || $0.kind == .deleted } == 1)
        #expect(world.state.trash().count == 2)
    }

    /// A full disk, or one that cannot be written any more: the index can, so nothing waits for the end of that.
    @Test func whatWasDoneBeforeAnErrorThatLastsIsAnOperationAtOnce() async throws {
        let world = try await World(Self.texts)
        var moves = 0
        world.folder.beforeOperation = { operation throws(DriveError) in
            if operation.kind == .move { moves += 1 }
            // The third has left the folder, and can go nowhere.
            if operation.kind == .move, moves > 5 { throw DriveError(.noSpace, "full") }
        }
        try await Self.fail(world, Self.takingAll(world))
        #expect(Set(Self.resolved(world).map(\.path)) == ["1", "2"])
        #expect(try world.texts().isEmpty && world.leftovers() == 1)
        world.endHooks()
        try AnnouncedTrash(world.parts).settle()
        #expect(Self.resolved(world).map(\.path).sorted() == ["1", "2", "3"], "each once")
        #expect(try world.texts(in: .trash).values.sorted() == ["one", "three", "two!"] && world.leftovers() == 0)
    }

    /// The disk fills up: what came back is named, and what did not.
    @Test func whatCameBackBeforeAnErrorIsTold() async throws {
        let world = try await World(Self.texts)
        var taking = try Self.takingAll(world)
        try await world.parts.operations.during(.resolve) { try await taking.run() }
        var moves = 0
        world.folder.beforeOperation = { operation throws(DriveError) in
            if operation.kind == .move { moves += 1 }
            if operation.kind == .move, moves > 1 { throw DriveError(.noSpace, "full") }
        }
        let names = world.state.trash().map(\.name.description)
        let outcomes = try await RestoreActs(world.parts).restore(trashed: names).run().0
        world.endHooks()
        #expect(outcomes.count { $0.isDone } == 1 && outcomes.count { !$0.isDone && $0.line.contains("full") } == 2)
        #expect(try world.texts().count == 1 && world.leftovers() == 0)
    }

    /// Killed right before the exchange, or right after it.
    @Test(arguments: [false, true])
    func whatWasToTakeAPlaceIsNobodysFile(isAfter: Bool) async throws {
        let world = try await World(["f": "mine"])
        world.once(.exchange, isAfter: isAfter) { world.folder.kill() }
        let deed = Deed.write(Array("merged".utf8), at: "f", replacing: World.hash("mine"))
        try await Self.fail(world, DeedRunner(world.parts, reason: .resolved, together: [[deed]]))
        world.endHooks()
        world.folder.restart()
        _ = try await DriveEngine(world.parts).scan()
        #expect(try world.texts() == ["f": isAfter ? "merged" : "mine"])
        #expect(try Array(world.texts(in: .trash).values) == [isAfter ? "mine" : "merged"])
        #expect(try world.leftovers() == 0)
        let events = Self.resolved(world)
        #expect(events.map(\.kind) == (isAfter ? [.edited] : []))
        #expect(events.map(\.after) == (isAfter ? [World.hash("merged")] : []))
    }

    private static func killedMoveOver(after call: FolderOperation.Kind) async throws -> World {
        let world = try await World(["f": "old", "copy": "new"])
        world.once(call, call == .move ? "copy" : nil, isAfter: true) { world.folder.kill() }
        let deed = Deed.moveOver("copy", World.hash("new"), to: "f", replacing: World.hash("old"))
        try await fail(world, DeedRunner(world.parts, reason: .resolved, together: [[deed]]))
        world.endHooks()
        world.folder.restart()
        return world
    }

    /// Killed right after the exchange, which looks as if somebody had let the two change places, or after what came next.
    @Test(arguments: [FolderOperation.Kind.exchange, .move])
    func aCopyThatTookItsPlaceIsWrittenDownAsSuch(after call: FolderOperation.Kind) async throws {
        let world = try await Self.killedMoveOver(after: call)
        let copy = try #require(try world.state.row(at: "copy"))
        try AnnouncedTrash(world.parts).settle()
        let events = Self.resolved(world)
        #expect(Set(events.map { "\($0.kind) \($0.path)" }) == ["trashed copy", "edited f"])
        #expect(try HeldDeletes(world.state).confirmed().contains(copy.id))
        #expect(try world.texts() == ["f": "new"] && world.leftovers() == 0)
        #expect(try Array(world.texts(in: .trash).values) == ["old"])
    }

    @Test func whatWasSavedSinceTheExchangeStays() async throws {
        let world = try await Self.killedMoveOver(after: .exchange)
        #expect(world.folder.write(Array("saved since".utf8), at: World.place("copy")))
        try AnnouncedTrash(world.parts).settle()
        #expect(try world.texts() == ["f": "new", "copy": "saved since"] && world.leftovers() == 0)
        #expect(Self.resolved(world).isEmpty)
    }

    private func killedExchange() async throws -> World {
        let world = try await World(["a": "one", "b": "two"])
        world.once(.exchange, isAfter: true) { world.folder.kill() }
        let step = UndoPlan.Step(deed: .rotate(["a", "b"]), operation: 300)
        var runner = try DeedRunner(world.parts, reason: .undone, [step])
        await #expect(throws: DriveError.self) {
            try await world.parts.operations.during(.undo) { try await runner.run() }
        }
        world.endHooks()
        world.folder.restart()
        #expect(try world.texts() == ["a": "two", "b": "one"])
        #expect(try world.state.row(at: "a")?.hash == World.hash("one"))
        return world
    }

    /// Nothing of it goes to the trash, and the log tells nothing of it yet: without a look it would be done once more.
    @Test func whatAKilledActHadExchangedIsKnownToTheNext() async throws {
        let world = try await killedExchange()
        let engine = DriveEngine(world.parts)
        try await engine.settleActs()
        #expect(try world.state.row(at: "a")?.hash == World.hash("two"))
        let moves = world.state.events(limit: 9).filter { $0.kind == .moved }
        #expect(Set(moves.map { "\($0.from ?? "") \($0.path)" }) == ["a b", "b a"] && moves.count == 2)
        #expect(moves.allSatisfy { $0.operation?.kind == .undo && $0.operation?.undoes == 300 })
        #expect(try !AnnouncedTrash.areUnsure(world.state))
    }

    /// The act that comes next may need nothing of it; the one after that looks again.
    @Test func whatKeepsFromLookingKeepsFromNoAct() async throws {
        let world = try await killedExchange()
        let engine = DriveEngine(world.parts)
        try await engine.settleActs { _ in throw DriveError(.unreachable, "the store is away") }
        #expect(try world.state.row(at: "a")?.hash == World.hash("one"))
        try await engine.settleActs()
        #expect(try world.state.row(at: "a")?.hash == World.hash("two"))
        try await engine.settleActs { _ in Issue.record("there is nothing to look for") }
    }

    /// By a process of before this was written down.
    @Test func anOlderAnnouncementTellsNothing() throws {
        #expect(try Announcement(decoding: [1]).takings.isEmpty)
        let entry = TrashEntry(
            name: TrashEntry.nameOfAct(SeededEntropy(seed: 1)), path: "f", hash: World.hash("f"), size: 1,
            reason: .undone, time: 1)
        let taking = AnnouncedTaking(entry, successor: World.hash("g"), copy: "d/copy", reversed: 300)
        let known = Announcement([taking, AnnouncedTaking(entry.renamed)], .undo)
        let again = try Announcement(decoding: known.encoded)
        #expect(again.cause == .undo && again.takings == known.takings && again.takings.count == 2)
        let moves = [
            AnnouncedMove("a", to: "b", FileIdentity(inode: 7, birth: nil), nil),
            AnnouncedMove(
                "c", to: "d", FileIdentity(inode: .max, birth: FileTime(seconds: -1, nanoseconds: 999_999_999)),
                World.hash("c"), reversed: 3),
        ]
        #expect(try Announcement(decoding: Announcement([taking], moves: moves, .undo).encoded).moves == moves)
    }
}

extension TrashEntry {
    fileprivate var renamed: TrashEntry {
        var entry = self
        entry.name = "act-other"
        return entry
    }
}
