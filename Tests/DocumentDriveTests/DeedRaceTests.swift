import DriveCore
import DriveTesting
import FileCoordination
import Testing

@testable import DocumentDrive

/// Somebody saves in the moment that an act takes their file out: what they saved is in the folder afterwards.
struct DeedRaceTests {
    private typealias World = DeedWorld

    /// Late is right before the exchange that puts the first save back.
    enum Second: CaseIterable { case saved, inPlace, removed, late, lateInPlace, none }

    /// Brings "old" back over "new" while `f` is saved right before the exchange, and again while what came out is read.
    @Test(arguments: Second.allCases)
    func noSaveIsLostToARestore(_ second: Second) async throws {
        let world = try await World(["f": "new", "other": "old"])
        let place = World.place("f")
        world.once(.exchange) {
            world.folder.save(Array("one".utf8), at: place)
            world.once(.exchange) {
                switch second {
                case .late: world.folder.save(Array("two!".utf8), at: place)
                case .lateInPlace: world.folder.write(Array("two!".utf8), at: place)
                default: break
                }
            }
        }
        world.once(.exchange, isAfter: true) {
            switch second {
            case .saved: world.folder.save(Array("two!".utf8), at: place)
            case .inPlace: world.folder.write(Array("two!".utf8), at: place)
            case .removed: world.folder.remove(at: place)
            case .late, .lateInPlace, .none: break
            }
        }
        var runner = try DeedRunner(
            world.parts, reason: .restored,
            together: [[.putBack(World.hash("old"), at: "f", replacing: World.hash("new"))]])
        try await runner.run()
        world.endHooks()
        #expect(runner.outcomes.map(\.obstacle) == [DeedRunner.hasChanged])
        let texts = try world.texts()
        switch second {
        case .none, .removed: #expect(texts == ["f": "one", "other": "old"])
        case .saved, .inPlace:
            #expect(texts.values.sorted() == ["old", "one", "two!"] && texts["f"] == "two!")
        case .late, .lateInPlace:
            #expect(texts.values.sorted() == ["old", "one", "two!"] && texts["f"] == "one")
        }
        #expect(world.state.trash().isEmpty)
        #expect(try world.leftovers() == 0 && world.texts(in: .trash).isEmpty)
    }

    /// A disk that reports errors: what nobody can read is where it was, unless the index knows the very file.
    @Test(arguments: [false, true])
    func whatCannotBeReadIsNotTakenOut(_ isKnown: Bool) async throws {
        let world = try await World(["f": "new", "other": "old"])
        if !isKnown { world.folder.write(Array("one".utf8), at: World.place("f")) }
        let (root, outgoing) = (try world.folder.open(.root), try world.folder.open(.outgoing))
        let file = try world.folder.look(at: "f", in: root)?.identity
        world.folder.beforeOperation = { operation throws(DriveError) in
            guard operation.kind == .readBytes, operation.folder == outgoing.number,
                try world.folder.look(at: operation.name, in: outgoing)?.identity == file
            else { return }
            throw DriveError(.inputOutput, "no luck")
        }
        var runner = try DeedRunner(
            world.parts, reason: .undone,
            together: [[.putBack(World.hash("old"), at: "f", replacing: World.hash("new"))]])
        try await runner.run()
        world.endHooks()
        #expect(runner.outcomes.map(\.obstacle) == [isKnown ? nil : "no luck"])
        #expect(try world.texts() == ["f": isKnown ? "old" : "one", "other": "old"])
        #expect(try world.texts(in: .trash).values.sorted() == (isKnown ? ["new"] : []))
        #expect(try isKnown || world.folder.look(at: "f", in: root)?.identity == file)
        #expect(try world.leftovers() == 0)
    }

    @Test func whatIsSavedWhileItIsTakenAwayStays() async throws {
        let world = try await World(["f": "new"])
        world.once(.move, "f") { world.folder.save(Array("one".utf8), at: World.place("f")) }
        var runner = try DeedRunner(
            world.parts, reason: .undone, together: [[.takeAway("f", World.hash("new"))]])
        try await runner.run()
        world.endHooks()
        #expect(runner.outcomes.map(\.obstacle) == [DeedRunner.hasChanged])
        #expect(try world.texts() == ["f": "one"] && world.leftovers() == 0)
        #expect(world.state.trash().isEmpty)
    }

    /// The folder that it was in is not there any more when it is to go back.
    @Test func whatCannotGoBackIntoItsFolderGetsANewOne() async throws {
        let world = try await World([:])
        #expect(world.folder.makeFolder(at: World.place("d")))
        let place = try #require(world.folder.place("d/f"))
        #expect(world.folder.create(Array("new".utf8), at: place))
        _ = try await DriveEngine(world.parts).scan()
        world.once(.move, "f") { world.folder.save(Array("one".utf8), at: place) }
        world.once(.move, "f", isAfter: true) { world.folder.remove(at: World.place("d")) }
        var runner = try DeedRunner(
            world.parts, reason: .undone, together: [[.takeAway("d/f", World.hash("new"))]])
        try await runner.run()
        world.endHooks()
        let folder = try #require(try world.folder.open(path: "d"))
        #expect(try world.folder.read("f", in: folder)?.first(9) == Array("one".utf8))
        #expect(try world.leftovers() == 0)
    }

    /// `conflicts resolve --keep copy`: the file, or the copy, is saved right before the exchange.
    @Test(arguments: ["f", "copy"])
    func whatIsSavedWhileACopyTakesItsPlaceStays(_ saved: String) async throws {
        let world = try await World(["f": "old", "copy": "new"])
        world.once(.exchange) { world.folder.save(Array("one".utf8), at: World.place(saved)) }
        var runner = try DeedRunner(
            world.parts, reason: .resolved,
            together: [[.moveOver("copy", World.hash("new"), to: "f", replacing: World.hash("old"))]])
        try await runner.run()
        world.endHooks()
        if saved == "f" {
            #expect(runner.outcomes.map(\.obstacle) == [DeedRunner.hasChanged])
            #expect(try world.texts() == ["f": "one", "copy": "new"])
            #expect(world.state.trash().isEmpty)
        } else {
            // Who wants the copy gets it as it was saved.
            #expect(try world.texts() == ["f": "one"])
            #expect(try world.texts(in: .trash).values.sorted() == ["old"])
        }
        #expect(try world.leftovers() == 0)
    }

    /// A rule that came after the copies were looked for.
    @Test func aCopyIsNotCleanedForWhatIsIgnored() async throws {
        var world = try await World(["f": "same", "copy": "same"])
        world.parts.options.ignores = { path, _ in path == "f" }
        let act = try DriveCleaning(world.parts).clean([
            RedundantCopy(path: Array("copy".utf8), kept: Array("f".utf8))
        ])
        let (outcomes, _) = try await act.run()
        #expect(outcomes.map(\.isDone) == [false])
        #expect(try world.texts() == ["f": "same", "copy": "same"])
    }

    @Test func aCopyThatIsSavedWhileItIsCleanedStays() async throws {
        let world = try await World(["f": "same", "copy": "same"])
        world.once(.move, "copy") { world.folder.save(Array("one".utf8), at: World.place("copy")) }
        let act = try DriveCleaning(world.parts).clean([
            RedundantCopy(path: Array("copy".utf8), kept: Array("f".utf8))
        ])
        let (outcomes, _) = try await act.run()
        world.endHooks()
        #expect(outcomes.map(\.isDone) == [false])
        #expect(try world.texts() == ["f": "same", "copy": "one"] && world.leftovers() == 0)
        #expect(world.state.trash().isEmpty)
    }
}
