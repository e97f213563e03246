import DriveCore
import DriveTesting
import FileCoordination
import Testing

@testable import DocumentDrive

struct DeedRunnerTests {
    /// Half of it would look as if a person had let the two change places.
    @Test(arguments: [DriveError.Kind.inputOutput, .permissionDenied])
    func aCopyThatCannotTakeThePlaceIsWhereItWas(_ kind: DriveError.Kind) async throws {
        let texts = ["f": "old", "copy": "new"]
        let (folder, state, parts) = try await scanned(texts)
        let (old, new) = (ContentHasher.hash(of: Array("old".utf8)), ContentHasher.hash(of: Array("new".utf8)))
        var runner = try DeedRunner(
            parts, reason: .resolved, together: [[.moveOver("copy", new, to: "f", replacing: old)]])
        folder.failures = [FolderFailure(.move, name: "copy", error: DriveError(kind, "no luck"))]
        try await runner.run()
        #expect(runner.groupFailures.first??.obstacle == "no luck")
        folder.failures = []
        #expect(try contents(of: folder, texts.keys) == texts)
        #expect(state.trash().isEmpty)
    }

    @Test func whatChangesPlacesDoesSoAllOrNone() async throws {
        let texts = ["1": "one", "2": "two", "3": "three"]
        let (folder, state, parts) = try await scanned(texts)
        folder.failures = [FolderFailure(.exchange, name: "3", error: DriveError(.permissionDenied, "no luck"))]
        var refused = try DeedRunner(parts, reason: .undone, [.rotate(["1", "2", "3"])])
        try await refused.run()
        #expect(refused.outcomes.map(\.obstacle) == ["no luck"])
        #expect(refused.moves.isEmpty)
        #expect(try contents(of: folder, texts.keys) == texts)
        folder.failures = []
        var runner = try DeedRunner(parts, reason: .undone, [.rotate(["1", "2", "3"])])
        try await runner.run()
        #expect(try contents(of: folder, texts.keys) == ["1": "three", "2": "one", "3": "two"])
        #expect(state.events(limit: 3).reversed().map(\.path) == ["2", "3", "1"])
        #expect(state.events(limit: 3).reversed().map(\.from) == ["1", "2", "3"])
        // Who follows the moves one after the other gets there too.
        var followed = ["1", "2", "3"] as [DrivePath]
        for (from, to) in runner.moves {
            for place in followed.indices where followed[place] == from { followed[place] = to }
        }
        #expect(followed == ["2", "3", "1"])
    }

    /// Of the three renames the second is refused: nothing stays under the name of the moment.
    @Test func aFolderAndOneInItTurnOverOrStay() async throws {
        let (folder, _, parts) = try await scanned([:])
        func place(_ name: FileName, in path: DrivePath) throws -> Place {
            Place(folder: .init(try folder.open(path: path)!.number), name: name)
        }
        #expect(folder.makeFolder(at: try place("o", in: .root)))
        #expect(folder.makeFolder(at: try place("i", in: "o")))
        #expect(folder.create(Array("deep".utf8), at: try place("f", in: "o/i")))
        _ = try await DriveEngine(parts).scan()
        folder.failures = [FolderFailure(.move, name: "o", error: DriveError(.permissionDenied, "no luck"))]
        var refused = try DeedRunner(parts, reason: .undone, [.rotate(["o", "o/i"])])
        try await refused.run()
        #expect(refused.outcomes.map(\.obstacle) == ["no luck"])
        #expect(try folder.list(folder.open(path: .root)!).map(\.name).filter { $0 != ".docdrive" } == ["o"])
        #expect(try folder.list(folder.open(path: "o/i")!).map(\.name) == ["f"])
        folder.failures = []
        var runner = try DeedRunner(parts, reason: .undone, [.rotate(["o", "o/i"])])
        try await runner.run()
        #expect(try folder.list(folder.open(path: "o")!).map(\.name).sorted() == ["f", "i"])
    }

    /// What could not be put back either has a name that nobody gave it: the next look takes it for somebody's rename.
    @Test func whatCannotBePutBackIsTold() async throws {
        let (folder, _, parts) = try await scanned(["f": "one", "1": "a", "2": "b", "3": "c"])
        #expect(folder.makeFolder(at: Place(folder: MemoryFolder.root, name: "o")))
        let outer = try folder.open(path: "o")!.number
        #expect(folder.makeFolder(at: Place(folder: .init(outer), name: "i")))
        _ = try await DriveEngine(parts).scan()
        func failing(after allowed: Int, _ kind: FolderOperation.Kind, _ deed: Deed) async throws -> String {
            var calls = 0
            folder.beforeOperation = { operation throws(DriveError) in
                guard operation.kind == kind else { return }
                calls += 1
                if calls > allowed { throw DriveError(.inputOutput, "no luck") }
            }
            defer { folder.beforeOperation = nil }
            var runner = try DeedRunner(parts, reason: .undone, [deed])
            try await runner.run()
            return runner.outcomes[0].obstacle ?? ""
        }
        let exchanged = try await failing(after: 1, .exchange, .rotate(["1", "2", "3"]))
        #expect(exchanged == "no luck; 2 and 1 have changed places: exchange them again")
        let moved = try await failing(after: 1, .move, .rotate(["o", "o/i"]))
        #expect(moved.hasPrefix("no luck; what was o/i lies as docdrive-undo-"), "\(moved)")
    }

    @Test func foldersOfWhatCannotBeDoneGoAgain() async throws {
        let (folder, state, parts) = try await scanned(["f": "one", "g": "two"])
        folder.failures = [FolderFailure(.move, name: "f", error: DriveError(.permissionDenied, "no luck"))]
        var runner = try DeedRunner(
            parts, reason: .undone,
            [.move("f", to: "new/deep/f"), .move("g", to: "new/g"), .move("f", to: "new/deep/f")])
        try await runner.run()
        #expect(runner.outcomes.map(\.obstacle) == ["no luck", nil, "no luck"])
        #expect(try folder.list(folder.open(path: "new")!).map(\.name) == ["g"])
        #expect(state.events(limit: 2).map(\.path) == ["new/g", "new"])
    }

    /// A disk that is full, of all disks, would keep it until the next start.
    @Test func whatWasToTakeAPlaceIsNotLeftBehindWhereTheActIsStopped() async throws {
        let texts = ["f": "old"]
        let (folder, _, parts) = try await scanned(texts)
        let old = ContentHasher.hash(of: Array("old".utf8))
        var runner = try DeedRunner(parts, reason: .undone, [.write(Array("new".utf8), at: "f", replacing: old)])
        folder.failures = [FolderFailure(.look, name: "f", error: DriveError(.noSpace, "full"))]
        await #expect(throws: DriveError.self) { try await runner.run() }
        folder.failures = []
        #expect(try contents(of: folder, texts.keys) == texts)
        #expect(try folder.list(folder.open(.incoming)).isEmpty)
    }

    @Test func aFolderThatFindsNoPlaceIsNotLeftBehind() async throws {
        let (folder, _, parts) = try await scanned(["f": "one", "g": "two"])
        var runner = try DeedRunner(parts, reason: .undone, [.move("g", to: "f/g")])
        try await runner.run()
        #expect(runner.outcomes.map(\.obstacle) == [DeedRunner.folderIsTaken])
        #expect(try folder.list(folder.open(.incoming)).isEmpty)
    }

    private func scanned(_ texts: [String: String]) async throws -> (MemoryFolder, MemoryState, DriveParts) {
        let clock = ManualClock()
        let folder = MemoryFolder(clock: clock)
        let state = MemoryState(device: DeviceID(high: 7, low: 7), label: "A")
        let parts = DriveParts(
            files: folder, state: state, transport: nil, clock: clock, entropy: SeededEntropy(seed: 1))
        for (name, text) in texts {
            #expect(folder.create(Array(text.utf8), at: Place(folder: MemoryFolder.root, name: FileName(name))))
        }
        _ = try await DriveEngine(parts).scan()
        return (folder, state, parts)
    }

    private func contents(of folder: MemoryFolder, _ names: some Sequence<String>) throws -> [String: String] {
        let root = try folder.open(path: .root)!
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let bytes = try folder.read(FileName(name), in: root)?.first(9) ?? []
                return (name, String(decoding: bytes, as: UTF8.self))
            })
    }
}
