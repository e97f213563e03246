import DriveCore
import DriveTesting
import FileCoordination
import Synchronization
import Testing

/// What lies on this disk of a large content is not fetched again.
struct DownloadTests {
    private let clock = ManualClock()
    private let store: MemoryObjectStore
    private let a: EngineDevice
    private let b: EngineDevice
    private let gets = Gets()

    /// The calls of device 1 for contents.
    private final class Gets: Sendable {
        private let state = Mutex<(count: Int, failsFrom: Int, error: DriveError)>(
            (0, .max, DriveError(.unreachable, "the network went")))

        func next() -> StoreFault? {
            state.withLock { state in
                state.count += 1
                return state.count > state.failsFrom ? .failure(state.error) : nil
            }
        }

        /// How many there were since the last time.
        func take() -> Int {
            state.withLock { state in
                defer { state.count = 0 }
                return state.count
            }
        }

        func fail(after count: Int) { state.withLock { ($0.count, $0.failsFrom) = (0, count) } }
    }

    init() {
        let store = MemoryObjectStore(clock: clock)
        self.store = store
        let clock = clock
        let devices = (0..<2).map { number in
            EngineDevice(
                DeviceSetup(number: number, store: store, clock: clock, seed: 7), adjust: { $0.keptDownload = 8 << 20 })
        }
        (a, b) = (devices[0], devices[1])
        store.setHook(for: 1) { [gets] operation in
            operation.kind == .get && operation.key.contains("/blob/") ? gets.next() : nil
        }
    }

    private func bytes(_ count: Int, seed: UInt64 = 3) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count / 8).flatMap { _ in
            withUnsafeBytes(of: generator.next() as UInt64) { Array($0) }
        }
    }

    private func send() async throws {
        clock.advance(by: RunPlan.tick)
        _ = try await a.scan()
        try await a.commit(compacting: false)
    }

    private func bring() async throws {
        clock.advance(by: RunPlan.tick)
        try await b.fetch(only: nil)
        try await b.apply()
    }

    private func put(_ bytes: [UInt8]) throws {
        let place = try #require(a.folder.place("video"))
        if a.folder.tree()["video"] == nil {
            a.folder.create(bytes, at: place)
        } else {
            a.folder.write(bytes, at: place)
        }
    }

    /// Brings these bytes from one device to the other; how many calls that took.
    private func share(_ bytes: [UInt8]) async throws -> Int {
        try put(bytes)
        try await send()
        try await bring()
        return gets.take()
    }

    private var isThere: Bool { a.folder.tree() == b.folder.tree() && a.folder.tree().count == 1 }

    private var staged: [[UInt8]] { Array(b.folder.contents(of: .incoming)) }

    @Test func onlyChunksThatChangedAreFetched() async throws {
        var bytes = bytes(12 << 20)
        let all = try await share(bytes)
        #expect(isThere && all > 6)
        bytes.replaceSubrange(6 << 20..<6 << 20 + 100, with: repeatElement(0x61, count: 100))
        bytes.insert(0x62, at: 3)
        #expect((1...5).contains(try await share(bytes)))
        #expect(isThere)
        #expect(staged.isEmpty)
    }

    @Test func whatIsNotAsItWasIsFetched() async throws {
        var bytes = bytes(12 << 20)
        let all = try await share(bytes)
        // Behind everybody's back, as a failing disk does.
        var damaged = bytes
        for place in stride(from: 0, to: bytes.count, by: 100_000) { damaged[place] ^= 1 }
        #expect(b.folder.writeSilently(damaged, at: try #require(b.folder.place("video"))))
        bytes[6 << 20] ^= 1
        #expect(try await share(bytes) == all)
        // What nobody has recorded is not replaced before a scan has looked at it.
        #expect(b.folder.tree()["video"] == .file(damaged))
    }

    @Test func aDownloadThatEndedEarlyGoesOn() async throws {
        try put(bytes(12 << 20))
        try await send()
        gets.fail(after: 6)
        await #expect(throws: DriveError.self) { try await bring() }
        #expect(gets.take() == 7 && staged.count == 1)
        // It ends even earlier, in a process that died.
        gets.fail(after: 0)
        try await b.restart(afterPowerCut: false)
        await #expect(throws: DriveError.self) { try await bring() }
        #expect(gets.take() == 1 && staged.count == 1)
        gets.fail(after: .max)
        try await b.restart(afterPowerCut: false)
        try await bring()
        let rest = gets.take()
        #expect(isThere && staged.isEmpty && rest > 0)

        let newcomer = EngineDevice(DeviceSetup(number: 2, store: store, clock: clock, seed: 7))
        let whole = Gets()
        store.setHook(for: 2) { operation in
            operation.kind == .get && operation.key.contains("/blob/") ? whole.next() : nil
        }
        try await newcomer.fetch(only: nil)
        try await newcomer.apply()
        #expect(whole.take() == rest + 6)
    }

    @Test func whatNobodyAskedForInAWeekGoes() async throws {
        try put(bytes(12 << 20))
        try await send()
        gets.fail(after: 6)
        await #expect(throws: DriveError.self) { try await bring() }
        #expect(staged.count == 1)
        clock.advance(by: 8 * 86_400_000)
        try await b.restart(afterPowerCut: false)
        gets.fail(after: 0)
        await #expect(throws: DriveError.self) { try await bring() }
        #expect(staged.isEmpty)
    }

    @Test func aFullDiskGetsTheRoomBack() async throws {
        try put(bytes(12 << 20))
        try await send()
        gets.fail(after: 6)
        await #expect(throws: DriveError.self) { try await bring() }
        #expect(staged.count == 1)
        gets.fail(after: .max)
        // Enough for the file and a tenth, not for what there is of it as well.
        b.folder.options.capacity = 18 << 20
        try await bring()
        #expect(isThere && staged.isEmpty)
    }
}
