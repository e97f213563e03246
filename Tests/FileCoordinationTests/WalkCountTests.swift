import DriveCore
import DriveTesting
import FileCoordination
import Testing

/// How often a scan goes through the folder before it believes what it saw.
struct WalkCountTests {
    private let clock = ManualClock()
    private let device: EngineDevice

    init() async throws {
        device = EngineDevice(DeviceSetup(number: 0, store: MemoryObjectStore(clock: clock), clock: clock, seed: 5))
        for name in ["a", "b"] as [DrivePath] { device.folder.create(Array("\(name)".utf8), at: try place(name)) }
        _ = try await scan()
    }

    private func place(_ path: DrivePath) throws -> Place { try #require(device.folder.place(path)) }

    private func scan() async throws -> Int {
        clock.advance(by: RunPlan.tick)
        return try await device.scan()
    }

    private func walks() async throws -> Int {
        var lists = 0
        device.folder.beforeOperation = { operation throws(DriveError) in if operation.kind == .list { lists += 1 } }
        defer { device.folder.beforeOperation = nil }
        #expect(try await scan() == 1)
        return lists
    }

    @Test func aFileThatIsWrittenInItsPlaceIsSeenAtOnce() async throws {
        device.folder.write([1, 2], at: try place("a"))
        #expect(try await walks() == 1)
    }

    @Test func aNewFileIsSeenAtOnce() async throws {
        device.folder.create([1, 2], at: try place("c"))
        #expect(try await walks() == 1)
    }

    @Test func whatIsGoneIsLookedForTwice() async throws {
        device.folder.remove(at: try place("a"))
        #expect(try await walks() == 2)
    }

    /// Another file has the name: the one that had it may be anywhere.
    @Test func whatWasReplacedIsLookedForTwice() async throws {
        device.folder.remove(at: try place("a"))
        device.folder.create([7], at: try place("a"))
        #expect(try await walks() == 2)
    }
}
