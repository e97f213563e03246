import DriveCore
import DriveTesting
import Testing

@testable import FileCoordination

/// A place that may not be written costs a watch nothing, and is tried again when that may help.
struct DeniedPlaceTests {
    private let clock = ManualClock()
    private let author: EngineDevice
    private let other: EngineDevice

    init() {
        let store = MemoryObjectStore(clock: clock)
        let clock = clock
        let devices = (0..<2).map { EngineDevice(DeviceSetup(number: $0, store: store, clock: clock, seed: 7)) }
        (author, other) = (devices[0], devices[1])
    }

    private func place(_ device: EngineDevice) throws -> Place { try #require(device.folder.place("film")) }

    /// Too much to be in its record.
    private func bytes(_ seed: Int) -> [UInt8] { (0..<200_000).map { UInt8(truncatingIfNeeded: $0 >> 8 ^ $0 ^ seed) } }

    /// The author has edited a file whose place on the other device may not be written.
    private func edit() async throws {
        author.folder.create(bytes(1), at: try place(author))
        try await Quiescence(devices: [author, other], clock: clock).reach()
        author.folder.save(bytes(2), at: try place(author))
        clock.advance(by: RunPlan.tick)
        _ = try await author.scan()
        try await author.commit(compacting: false)
        other.folder.failures = [
            FolderFailure(.exchange, error: DriveError(.permissionDenied, "cannot exchange it: not permitted"))
        ]
    }

    /// As a watch does it.
    private func pass() async throws -> WatchPassOutcome {
        clock.advance(by: RunPlan.tick)
        return try await other.engine.perform(WatchSchedule.Work(scansEverything: true, fetches: true)) { nil }
    }

    private func causes() throws -> [Cause] { try StandingMemory(other.state).obstacles().map(\.cause) }

    @Test func whatIsForItIsFetchedOnce() async throws {
        try await edit()
        var staged = 0
        other.folder.beforeOperation = { operation throws(DriveError) in
            if operation.kind == .stageFile { staged += 1 }
        }
        for _ in 0..<5 {
            let outcome = try await pass()
            #expect(!outcome.looksAgain)
        }
        #expect(staged == 1)
        #expect(try causes() == [.notWritable])
        #expect(try other.state.problems().map(\.path) == ["film"])
        // It can be told without trying that nothing is better now.
        clock.advance(by: 60_000)
        _ = try await pass()
        #expect(staged == 1)
        other.folder.failures = []
        clock.advance(by: 120_000)
        _ = try await pass()
        #expect(staged == 2)
        #expect(other.folder.tree() == author.folder.tree())
        #expect(try causes().isEmpty)
    }

    @Test func itIsTriedAgainOnceSomethingChangesThere() async throws {
        try await edit()
        _ = try await pass()
        other.folder.failures = []
        _ = try await pass()
        #expect(other.folder.tree() != author.folder.tree())
        other.folder.setMode(0o600, at: try place(other))
        _ = try await pass()
        #expect(other.folder.tree() == author.folder.tree())
    }

    /// A name that this disk cannot hold: why is told, and it comes once it has another.
    @Test(arguments: [false, true])
    func anImpossibleNameIsToldAndFetchedForOnce(isFolder: Bool) async throws {
        other.folder.options.longestName = 60
        let name = DrivePath(String(repeating: "x", count: 100))
        let place = try #require(author.folder.place(name))
        if isFolder { author.folder.makeFolder(at: place) } else { author.folder.create(bytes(1), at: place) }
        clock.advance(by: RunPlan.tick)
        _ = try await author.scan()
        try await author.commit(compacting: false)
        var staged = 0
        other.folder.beforeOperation = { operation throws(DriveError) in
            if operation.kind == .stageFile { staged += 1 }
        }
        for _ in 0..<3 {
            let outcome = try await pass()
            #expect(!outcome.looksAgain)
        }
        clock.advance(by: 60_000)
        _ = try await pass()
        try await other.restart(afterPowerCut: false)
        clock.advance(by: RunPlan.tick)
        _ = try await other.engine.sync()
        #expect(staged == (isFolder ? 0 : 1))
        #expect(try causes() == [.impossible])
        #expect(try other.state.problems().map(\.path) == [name])
        author.folder.move(from: place, to: try #require(author.folder.place("short")))
        try await Quiescence(devices: [author, other], clock: clock).reach()
        #expect(other.folder.tree() == author.folder.tree())
        #expect(try causes().isEmpty)
    }

    /// So is one to which something that is here is renamed.
    @Test(arguments: [false, true])
    func aRenameToAnImpossibleNameIsTold(isFolder: Bool) async throws {
        let short = try #require(author.folder.place("short"))
        if isFolder { author.folder.makeFolder(at: short) } else { author.folder.create(bytes(1), at: short) }
        try await Quiescence(devices: [author, other], clock: clock).reach()
        other.folder.options.longestName = 60
        let name = DrivePath(String(repeating: "x", count: 100))
        author.folder.move(from: short, to: try #require(author.folder.place(name)))
        clock.advance(by: RunPlan.tick)
        _ = try await author.scan()
        try await author.commit(compacting: false)
        let outcome = try await pass()
        #expect(!outcome.looksAgain)
        #expect(try causes() == [.impossible])
        #expect(other.folder.tree()["short"] != nil)
    }

    @Test func aLinkWhereThereAreNoneIsToldAndTheRestComes() async throws {
        author.folder.makeLink(to: Array("film".utf8), at: try #require(author.folder.place("a link")))
        author.folder.create(bytes(1), at: try place(author))
        clock.advance(by: RunPlan.tick)
        _ = try await author.scan()
        try await author.commit(compacting: false)
        other.folder.failures = [
            FolderFailure(.stageLink, error: DriveError(.usage, "cannot make the link: this file system cannot do it"))
        ]
        let outcome = try await pass()
        #expect(!outcome.looksAgain)
        #expect(try causes() == [.impossible])
        #expect(other.folder.tree()["film"] != nil && other.folder.tree()["a link"] == nil)
    }

    /// Each `docdrive sync` is a process of its own.
    @Test func anotherProcessFetchesNothingForIt() async throws {
        try await edit()
        _ = try await pass()
        var staged = 0
        other.folder.beforeOperation = { operation throws(DriveError) in
            if operation.kind == .stageFile { staged += 1 }
        }
        try await other.restart(afterPowerCut: false)
        clock.advance(by: RunPlan.tick)
        _ = try await other.engine.sync()
        #expect(staged == 0)
        #expect(try causes() == [.notWritable])
        other.folder.failures = []
        _ = try await other.engine.sync()
        #expect(other.folder.tree() == author.folder.tree())
    }
}
