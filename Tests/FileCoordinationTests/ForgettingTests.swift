import DriveCore
import DriveTesting
import Testing

/// Devices that are gone for good, with the real engine over a store in memory.
struct ForgettingTests {
    private let world = SharedStore()

    private func forgotten(_ device: EngineDevice) throws -> [DeviceID] {
        try device.state.journal().collection.forgotten.map(\.device)
    }

    private func id(_ device: EngineDevice) throws -> DeviceID { try device.state.numbers().device }

    /// All have had `f`; the first has deleted it and announced that its content goes, of which the last has not heard.
    private func withALostDevice() async throws -> (EngineDevice, EngineDevice, lost: EngineDevice) {
        let (a, b, lost) = (world.device(0), world.device(1), world.device(2))
        try a.make("thesis", "f")
        try await world.sync(a, b, lost)
        try a.remove("f")
        try await world.sync(a, b)
        _ = try await a.engine.collect()
        try world.pass(31, on: a)
        _ = try await a.engine.collect()
        try world.pass(2, on: a)
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
        try await a.engine.commit()
        #expect(try await !a.engine.forget(gone))
        #expect(try await isRemoved(a))
        // The other one has heard of it.
        try await b.upkeep()
        #expect(try forgotten(b) == [gone])
    }

    /// A stick was pulled while the device put its last head, and the device is lost.
    @Test func nobodyWaitsForATornHeadOfWhoIsGone() async throws {
        let (a, b, lost) = (world.device(0), world.device(1), world.device(2))
        try a.make("thesis", "f")
        try await world.sync(a, b, lost)
        try lost.make("last", "g")
        _ = try await lost.scan()
        try await lost.commit(compacting: false)
        let gone = try id(lost)
        let head = try #require(lost.state.journal().heads.last)
        world.objects.damage(try #require(world.objects.keys.first { $0.hasSuffix(head) })) { _ in [] }
        func waits(_ device: EngineDevice) throws -> Bool {
            try device.state.problems().contains { $0.source == .fetch }
        }
        for device in [a, b] {
            _ = try await device.engine.step()
            #expect(try waits(device))
            guard case .unread([gone]) = try await device.engine.collect() else {
                Issue.record("expected the journal to be unread")
                return
            }
        }
        #expect(try await a.engine.forget(gone))
        try await a.engine.commit()
        try await b.upkeep()
        for device in [a, b] {
            _ = try await device.engine.step()
            #expect(try !waits(device))
            // What its last records need is not known, and may be there still: nothing is removed.
            #expect(try await device.engine.collect() == .unread([gone]))
        }
        // Once it publishes again it is read.
        try lost.make("back", "h")
        try await world.sync(lost, a)
        #expect(a.folder.tree().keys.contains("h") && a.folder.tree().keys.contains("g"))
    }

    @Test func whatAnotherDeviceForgetsIsForgottenHere() async throws {
        let (a, b, lost) = try await withALostDevice()
        #expect(try await b.engine.forget(id(lost)))
        try await b.engine.commit()
        #expect(try await isRemoved(a))
    }

    @Test func whoPublishesIsBack() async throws {
        let (a, b, lost) = try await withALostDevice()
        #expect(try await a.engine.forget(id(lost)))
        try await a.engine.commit()
        try await b.upkeep()
        try lost.make("new", "g")
        try await world.sync(lost, a, b)
        #expect(try forgotten(a).isEmpty && forgotten(b).isEmpty)
        // Nor does anybody forget it again for what the others still say.
        try await b.upkeep()
        try await a.upkeep()
        #expect(try forgotten(a).isEmpty && forgotten(b).isEmpty)
    }

    @Test func whoHasNothingNewIsBackAsWell() async throws {
        let (a, lost) = (world.device(0), world.device(1))
        try a.make("thesis", "f")
        try await world.sync(a, lost, a)
        #expect(try await a.engine.forget(id(lost)))
        try await a.engine.commit()
        // Nobody asks it anything that it would have to answer.
        try await lost.upkeep()
        let heads = world.objects.keys.filter { $0.contains("/head/") }
        try await lost.upkeep()
        #expect(world.objects.keys.filter { $0.contains("/head/") } == heads)
        try await a.upkeep()
        #expect(try forgotten(a).isEmpty)
    }

    /// It had been away, and its person had moved meanwhile what everybody else had deleted.
    @Test func whoComesBackStoresAgainWhatItNeeds() async throws {
        let (a, _, lost) = try await withALostDevice()
        #expect(try await a.engine.forget(id(lost)))
        try await a.engine.commit()
        #expect(try await isRemoved(a))
        try lost.move("f", to: "kept")
        try await world.sync(lost)
        try await lost.upkeep()
        world.clock.advance(by: SharedStore.day)
        try await lost.upkeep()
        try await world.sync(lost, a)
        let newcomer = world.device(3)
        try await world.sync(newcomer)
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
