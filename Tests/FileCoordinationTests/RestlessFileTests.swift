import DriveCore
import DriveTesting
import Testing

@testable import FileCoordination

/// A large file that is written in its place all the time.
struct RestlessFileTests {
    private let clock = ManualClock()
    private let device: EngineDevice
    private static let size = 100

    /// Counts the reads of bytes.
    private final class Count {
        var reads = 0
    }
    private let count = Count()

    init() {
        device = EngineDevice(
            DeviceSetup(number: 0, store: MemoryObjectStore(clock: clock), clock: clock, seed: 7)
        ) { $0.largeFile = UInt64(Self.size) }
    }

    private var image: Place { Place(folder: MemoryFolder.root, name: "image") }

    private func write(_ byte: UInt8) {
        device.folder.write([UInt8](repeating: byte, count: Self.size), at: image)
    }

    /// Each read takes a second, in which the file changes.
    private func startChanging() {
        device.folder.beforeOperation = { [self] operation throws(DriveError) in
            guard operation.kind == .readBytes, operation.name == "image" else { return }
            count.reads += 1
            clock.advance(by: 1_000)
            write(UInt8(truncatingIfNeeded: count.reads))
        }
    }

    private func scan() async throws -> DriveEngine.ScanOutcome {
        count.reads = 0
        return try await device.engine.scan()
    }

    private func arrange() async throws {
        device.folder.create([UInt8](repeating: 0, count: Self.size), at: image)
        _ = try await device.scan()
        startChanging()
        clock.advance(by: 1_000)
        write(1)
    }

    @Test func itIsGivenUpAsSoonAsItChanges() async throws {
        try await arrange()
        try device.make("1", "note")
        let outcome = try await scan()
        #expect(outcome.isUnsettled && outcome.records == 1)
        #expect(count.reads == 2, "once as it is, once for what may be added to")
        #expect(try StandingMemory(device.state).obstacles().map(\.cause) == [.changing])
    }

    @Test func thenItIsLeftAloneForAWhile() async throws {
        try await arrange()
        _ = try await scan()
        clock.advance(by: 1_000)
        write(9)
        try device.make("1", "note")
        let outcome = try await scan()
        #expect(count.reads == 0 && outcome.isUnsettled && outcome.records == 1)
        clock.advance(by: 3_600_000)
        write(10)
        _ = try await scan()
        #expect(count.reads > 0)
    }

    @Test func itIsReadAsSoonAsItIsQuiet() async throws {
        try await arrange()
        _ = try await scan()
        device.folder.beforeOperation = nil
        write(9)
        #expect(try await scan().isUnsettled)
        clock.advance(by: 6_000)
        #expect(try await scan().records == 1)
    }

    @Test func whoAsksForAllHasItRead() async throws {
        try await arrange()
        _ = try await scan()
        device.folder.beforeOperation = nil
        write(9)
        device.engine.readRestless()
        #expect(try await scan().records == 1)
    }

    /// What is added leaves the beginning what it was.
    @Test func aLogThatGrowsIsTaken() async throws {
        device.folder.create([UInt8](repeating: 0, count: Self.size), at: image)
        var length = Self.size
        device.folder.beforeOperation = { [self] operation throws(DriveError) in
            guard operation.kind == .readBytes, operation.name == "image" else { return }
            length += 1
            device.folder.write([UInt8](repeating: 0, count: length), at: image)
        }
        #expect(try await scan().records == 1)
    }
}
