import DriveCore
import DriveTesting
import Testing

@Suite struct DoublesFolderTests {
    private let folder = MemoryFolder()

    private func root() throws -> OpenFolder { try folder.open(.root) }

    private func place(_ path: DrivePath) throws -> Place { try #require(folder.place(path)) }

    @Test func hooksRunBeforeAndAfterTheEffect() throws {
        folder.create([1], at: try place("a"))
        let root = try root()
        var seen: [Bool] = []
        folder.beforeOperation = { [folder] operation in
            if operation.kind == .move { seen.append(folder.place("b").flatMap { folder.number(at: $0) } != nil) }
        }
        folder.afterOperation = folder.beforeOperation
        #expect(try folder.move("a", in: root, to: "b", in: root) == .done)
        #expect(seen == [false, true])
    }

    @Test func aKilledProcessDoesNothingMore() throws {
        folder.create([1], at: try place("a"))
        let root = try root()
        folder.afterOperation = { operation throws(DriveError) in
            if operation.kind == .move { throw .simulatedCrash }
        }
        #expect(throws: DriveError.simulatedCrash) { try folder.move("a", in: root, to: "b", in: root) }
        #expect(throws: DriveError.simulatedCrash) { try folder.move("b", in: root, to: "c", in: root) }
        #expect(Set(folder.tree().keys) == ["b"])
        folder.afterOperation = nil
        folder.restart()
        #expect(try folder.move("b", in: root, to: "c", in: root) == .done)
    }

    @Test func aFileIsThereUnderEachOfItsNamesUntilItHasNone() throws {
        folder.create([1], at: try place("a"))
        folder.makeFolder(at: try place("d"))
        #expect(folder.addName(to: try place("a"), at: try place("d/b")))
        #expect(folder.write([2, 3], at: try place("d/b")))
        #expect(folder.tree() == ["a": .file([2, 3]), "d": .folder, "d/b": .file([2, 3])])
        #expect(folder.facts(at: try place("a")) == folder.facts(at: try place("d/b")))
        // As rename(2) has it, and as mv(1) has it.
        let root = try root()
        let inner = try #require(try folder.open("d", in: root))
        #expect(try folder.exchange("a", in: root, with: "b", in: inner) == .done)
        #expect(folder.tree().count == 3 && folder.hasSeveralNames)
        let image = folder.image()
        #expect(folder.move(from: try place("a"), to: try place("d/b")))
        #expect(folder.tree() == ["d": .folder, "d/b": .file([2, 3])] && !folder.hasSeveralNames)
        folder.restore(image)
        #expect(folder.hasSeveralNames)
        // With its folder goes one name.
        #expect(folder.remove(at: try place("d")))
        #expect(folder.tree() == ["a": .file([2, 3])] && !folder.hasSeveralNames)
        let number = try #require(folder.number(at: try place("a")))
        #expect(folder.remove(at: try place("a")))
        #expect(folder.content(of: number) == nil)
    }

    @Test func aPowerCutBringsBackEachNameThatWasThere() throws {
        folder.create([1], at: try place("a"))
        folder.makeFolder(at: try place("d"))
        folder.addName(to: try place("a"), at: try place("d/b"))
        try folder.makeDurable()
        var outcomes: Set<[DrivePath: TreeEntry]> = []
        let image = folder.image()
        for seed in 0..<40 {
            folder.restore(image)
            folder.remove(at: try place("d"))
            folder.remove(at: try place("a"))
            var generator = SeededGenerator(seed: UInt64(seed))
            folder.cutPower(&generator)
            folder.restart()
            outcomes.insert(folder.tree())
        }
        #expect(outcomes == [[:], ["a": .file([1])], ["a": .file([1]), "d": .folder, "d/b": .file([1])]])
    }

    @Test func aPowerCutLosesOnlyWhatWasNotDurable() throws {
        var outcomes: Set<[DrivePath: TreeEntry]> = []
        for seed in 0..<200 {
            let folder = MemoryFolder()
            let person = MemoryPerson(folder)
            try person.create("kept", [1, 2, 3, 4])
            try folder.makeDurable()
            try person.move("kept", to: "moved")
            try person.create("new", [5, 6, 7, 8])
            var generator = SeededGenerator(seed: UInt64(seed))
            folder.cutPower(&generator)
            #expect(throws: DriveError.simulatedCrash) { try folder.open(.root) }
            let tree = folder.tree()
            #expect(tree["kept"] == .file([1, 2, 3, 4]) || tree["moved"] == .file([1, 2, 3, 4]))
            #expect(tree["new"] == nil || tree["moved"] != nil, "names become durable in order")
            outcomes.insert(tree)
        }
        #expect(outcomes.contains(["kept": .file([1, 2, 3, 4])]))
        #expect(outcomes.contains(["moved": .file([1, 2, 3, 4]), "new": .file([0, 0, 0, 0])]))
        #expect(outcomes.contains(["moved": .file([1, 2, 3, 4]), "new": .file([5, 6, 7, 8])]))
    }

    @Test func aPowerCutUndoesReplacementsAndSwapsExactly() throws {
        for seed in 0..<300 {
            let folder = MemoryFolder()
            var history = History()
            var generator = SeededGenerator(seed: UInt64(seed))
            for _ in 0..<8 { _ = SimulatedUser.act(on: folder, device: 0, history: &history, seed: generator.next()) }
            try folder.makeDurable()
            var trees = [folder.tree().mapValues(\.kind)]
            for _ in 0..<6 {
                // Changes of names only, so that every state on the way is a state after a cut.
                _ = SimulatedUser.act(
                    oneOf: [.makeFolder, .move, .moveFolder, .swap, .delete, .removeFolder], on: folder, device: 0,
                    history: &history, seed: generator.next())
                trees.append(folder.tree().mapValues(\.kind))
            }
            folder.cutPower(&generator)
            #expect(trees.contains(folder.tree().mapValues(\.kind)), "seed \(seed)")
        }
    }

    @Test func aSilentEditShowsInNothingButTheBytes() throws {
        folder.create([1, 2], at: try place("a"))
        let root = try root()
        let before = try folder.look(at: "a", in: root)
        #expect(folder.writeSilently([3, 4], at: try place("a")))
        #expect(try folder.look(at: "a", in: root) == before)
        #expect(folder.tree() == ["a": .file([3, 4])])
    }

    @Test func reusedInodesHaveAnotherBirth() throws {
        var options = MemoryFolder.Options()
        options.reusesInodes = true
        let folder = MemoryFolder(options: options)
        let person = MemoryPerson(folder)
        try person.create("a", [1])
        let root = try folder.open(.root)
        let before = try #require(try folder.look(at: "a", in: root))
        try person.remove("a")
        try folder.makeDurable()
        try person.create("b", [1])
        let after = try #require(try folder.look(at: "b", in: root))
        #expect(after.identity.inode == before.identity.inode)
        #expect(after.identity != before.identity)
    }

    @Test func aFullDiskRefusesStagedBytes() throws {
        folder.options.capacity = 10
        let writer = try folder.stageFile("in", size: 10)
        try [UInt8](repeating: 1, count: 10).withUnsafeBytes { try writer.write($0) }
        #expect(throws: DriveError.self) { try folder.stageFile("more", size: 1) }
        #expect(try folder.freeSpace().available == 0)
        try folder.discard("in", in: .incoming)
        #expect(try folder.freeSpace().available == 10)
    }

    @Test func failuresHitTheirFileOnly() throws {
        folder.create([1], at: try place("bad"))
        folder.create([2], at: try place("good"))
        folder.failures = [FolderFailure(.read, name: "bad", error: DriveError(.inputOutput, "EIO"))]
        let root = try root()
        #expect(throws: DriveError.self) { try folder.read("bad", in: root) }
        #expect(try folder.read("good", in: root) != nil)
        #expect(try folder.look(at: "bad", in: root) != nil)
        folder.options.isReadOnly = true
        #expect(throws: DriveError.self) { try folder.move("good", in: root, to: "x", in: root) }
        #expect(try folder.read("good", in: root) != nil)
    }

    @Test func everyChangeHasATimeOfItsOwn() throws {
        var times: Set<FileTime> = []
        folder.create([1], at: try place("a"))
        for _ in 0..<100 {
            folder.write([1], at: try place("a"))
            times.insert(try #require(folder.facts(at: try place("a"))).changed)
        }
        #expect(times.count == 100)
    }

    @Test func coarseTimesHideChanges() throws {
        folder.options.timeGranularity = 2_000_000_000
        folder.create([1], at: try place("a"))
        let before = folder.facts(at: try place("a"))
        folder.write([2], at: try place("a"))
        #expect(folder.facts(at: try place("a")) == before)
    }
}

extension TreeEntry {
    fileprivate var kind: String {
        switch self {
        case .file: "file"
        case .link: "link"
        case .folder: "folder"
        case .other: "other"
        }
    }
}
