import DriveCore
import DriveTesting
import Testing

/// Devices that are gone for good, with the real engine over a store in memory.
struct ForgettingTests {
    private let clock = ManualClock()
    private let store: MemoryObjectStore
    private static let day: UInt64 = 86_400_000

    init() { store = MemoryObjectStore(clock: clock) }

    private func device(_ number: Int) -> EngineDevice {
        EngineDevice(DeviceSetup(number: number, store: store, clock: clock, seed: 5))
    }

    private func sync(_ devices: EngineDevice...) async throws {
        for device in devices {
            _ = try await device.scan()
            try await device.commit(compacting: false)
            try await device.fetch(only: nil)
            try await device.apply()
        }
    }

    private func make(_ text: String, _ name: DrivePath, on device: EngineDevice) throws {
        #expect(device.folder.create(Array(text.utf8), at: try #require(device.folder.place(name))))
    }

    private func pass(_ days: Int, on device: EngineDevice) throws {
        for _ in 0..<days {
            clock.advance(by: Self.day)
            _ = try device.state.lookAtClock(clock.milliseconds())
        }
    }

    private func forgotten(_ device: EngineDevice) throws -> [DeviceID] {
        try device.state.journal().collection.forgotten.map(\.device)
    }

    private func id(_ device: EngineDevice) throws -> DeviceID { try device.state.numbers().device }

    /// All have had `f`; the first has deleted it and announced that its content goes, of which the last has not heard.
    private func withALostDevice() async throws -> (EngineDevice, EngineDevice, lost: EngineDevice) {
        let (a, b, lost) = (device(0), device(1), device(2))
        try make("thesis", "f", on: a)
        try await sync(a, b, lost)
        #expect(a.folder.remove(at: try #require(a.folder.place("f"))))
        try await sync(a, b)
        _ = try await a.engine.collect()
        try pass(31, on: a)
        _ = try await a.engine.collect()
        try pass(2, on: a)
        try await b.upkeep()
        return (a, b, lost)
    }

    private func isRemoved(_ device: EngineDevice) async throws -> Bool {
        if case .removed(let size) = try await device.engine.collect() { return size.objects == 1 }
        return false
    }

    @Test func nobodyWaitsForWhoIsGone() async throws {
        let (a, b, lost) = try await withALostDevice()
        let gone = try id(lost)
        guard case .waiting(_, _, let devices) = try await a.engine.collect(), devices == [gone] else {
            Issue.record("expected to wait for the lost device")
            return
        }
        #expect(try await a.engine.forget(gone))
        #expect(try await !a.engine.forget(gone))
        #expect(try await isRemoved(a))
        // The other one has heard of it.
        try await b.upkeep()
        #expect(try forgotten(b) == [gone])
    }

    @Test func whatAnotherDeviceForgetsIsForgottenHere() async throws {
        let (a, b, lost) = try await withALostDevice()
        #expect(try await b.engine.forget(id(lost)))
        #expect(try await isRemoved(a))
    }

    @Test func whoPublishesIsBack() async throws {
        let (a, b, lost) = try await withALostDevice()
        #expect(try await a.engine.forget(id(lost)))
        try await b.upkeep()
        try make("new", "g", on: lost)
        try await sync(lost, a, b)
        #expect(try forgotten(a).isEmpty && forgotten(b).isEmpty)
        // Nor does anybody forget it again for what the others still say.
        try await b.upkeep()
        try await a.upkeep()
        #expect(try forgotten(a).isEmpty && forgotten(b).isEmpty)
    }

    @Test func whoHasNothingNewIsBackAsWell() async throws {
        let (a, lost) = (device(0), device(1))
        try make("thesis", "f", on: a)
        try await sync(a, lost, a)
        #expect(try await a.engine.forget(id(lost)))
        // Nobody asks it anything that it would have to answer.
        try await lost.upkeep()
        let heads = store.keys.filter { $0.contains("/head/") }
        try await lost.upkeep()
        #expect(store.keys.filter { $0.contains("/head/") } == heads)
        try await a.upkeep()
        #expect(try forgotten(a).isEmpty)
    }

    /// It had been away, and its person had moved meanwhile what everybody else had deleted.
    @Test func whoComesBackStoresAgainWhatItNeeds() async throws {
        let (a, _, lost) = try await withALostDevice()
        #expect(try await a.engine.forget(id(lost)))
        #expect(try await isRemoved(a))
        let (from, to) = (try #require(lost.folder.place("f")), try #require(lost.folder.place("kept")))
        #expect(lost.folder.move(from: from, to: to))
        try await sync(lost)
        try await lost.upkeep()
        clock.advance(by: Self.day)
        try await lost.upkeep()
        try await sync(lost, a)
        let newcomer = device(3)
        try await sync(newcomer)
        #expect(newcomer.folder.tree() == lost.folder.tree() && newcomer.folder.tree().count == 1)
    }

    @Test func itselfAndWhoNobodyKnowsAreRefused() async throws {
        let (a, _, _) = try await withALostDevice()
        for device in [try id(a), DeviceID(high: 99, low: 9)] {
            await #expect(throws: DriveError.self) { _ = try await a.engine.forget(device) }
        }
        #expect(try forgotten(a).isEmpty)
    }
}
