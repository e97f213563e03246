import DriveCore
import DriveTesting
import Testing

@testable import FileCoordination

/// A file has got another name, and another one has got the name that it had; where the first is to be now there is something that
/// is not synced, so that neither can come.
struct TakenGoalTests {
    private let clock = ManualClock()
    private let author: EngineDevice
    private let other: EngineDevice

    init() {
        let clock = clock
        let store = MemoryObjectStore(clock: clock)
        author = EngineDevice(DeviceSetup(number: 0, store: store, clock: clock, seed: 7), adjust: { _ in })
        other = EngineDevice(
            DeviceSetup(number: 1, store: store, clock: clock, seed: 7),
            adjust: { $0.ignores = { path, isFolder in path.name == "mine" || isFolder && path == "own" } })
    }

    enum Taker: CaseIterable, Sendable {
        case special, specialFolder, ignoredFolder, ignoredInDeletedFolder, ignoredInFolderWithin

        var goal: DrivePath {
            switch self {
            case .special: "x"
            case .specialFolder: "x/y"
            case .ignoredFolder: "own"
            case .ignoredInDeletedFolder, .ignoredInFolderWithin: "c"
            }
        }

        var path: DrivePath {
            switch self {
            case .special, .specialFolder: "x"
            case .ignoredFolder: "own"
            case .ignoredInDeletedFolder: "c/mine"
            case .ignoredInFolderWithin: "c/e/mine"
            }
        }
    }

    private func place(_ path: DrivePath, of device: EngineDevice) throws -> Place {
        try #require(device.folder.place(path))
    }

    /// What both have at first.
    private func begin() async throws {
        for path in ["c", "c/e"] as [DrivePath] { author.folder.makeFolder(at: try place(path, of: author)) }
        for path in ["b", "d", "c/keep", "c/e/keep"] as [DrivePath] {
            author.folder.create(Array("old \(path)".utf8), at: try place(path, of: author))
        }
        try await Quiescence(devices: [author, other], clock: clock).reach()
    }

    private func publish() async throws {
        clock.advance(by: RunPlan.tick)
        _ = try await author.scan()
        try await author.commit(compacting: false)
    }

    private func moveThere(_ taker: Taker) async throws {
        let goal = taker.goal
        if goal == "c" {
            for path in ["c/e/keep", "c/e", "c/keep", "c"] as [DrivePath] {
                author.folder.remove(at: try place(path, of: author))
            }
        }
        if goal == "x/y" { author.folder.makeFolder(at: try place("x", of: author)) }
        author.folder.move(from: try place("b", of: author), to: try place(goal, of: author))
        author.folder.move(from: try place("d", of: author), to: try place("b", of: author))
        try await publish()
    }

    /// As a watch does it.
    private func pass() async throws -> WatchPassOutcome {
        clock.advance(by: RunPlan.tick)
        return try await other.engine.perform(WatchSchedule.Work(scansEverything: true, fetches: true)) { nil }
    }

    @Test(arguments: Taker.allCases) func nothingLeavesItsFolderForIt(_ taker: Taker) async throws {
        try await begin()
        let place = try place(taker.path, of: other)
        switch taker {
        case .special, .specialFolder: other.folder.makeSpecial(at: place)
        case .ignoredFolder: other.folder.makeFolder(at: place)
        case .ignoredInDeletedFolder, .ignoredInFolderWithin: other.folder.create([1], at: place)
        }
        try await moveThere(taker)
        for _ in 0..<4 {
            _ = try await pass()
            #expect(other.folder.contents(of: .parked).isEmpty)
            #expect(other.folder.tree()["b"] == .file(Array("old b".utf8)))
            #expect(other.folder.tree()["d"] == .file(Array("old d".utf8)))
        }
        let reason = try other.state.problems().first { $0.path == "b" }?.reason
        let obstacle = "what is at \(taker.path) is not synced; move that away"
        #expect(reason == "what has its name cannot go to \(taker.goal): \(obstacle)")
        #expect(try await !pass().looksAgain)
        other.folder.remove(at: place)
        _ = try await pass()
        _ = try await pass()
        #expect(other.folder.tree() == author.folder.tree())
        #expect(try other.state.problems().isEmpty)
    }

    /// The only file of a folder has got the place of one that has got the folder's name: to ask for the one is to ask for the other.
    @Test func whatChangesPlacesWithItsFolderStaysToo() async throws {
        try await begin()
        let own = try place("c/e/mine", of: other)
        other.folder.create([1], at: own)
        author.folder.move(from: try place("c/e/keep", of: author), to: try place("t", of: author))
        author.folder.remove(at: try place("c/e", of: author))
        author.folder.move(from: try place("b", of: author), to: try place("c/e", of: author))
        author.folder.move(from: try place("t", of: author), to: try place("b", of: author))
        try await publish()
        let before = other.folder.tree()
        for _ in 0..<3 {
            _ = try await pass()
            #expect(other.folder.contents(of: .parked).isEmpty && other.folder.tree() == before)
        }
        other.folder.remove(at: own)
        _ = try await pass()
        _ = try await pass()
        #expect(other.folder.tree() == author.folder.tree())
    }

    /// What somebody has just made there is a file of its own for the next look.
    @Test func whatIsNewThereIsTakenUp() async throws {
        try await begin()
        try await moveThere(.special)
        let place = try place("x", of: other)
        let folder = other.folder
        folder.beforeOperation = { operation throws(DriveError) in
            if operation.kind == .move { folder.create(Array("new".utf8), at: place) }
        }
        _ = try await pass()
        folder.beforeOperation = nil
        try await Quiescence(devices: [author, other], clock: clock).reach()
        #expect(other.folder.contents(of: .parked).isEmpty)
        #expect(other.folder.tree() == author.folder.tree())
        #expect(Set(other.folder.contents(of: .root)).isSuperset(of: ["old b", "old d", "new"].map { Array($0.utf8) }))
    }
}
