import DriveCore
import DriveTesting
import Testing

/// The removal of contents that nobody needs, with the real engine over a store in memory.
struct CollectionTests {
    private let world = SharedStore()

    /// Both have had `f`; the first has deleted it, and the other has not heard of that.
    private func withADeletedFile() async throws -> (EngineDevice, EngineDevice) {
        let (a, b) = (world.device(0), world.device(1))
        try a.make("thesis", "f")
        try await world.sync(a, b)
        try a.remove("f")
        try await world.sync(a)
        return (a, b)
    }

    /// Notes what is not needed, and announces it when it is old enough.
    private func announce(_ device: EngineDevice) async throws {
        _ = try await device.engine.collect()
        try world.pass(31, on: device)
        guard case .announced = try await device.engine.collect() else {
            Issue.record("expected an announcement")
            return
        }
    }

    /// What a device knows of the store's copy of what a file had last.
    private func standing(_ name: FileName, _ device: EngineDevice) throws -> LeftContents.Standing {
        let item = try device.state.allItems().first { $0.state.name.value == name }
        let head = try #require(item?.state.heads.first)
        return try LeftContents.load(from: device.state).standing(of: head.content)
    }

    private var packs: [ObjectKey] { world.objects.keys.filter { $0.contains("/pack/") } }

    @Test func whatNobodyNeedsGoesAfterThirtyDaysAndAnAnswerOfEverybody() async throws {
        let (a, b) = (world.device(0), world.device(1))
        try a.make("first", "f")
        try await world.sync(a, b)
        let old = try #require(packs.first)
        try a.make("second", "g")
        try a.remove("f")
        try await world.sync(a, b, a)
        #expect(packs.count == 2)

        guard case .nothing(let unneeded, let until) = try await a.engine.collect() else {
            Issue.record("expected nothing to be old enough")
            return
        }
        #expect(unneeded.objects == 1)
        #expect(until == world.clock.milliseconds() + 30 * SharedStore.day)
        try world.pass(30, on: a)
        guard case .announced(let announced, _) = try await a.engine.collect() else {
            Issue.record("expected an announcement")
            return
        }
        #expect(announced.objects == 1)
        world.clock.advance(by: 2 * SharedStore.day)
        let other = try b.state.numbers().device
        guard case .waiting(_, _, let devices) = try await a.engine.collect(), devices == [other] else {
            Issue.record("expected to wait for the other device")
            return
        }
        #expect(packs.contains(old))
        try await b.upkeep()
        #expect(try await a.engine.collect() == .removed(.init(objects: 1, bytes: announced.bytes)))
        #expect(packs.count == 1 && !packs.contains(old))
        #expect(try standing("f", a) == .removed && standing("f", b) == .given && standing("g", a) == .kept)
        #expect(world.objects.keys.allSatisfy { !$0.contains("/gc/") })
        try await world.sync(a, b)
        #expect(a.folder.tree() == b.folder.tree() && a.folder.tree().count == 1)
        #expect(try await a.faults(hasLostContents: false, isCollecting: true).isEmpty)
    }

    /// Who does not know yet why something is not needed cannot say whether it needs it.
    @Test func nobodyAnswersBeforeItHasReadWhatTheOtherHad() async throws {
        let (a, b) = try await withADeletedFile()
        try await announce(a)
        world.clock.advance(by: 2 * SharedStore.day)
        try await b.upkeep()
        guard case .waiting = try await a.engine.collect() else {
            Issue.record("expected to wait: the other one had not heard of the deletion")
            return
        }
        try await world.sync(b)
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
        world.clock.advance(by: 2 * SharedStore.day)
        try await b.upkeep()
        #expect(try await a.engine.collect() == .removed(.init(objects: 0, bytes: 0)))
        try b.move("f", to: "kept")
        try await world.sync(b, a, b)
        let newcomer = world.device(2)
        try await world.sync(newcomer)
        #expect(newcomer.folder.tree() == b.folder.tree() && newcomer.folder.tree().count == 1)
    }

    @Test func whoWasNotWaitedForStoresAgainWhatItNeeds() async throws {
        let (a, b) = try await withADeletedFile()
        try await announce(a)
        try world.pass(89, on: a)
        guard case .waiting = try await a.engine.collect() else {
            Issue.record("expected to wait for 90 days")
            return
        }
        world.clock.advance(by: SharedStore.day)
        guard case .removed(let size) = try await a.engine.collect(), size.objects == 1 else {
            Issue.record("expected the removal")
            return
        }
        // It was away all the time, and its person had moved the file meanwhile.
        try b.move("f", to: "kept")
        try await world.sync(b)
        try await b.upkeep()
        world.clock.advance(by: SharedStore.day)
        try await b.upkeep()
        try await world.sync(b, a)
        let newcomer = world.device(2)
        try await world.sync(newcomer)
        #expect(newcomer.folder.tree() == b.folder.tree() && newcomer.folder.tree().count == 1)
    }

    /// Whoever has waited long enough for a device tells the others, which do not wait as long once more.
    @Test func aDeviceThatIsGoneHoldsUpRemovalOnceForAllOthers() async throws {
        let (a, b, gone) = (world.device(0), world.device(1), world.device(2))
        try a.make("first", "f")
        try b.make("second", "g")
        try await world.sync(a, b, gone, a)
        try a.remove("f")
        try await world.sync(a, b)
        try await announce(a)
        try await b.upkeep()
        try world.pass(90, on: a)
        guard case .removed(let size) = try await a.engine.collect(), size.objects == 1 else {
            Issue.record("expected the removal")
            return
        }
        try b.remove("g")
        try await world.sync(b, a)
        try await announce(b)
        try await a.upkeep()
        world.clock.advance(by: 2 * SharedStore.day)
        guard case .removed(let size) = try await b.engine.collect(), size.objects == 1 else {
            Issue.record("expected the removal: the first device has waited 90 days for the one that is gone")
            return
        }
        // Whoever comes back shows it with another head, and is waited for.
        try await gone.upkeep()
        try await world.sync(gone, a, b, gone)
        #expect(gone.folder.tree() == a.folder.tree())
        try await a.upkeep()
        try await b.upkeep()
        #expect(try a.state.journal().collection.forgotten.isEmpty)
        #expect(try b.state.journal().collection.forgotten.isEmpty)
    }

    @Test func nothingGoesWhileAJournalCannotBeRead() async throws {
        let (a, b) = (world.device(0), world.device(1))
        try a.make("first", "f")
        try await world.sync(a, b)
        try a.remove("f")
        try b.make("mine", "g")
        try await world.sync(a, b)
        _ = try await a.engine.collect()
        try world.pass(31, on: a)
        let other = try b.state.numbers().device
        for key in world.objects.keys where key.contains("/head/\(other)") {
            world.objects.damage(key) { Array($0.dropLast(9)) }
        }
        #expect(try await a.engine.collect() == .unread([other]))
        #expect(packs.count == 2)
    }

    /// Not by the clock alone: a wrong one would take from all devices what one of them still wants.
    @Test func aClockThatJumpsMakesNothingOlder() async throws {
        let (a, _) = try await withADeletedFile()
        _ = try await a.engine.collect()
        world.clock.advance(by: 3_650 * SharedStore.day)
        guard case .nothing(_, let until) = try await a.engine.collect() else {
            Issue.record("expected nothing to be old enough")
            return
        }
        #expect(until == world.clock.milliseconds() + 23 * SharedStore.day)
    }

    @Test func aTrialChangesNothing() async throws {
        let a = world.device(0)
        try a.make("first", "f")
        try await world.sync(a)
        try a.remove("f")
        try await world.sync(a)
        _ = try await a.engine.collect()
        try world.pass(31, on: a)
        let before = world.objects.keys
        guard case .announced = try await a.engine.collect(isTrial: true) else {
            Issue.record("expected what would be announced")
            return
        }
        #expect(world.objects.keys == before)
        guard case .announced = try await a.engine.collect() else {
            Issue.record("expected the announcement")
            return
        }
    }
}
