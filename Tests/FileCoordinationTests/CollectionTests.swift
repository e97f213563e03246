import DriveCore
import DriveTesting
import Testing

/// The removal of contents that nobody needs, with the real engine over a store in memory.
struct CollectionTests {
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

    private func remove(_ name: DrivePath, on device: EngineDevice) throws {
        #expect(device.folder.remove(at: try #require(device.folder.place(name))))
    }

    /// Both have had `f`; the first has deleted it, and the other has not heard of that.
    private func withADeletedFile() async throws -> (EngineDevice, EngineDevice) {
        let (a, b) = (device(0), device(1))
        try make("thesis", "f", on: a)
        try await sync(a, b)
        try remove("f", on: a)
        try await sync(a)
        return (a, b)
    }

    /// So many days, of which the device sees every one.
    private func pass(_ days: Int, on device: EngineDevice) throws {
        for _ in 0..<days {
            clock.advance(by: Self.day)
            _ = try device.state.lookAtClock(clock.milliseconds())
        }
    }

    /// Notes what is not needed, and announces it when it is old enough.
    private func announce(_ device: EngineDevice) async throws {
        _ = try await device.engine.collect()
        try pass(31, on: device)
        guard case .announced = try await device.engine.collect() else {
            Issue.record("expected an announcement")
            return
        }
    }

    private var packs: [ObjectKey] { store.keys.filter { $0.contains("/pack/") } }

    @Test func whatNobodyNeedsGoesAfterThirtyDaysAndAnAnswerOfEverybody() async throws {
        let (a, b) = (device(0), device(1))
        try make("first", "f", on: a)
        try await sync(a, b)
        let old = try #require(packs.first)
        try make("second", "g", on: a)
        try remove("f", on: a)
        try await sync(a, b, a)
        #expect(packs.count == 2)

        guard case .nothing(let unneeded, let until) = try await a.engine.collect() else {
            Issue.record("expected nothing to be old enough")
            return
        }
        #expect(unneeded.objects == 1)
        #expect(until == clock.milliseconds() + 30 * Self.day)
        try pass(30, on: a)
        guard case .announced(let announced, _) = try await a.engine.collect() else {
            Issue.record("expected an announcement")
            return
        }
        #expect(announced.objects == 1)
        clock.advance(by: 2 * Self.day)
        let other = try b.state.numbers().device
        guard case .waiting(_, _, let devices) = try await a.engine.collect(), devices == [other] else {
            Issue.record("expected to wait for the other device")
            return
        }
        #expect(packs.contains(old))
        try await b.upkeep()
        #expect(try await a.engine.collect() == .removed(.init(objects: 1, bytes: announced.bytes)))
        #expect(packs.count == 1 && !packs.contains(old))
        #expect(store.keys.allSatisfy { !$0.contains("/gc/") })
        try await sync(a, b)
        #expect(a.folder.tree() == b.folder.tree() && a.folder.tree().count == 1)
        #expect(try await a.faults(hasLostContents: false, isCollecting: true).isEmpty)
    }

    /// Who does not know yet why something is not needed cannot say whether it needs it.
    @Test func nobodyAnswersBeforeItHasReadWhatTheOtherHad() async throws {
        let (a, b) = try await withADeletedFile()
        try await announce(a)
        clock.advance(by: 2 * Self.day)
        try await b.upkeep()
        guard case .waiting = try await a.engine.collect() else {
            Issue.record("expected to wait: the other one had not heard of the deletion")
            return
        }
        try await sync(b)
        try await b.upkeep()
        guard case .removed(let size) = try await a.engine.collect(), size.objects == 1 else {
            Issue.record("expected the removal")
            return
        }
    }

    @Test func whoBringsAFileBackKeepsItsContent() async throws {
        let (a, b) = try await withADeletedFile()
        // The other one has heard of the deletion, and its person moves the file before it is carried out.
        try await b.fetch(only: nil)
        try await announce(a)
        clock.advance(by: 2 * Self.day)
        try await b.upkeep()
        #expect(try await a.engine.collect() == .removed(.init(objects: 0, bytes: 0)))
        let (from, to) = (try #require(b.folder.place("f")), try #require(b.folder.place("kept")))
        #expect(b.folder.move(from: from, to: to))
        try await sync(b, a, b)
        let newcomer = device(2)
        try await sync(newcomer)
        #expect(newcomer.folder.tree() == b.folder.tree() && newcomer.folder.tree().count == 1)
    }

    @Test func whoWasNotWaitedForStoresAgainWhatItNeeds() async throws {
        let (a, b) = try await withADeletedFile()
        try await announce(a)
        try pass(89, on: a)
        guard case .waiting = try await a.engine.collect() else {
            Issue.record("expected to wait for 90 days")
            return
        }
        clock.advance(by: Self.day)
        guard case .removed(let size) = try await a.engine.collect(), size.objects == 1 else {
            Issue.record("expected the removal")
            return
        }
        // It was away all the time, and its person had moved the file meanwhile.
        let (from, to) = (try #require(b.folder.place("f")), try #require(b.folder.place("kept")))
        #expect(b.folder.move(from: from, to: to))
        try await sync(b)
        try await b.upkeep()
        clock.advance(by: Self.day)
        try await b.upkeep()
        try await sync(b, a)
        let newcomer = device(2)
        try await sync(newcomer)
        #expect(newcomer.folder.tree() == b.folder.tree() && newcomer.folder.tree().count == 1)
    }

    @Test func nothingGoesWhileAJournalCannotBeRead() async throws {
        let (a, b) = (device(0), device(1))
        try make("first", "f", on: a)
        try await sync(a, b)
        try remove("f", on: a)
        try make("mine", "g", on: b)
        try await sync(a, b)
        _ = try await a.engine.collect()
        try pass(31, on: a)
        let other = try b.state.numbers().device
        for key in store.keys where key.contains("/head/\(other)") { store.damage(key) { Array($0.dropLast(9)) } }
        #expect(try await a.engine.collect() == .unread([other]))
        #expect(packs.count == 2)
    }

    /// Not by the clock alone: a wrong one would take from all devices what one of them still wants.
    @Test func aClockThatJumpsMakesNothingOlder() async throws {
        let (a, _) = try await withADeletedFile()
        _ = try await a.engine.collect()
        clock.advance(by: 3_650 * Self.day)
        guard case .nothing(_, let until) = try await a.engine.collect() else {
            Issue.record("expected nothing to be old enough")
            return
        }
        #expect(until == clock.milliseconds() + 23 * Self.day)
    }

    @Test func aTrialChangesNothing() async throws {
        let a = device(0)
        try make("first", "f", on: a)
        try await sync(a)
        try remove("f", on: a)
        try await sync(a)
        _ = try await a.engine.collect()
        try pass(31, on: a)
        let before = store.keys
        guard case .announced = try await a.engine.collect(isTrial: true) else {
            Issue.record("expected what would be announced")
            return
        }
        #expect(store.keys == before)
        guard case .announced = try await a.engine.collect() else {
            Issue.record("expected the announcement")
            return
        }
    }
}
