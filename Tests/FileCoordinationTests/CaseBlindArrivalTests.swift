import DriveCore
import DriveTesting
import Testing

@testable import FileCoordination

/// What comes to a folder in which case does not count.
struct CaseBlindArrivalTests {
    private let clock = ManualClock()
    private let author: EngineDevice
    private let other: EngineDevice

    init() {
        let store = MemoryObjectStore(clock: clock)
        let clock = clock
        let devices = (0..<2).map { EngineDevice(DeviceSetup(number: $0, store: store, clock: clock, seed: 7)) }
        (author, other) = (devices[0], devices[1])
        other.folder.options.ignoresCase = true
    }

    private func place(_ path: DrivePath) throws -> Place { try #require(author.folder.place(path)) }

    /// As a watch does it.
    private func pass() async throws -> WatchPassOutcome {
        clock.advance(by: RunPlan.tick)
        return try await other.engine.perform(WatchSchedule.Work(scansEverything: true, fetches: true)) { nil }
    }

    @Test func ofTwoNamesThatAreOneTheSecondIsTold() async throws {
        author.folder.create(Array("loud".utf8), at: try place("README"))
        author.folder.create(Array("small".utf8), at: try place("Readme"))
        clock.advance(by: RunPlan.tick)
        _ = try await author.scan()
        try await author.commit(compacting: false)
        // Both are on their way at once.
        _ = try await pass()
        for _ in 0..<3 {
            let outcome = try await pass()
            #expect(!outcome.looksAgain)
        }
        let obstacles = try StandingMemory(other.state).obstacles()
        #expect(obstacles.map(\.cause) == [.impossible])
        let problems = try other.state.problems()
        #expect(problems.count == 1 && problems.first?.path == obstacles.first?.path)
        #expect(problems.first?.reason.contains("README") == true)
        #expect(problems.first?.reason.contains("Readme") == true)
        author.folder.move(from: try place("Readme"), to: try place("Other"))
        try await Quiescence(devices: [author, other], clock: clock).reach()
        #expect(other.folder.tree() == author.folder.tree())
        #expect(try other.state.problems().isEmpty)
    }

    @Test(arguments: [false, true])
    func whatGetsOtherLettersHasThem(isFolder: Bool) async throws {
        if isFolder {
            author.folder.makeFolder(at: try place("notes"))
            author.folder.create(Array("in it".utf8), at: try place("notes/today"))
        } else {
            author.folder.create(Array("notes".utf8), at: try place("notes"))
        }
        try await Quiescence(devices: [author, other], clock: clock).reach()
        author.folder.move(from: try place("notes"), to: try place("NOTES"))
        try await Quiescence(devices: [author, other], clock: clock).reach()
        #expect(author.folder.tree()["NOTES"] != nil)
        #expect(other.folder.tree() == author.folder.tree())
    }

    /// The name of the one, or of both, in other letters; three that go round.
    @Test(arguments: [["x": "b", "b": "X"], ["x": "B", "b": "X"], ["x": "B", "b": "C", "c": "X"]], [false, true])
    func whatChangesPlacesComesInOtherLetters(_ moves: [DrivePath: DrivePath], isFolder: Bool) async throws {
        for path in moves.keys {
            if isFolder { author.folder.makeFolder(at: try place(path)) }
            let file = isFolder ? path.appending("in") : path
            author.folder.create(Array("\(path)".utf8), at: try place(file))
        }
        try await Quiescence(devices: [author, other], clock: clock).reach()
        for path in moves.keys { author.folder.move(from: try place(path), to: try place(DrivePath("aside-\(path)"))) }
        for (path, goal) in moves {
            author.folder.move(from: try place(DrivePath("aside-\(path)")), to: try place(goal))
        }
        try await Quiescence(devices: [author, other], clock: clock).reach()
        #expect(other.folder.tree() == author.folder.tree())
        #expect(try other.state.problems().isEmpty && other.folder.contents(of: .parked).isEmpty)
    }

    /// One of two names that are one here moves on, and what comes has to wait for the other all the same.
    @Test func whatStaysInOtherLettersIsNotPutAside() async throws {
        for name in ["x", "b", "d"] as [DrivePath] {
            author.folder.create(Array("\(name)".utf8), at: try place(name))
        }
        try await Quiescence(devices: [author, other], clock: clock).reach()
        author.folder.move(from: try place("b"), to: try place("X"))
        author.folder.move(from: try place("d"), to: try place("b"))
        clock.advance(by: RunPlan.tick)
        _ = try await author.scan()
        try await author.commit(compacting: false)
        for _ in 0..<3 {
            _ = try await pass()
            #expect(other.folder.contents(of: .parked).isEmpty)
            #expect(other.folder.tree()["b"] == .file(Array("b".utf8)))
            #expect(other.folder.tree()["d"] == .file(Array("d".utf8)))
        }
        let reasons = try other.state.problems().map(\.reason)
        #expect(
            !reasons.isEmpty && reasons.allSatisfy { $0.hasSuffix("for one name; rename one of them") }, "\(reasons)")
    }
}
