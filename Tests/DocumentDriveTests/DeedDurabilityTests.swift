import DriveCore
import DriveTesting
import FileCoordination
import Testing

@testable import DocumentDrive

/// What an act puts under a name is on the disk before.
struct DeedDurabilityTests {
    private typealias World = DeedWorld

    /// The power is cut right after the new bytes have the name.
    @Test(arguments: [
        Deed.putBack(DeedWorld.hash("old text"), at: "f", replacing: DeedWorld.hash("new")),
        .putBack(DeedWorld.hash("old text"), at: "g", replacing: nil),
        .write(Array("old text".utf8), at: "f", replacing: DeedWorld.hash("new")),
    ])
    func noNameHasBytesThatAPowerCutTakes(_ deed: Deed) async throws {
        for seed in 1...64 as ClosedRange<UInt64> {
            let world = try await World(["f": "new", "other": "old text"])
            try world.folder.makeDurable()
            var generator = SeededGenerator(seed: seed)
            let kind: FolderOperation.Kind = if case .putBack(_, _, nil) = deed { .move } else { .exchange }
            world.once(kind, isAfter: true) { world.folder.cutPower(&generator) }
            var runner = try DeedRunner(world.parts, reason: .restored, together: [[deed]])
            await #expect(throws: DriveError.self) { try await runner.run() }
            world.endHooks()
            world.folder.restart()
            let texts = try world.texts()
            #expect(["new", "old text"].contains(texts["f"]))
            #expect([nil, "old text"].contains(texts["g"]))
        }
    }

    /// One call makes all durable; for each file it would take longer than all the rest.
    @Test func manyAreMadeDurableAtOnce() async throws {
        let names = (0..<50).map { "f\($0)" }
        let world = try await World(
            Dictionary(uniqueKeysWithValues: names.map { ($0, "new") }).merging(["other": "old"]) { $1 })
        var count = 0
        world.folder.beforeOperation = { operation throws(DriveError) in
            if operation.kind == .makeDurable { count += 1 }
        }
        var runner = try DeedRunner(
            world.parts, reason: .restored,
            together: names.map { [.putBack(World.hash("old"), at: DrivePath($0), replacing: World.hash("new"))] })
        try await runner.run()
        world.endHooks()
        #expect(count == 2)
        #expect(Set(try world.texts().values) == ["old"])
        #expect(try world.leftovers() == 0 && world.texts(in: .trash).count == 50)
    }

    /// In batches of the engine's size, and without what turns out not to be needed.
    @Test func aBatchThatIsNotUsedLeavesNothing() async throws {
        var world = try await World(["1": "new", "2": "new", "3": "new", "other": "old"])
        world.parts.options.batchFiles = 2
        func deed(_ path: DrivePath) -> Deed { .putBack(World.hash("old"), at: path, replacing: World.hash("new")) }
        var runner = try DeedRunner(
            world.parts, reason: .restored, together: [[.expect("gone", nil), deed("1")], [deed("2")], [deed("3")]])
        try await runner.run()
        #expect(runner.outcomes.map { $0.obstacle == nil } == [false, false, true, true])
        #expect(try world.texts() == ["1": "new", "2": "old", "3": "old", "other": "old"])
        #expect(try world.leftovers() == 0)
    }

    /// No pass has seen it: only what replaced it has brought it to where it can be found.
    @Test func whatJustCameToTheTrashIsFound() async throws {
        let world = try await World(["a": "one", "other": "old"])
        world.folder.write(Array("edited".utf8), at: World.place("a"))
        var runner = try DeedRunner(
            world.parts, reason: .undone,
            together: [
                [.putBack(World.hash("old"), at: "a", replacing: World.hash("edited"))],
                [.putBack(World.hash("edited"), at: "b", replacing: nil)],
            ])
        try await runner.run()
        #expect(runner.outcomes.map(\.obstacle) == [nil, nil])
        #expect(try world.texts() == ["a": "old", "b": "edited", "other": "old"])
        #expect(try world.leftovers() == 0)
    }
}
