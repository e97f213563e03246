import DriveCore
import DriveTesting
import FileCoordination
import Testing

@testable import DocumentDrive

/// What cannot be removed from the trash stops nothing else.
struct TrashRemovalTests {
    private typealias World = DeedWorld

    private func world(reports: @escaping (EngineEvent) -> Void = { _ in }) async throws -> World {
        let world = try await World(["1": "one", "2": "two", "3": "three"], reports: reports)
        _ = try world.state.lookAtClock(world.clock.milliseconds())
        var runner = try DeedRunner(
            world.parts, reason: .undone,
            together: [("1", "one"), ("2", "two"), ("3", "three")].map { [.takeAway($0.0, World.hash($0.1))] })
        try await runner.run()
        #expect(world.state.trash().count == 3)
        return world
    }

    /// As a folder is there that took a file's place in the moment that it was taken out.
    private func fill(_ world: World, _ name: FileName) throws {
        let trash = try world.folder.open(.trash)
        try world.folder.discard(name, in: .trash)
        var folder = trash.number
        // A name that is also given on the way up, and one beneath another.
        for part in [name, "0", "0", "deep"] as [FileName] {
            #expect(world.folder.makeFolder(at: Place(folder: folder, name: part)))
            let above = OpenFolder(number: folder, identity: trash.identity)
            folder = try #require(try world.folder.open(part, in: above)).number
            #expect(world.folder.create([1], at: Place(folder: folder, name: "file")))
            #expect(world.folder.makeLink(to: [65], at: Place(folder: folder, name: "link")))
        }
    }

    private func pass(_ world: World, weeks: Int) throws {
        for _ in 0..<weeks {
            world.clock.advance(by: 7 * 86_400_000)
            try TrashActs(world.parts).expire()
        }
    }

    @Test func aFolderGoesWithAllThatIsInIt() async throws {
        let world = try await world()
        let name = world.state.trash()[1].name
        try fill(world, name)
        let outcomes = try TrashActs(world.parts).empty([name.description])
        #expect(outcomes.map(\.isDone) == [true])
        #expect(try world.folder.list(world.folder.open(.trash)).count == 2)
        #expect(world.state.trash().count == 2)
    }

    @Test func aFolderIsOverAfter30DaysToo() async throws {
        let world = try await world()
        world.clock.advance(by: 60_000)
        let name = world.state.trash()[1].name
        try fill(world, name)
        try pass(world, weeks: 5)
        // Its files are younger than what went.
        #expect(world.state.trash().map(\.name) == [name])
        try pass(world, weeks: 5)
        #expect(try world.folder.list(world.folder.open(.trash)).isEmpty)
        #expect(world.state.trash().isEmpty)
    }

    @Test func whatCannotBeRemovedStopsNothing() async throws {
        var reports: [FileName] = []
        let world = try await world { if case .passedOver(let name, _) = $0 { reports.append(name) } }
        let name = world.state.trash()[1].name
        world.folder.failures = [FolderFailure(.discard, name: name, error: DriveError(.permissionDenied, "no luck"))]
        try pass(world, weeks: 5)
        #expect(world.state.trash().map(\.name) == [name])
        #expect(reports == [name])
        let outcomes = try TrashActs(world.parts).empty([name.description])
        #expect(outcomes.map(\.line) == ["2: left as it is: no luck"])
        world.folder.failures = []
        #expect(try TrashActs(world.parts).empty([name.description]).map(\.line) == ["1 removed for good"])
        #expect(try world.folder.list(world.folder.open(.trash)).isEmpty)
    }

    @Test func whatGoesTogetherIsForgottenTogether() async throws {
        let world = try await world()
        let before = world.state.changingTransactions
        let outcomes = try TrashActs(world.parts).empty(world.state.trash().map(\.name.description))
        #expect(outcomes.map(\.line) == ["3 removed for good"])
        // One to say what is about to go.
        #expect(world.state.changingTransactions == before + 2)
        #expect(world.state.trash().isEmpty)
    }

    /// Killed in between: what is gone has no entry, what is there has one.
    @Test func aKilledRemovalIsSettled() async throws {
        let world = try await world()
        let names = world.state.trash().map(\.name)
        world.once(.discard, names[1], isAfter: true) { world.folder.kill() }
        #expect(throws: DriveError.self) { try TrashActs(world.parts).empty(names.map(\.description)) }
        world.endHooks()
        world.folder.restart()
        try AnnouncedTrash(world.parts).settle()
        #expect(try world.folder.list(world.folder.open(.trash)).map(\.name) == [names[2]])
        #expect(world.state.trash().map(\.name) == [names[2]])
        let isUnsure = try AnnouncedTrash.areUnsure(world.state)
        #expect(!isUnsure)
    }

    /// In a process that goes on, an act that failed waits to be settled while the trash is emptied.
    @Test func whatAnActHasAnnouncedOutlastsARemoval() async throws {
        let world = try await world()
        let name = world.state.trash()[0].name
        var waiting = world.state.trash()[1]
        waiting.name = TrashEntry.nameOfAct(world.parts.entropy)
        try world.parts.operations.during(.undo) {
            try AnnouncedTrash(world.parts).announce([AnnouncedTaking(waiting)])
        }
        #expect(try TrashActs(world.parts).empty([name.description]).map(\.line) == ["1 removed for good"])
        #expect(try AnnouncedTrash.areUnsure(world.state))
        // It had not come to it.
        try AnnouncedTrash(world.parts).settle()
        #expect(!world.state.trash().map(\.name).contains(waiting.name))
        let isUnsure = try AnnouncedTrash.areUnsure(world.state)
        #expect(!isUnsure)
    }

    @Test func whatStopsAllLeavesNoEntryOfWhatIsGone() async throws {
        let world = try await world()
        let names = world.state.trash().map(\.name)
        world.folder.failures = [FolderFailure(.discard, name: names[1], error: .simulatedCrash)]
        #expect(throws: DriveError.self) { try TrashActs(world.parts).empty(names.map(\.description)) }
        #expect(world.state.trash().map(\.name) == Array(names[1...]))
        #expect(try world.folder.list(world.folder.open(.trash)).count == 2)
    }
}
