import DriveCore
import DriveTesting
import Synchronization
import Testing

@testable import FileCoordination

/// What a watcher tells of is looked at by a scan, unless it is just as it was recorded.
@Suite struct EchoTests {
    private let clock = ManualClock()
    private let device: EngineDevice

    init() async throws {
        var setup = DeviceSetup(number: 0, store: MemoryObjectStore(clock: clock), clock: clock, seed: 5)
        setup.folder = MemoryFolder(clock: clock, options: MemoryFolder.Options())
        setup.isWatching = true
        device = EngineDevice(setup) { options in
            options.ignores = { path, _ in path.name?.bytes.last == 0x7E }
        }
        device.folder.makeFolder(at: try place("a"))
        for name in ["a/f", "a/g"] as [DrivePath] { device.folder.create([1, 2], at: try place(name)) }
        try await scan()
        try await scan()
    }

    private func place(_ path: DrivePath) throws -> Place { try #require(device.folder.place(path)) }

    private func scan() async throws {
        clock.advance(by: RunPlan.tick)
        _ = try await device.scan()
    }

    private func isEcho(_ names: FileName..., in folder: DrivePath = "a") throws -> Bool {
        var touched = TouchedPaths()
        for name in names { touched.insert(name, in: folder) }
        return try Echo(parts: device.engine.parts).isAll(of: touched)
    }

    @Test func aFileThatIsAsRecordedIsOne() throws {
        #expect(try isEcho("f"))
        #expect(try isEcho("f", "g"))
    }

    @Test func aFileThatCameAndWentIsOne() throws { #expect(try isEcho("4913")) }

    @Test func whatIsIgnoredIsOne() throws {
        device.folder.create([1], at: try place("a/f~"))
        #expect(try isEcho("f~"))
        #expect(try isEcho("f~", "f"))
    }

    @Test func aChangeIsNone() throws {
        clock.advance(by: RunPlan.tick)
        device.folder.write([3, 4], at: try place("a/f"))
        #expect(try !isEcho("f"))
        #expect(try !isEcho("g", "f"))
        #expect(try isEcho("g"))
    }

    @Test func aNewFileIsNone() throws {
        device.folder.create([1], at: try place("a/new"))
        #expect(try !isEcho("new"))
    }

    @Test func aDeleteIsNone() throws {
        device.folder.remove(at: try place("a/f"))
        #expect(try !isEcho("f"))
    }

    @Test func anotherFileOfThatNameIsNone() throws {
        device.folder.move(from: try place("a/f"), to: try place("a/h"))
        device.folder.move(from: try place("a/g"), to: try place("a/f"))
        #expect(try !isEcho("f"))
    }

    @Test func aFolderIsNone() throws { #expect(try !isEcho("a", in: .root)) }

    @Test func aFolderThatIsGoneOrAnyNameInOneIsNone() throws {
        #expect(try !isEcho("f", in: "gone"))
        #expect(try !Echo(parts: device.engine.parts).isAll(of: TouchedPaths(whole: ["a"])))
    }

    @Test func rulesAreNone() throws { #expect(try !isEcho(IgnoreRules.fileName)) }

    @Test func manyAreNone() throws {
        var touched = TouchedPaths()
        for number in 0..<40 { touched.insert(FileName("\(number)"), in: "a") }
        #expect(try !Echo(parts: device.engine.parts).isAll(of: touched))
    }

    /// The scan takes back what was said of it.
    @Test func whatAnObstacleStandsForIsNone() async throws {
        device.folder.makeSpecial(at: try place("a/pipe"))
        await #expect(throws: DriveError.self) { try await scan() }
        #expect(try !device.state.problems().isEmpty)
        device.folder.remove(at: try place("a/pipe"))
        #expect(try !isEcho("pipe"))
        #expect(try isEcho("f"))
        try await scan()
        #expect(try device.state.problems().isEmpty)
        #expect(try isEcho("pipe"))
    }

    @Test func aHeldDeleteIsNone() throws {
        var row = try #require(try device.state.row(at: "a/f"))
        row.isHeld = true
        try device.state.save(row)
        #expect(try !isEcho("f"))
    }

    @Test func nothingIsScannedForAnEcho() async throws {
        let scans = Mutex(0)
        device.engine.parts.report = { report in if case .phase(.scan) = report { scans.withLock { $0 += 1 } } }
        var touched = TouchedPaths()
        touched.insert("f", in: "a")
        let scope = ScanScope(touched: touched) { [touched] in touched }
        #expect(try await device.engine.scan(scope).records == 0)
        #expect(scans.withLock { $0 } == 0)
        clock.advance(by: RunPlan.tick)
        device.folder.write([5], at: try place("a/f"))
        #expect(try await device.engine.scan(scope).records == 1)
        #expect(scans.withLock { $0 } == 1)
    }
}
