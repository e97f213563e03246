import DriveCore
import DriveTesting
import Testing

/// What a person does right before a step, whose process then dies.
struct LastMomentTests {
    private let clock = ManualClock()
    private let place = Place(folder: MemoryFolder.root, name: "f")

    private func pair() -> [EngineDevice] {
        let store = MemoryObjectStore(clock: clock)
        return (0..<2).map { EngineDevice(DeviceSetup(number: $0, store: store, clock: clock, seed: 7)) }
    }

    enum Act: CaseIterable { case save, folder }

    private func act(_ act: Act, on folder: MemoryFolder) {
        switch act {
        case .save: folder.save(Array("mine".utf8), at: place)
        case .folder:
            folder.remove(at: place)
            folder.makeFolder(at: place)
            if let inner = folder.place("f/chapter") { folder.create(Array("mine".utf8), at: inner) }
        }
    }

    /// What came out with the file that was to go is not what was to go, and lives.
    @Test(arguments: Act.allCases, [false, true])
    func whatTookThePlaceOfADeletedFileLives(_ what: Act, isDead: Bool) async throws {
        let devices = pair()
        let (author, other) = (devices[0], devices[1])
        author.folder.create(Array("old".utf8), at: place)
        try await Quiescence(devices: devices, clock: clock).reach()
        author.folder.remove(at: place)
        clock.advance(by: RunPlan.tick)
        _ = try await author.scan()
        try await author.commit(compacting: false)
        try await other.fetch(only: nil)

        let folder = other.folder
        var moves = 0
        folder.beforeOperation = { [self] operation throws(DriveError) in
            guard operation.kind == .move, operation.name == "f" else { return }
            moves += 1
            if moves == 1 { act(what, on: folder) }
        }
        folder.afterOperation = { operation throws(DriveError) in
            if isDead, operation.kind == .move, operation.name == "f" { throw .simulatedCrash }
        }
        _ = try? await other.apply()
        (folder.beforeOperation, folder.afterOperation) = (nil, nil)
        #expect(moves == 1)
        folder.restart()
        if isDead { try await other.restart(afterPowerCut: false) }
        try await Quiescence(devices: devices, clock: clock).reach()
        #expect(folder.contents(of: .root) == [Array("mine".utf8)])
        #expect(folder.tree()[what == .save ? "f" : "f/chapter"] != nil)
        #expect(author.folder.tree() == folder.tree())
    }

    /// A folder that left its place before the files are placed gets none of them: it may be anywhere.
    @Test func nothingIsPutIntoAFolderThatHasLeft() async throws {
        let devices = pair()
        let (author, other) = (devices[0], devices[1])
        author.folder.makeFolder(at: Place(folder: MemoryFolder.root, name: "d"))
        author.folder.create(Array("final".utf8), at: try #require(author.folder.place("d/report")))
        try await Quiescence(devices: devices, clock: clock).reach()
        author.folder.save(Array("of next year".utf8), at: try #require(author.folder.place("d/report")))
        author.folder.create(Array("new".utf8), at: try #require(author.folder.place("d/new")))
        clock.advance(by: RunPlan.tick)
        _ = try await author.scan()
        try await author.commit(compacting: false)
        try await other.fetch(only: nil)

        let folder = other.folder
        folder.beforeOperation = { operation throws(DriveError) in
            // All is staged, and about to be made durable.
            guard operation.kind == .makeDurable else { return }
            let (from, to) = (
                Place(folder: MemoryFolder.root, name: "d"), Place(folder: MemoryFolder.root, name: "e")
            )
            if folder.entry(at: from) != nil { folder.move(from: from, to: to) }
        }
        try await other.apply()
        folder.beforeOperation = nil
        #expect(folder.tree() == ["e": .folder, "e/report": .file(Array("final".utf8))])
        try await Quiescence(devices: devices, clock: clock).reach()
        #expect(folder.tree()["e/report"] == .file(Array("of next year".utf8)))
        #expect(author.folder.tree() == folder.tree())
    }
}
