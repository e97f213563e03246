import DriveCore
import DriveTesting
import Testing

/// A store that lost objects gets them again from whoever has the bytes.
@Suite struct StoreLossTests {
    @Test func aStoreThatLostItsPacksGetsTheContentsAgain() async throws {
        let clock = ManualClock()
        let store = MemoryObjectStore(clock: clock)
        let empty = store.image()
        let writer = device(0, store, clock)
        let place = try #require(writer.folder.place("thesis"))
        #expect(writer.folder.create(Array("only copy".utf8), at: place))
        try await turn(writer)
        store.rollBack(to: empty)

        for _ in 0..<3 { try await turn(writer) }
        let newcomer = device(1, store, clock)
        for _ in 0..<2 { try await turn(newcomer) }

        #expect(newcomer.folder.tree() == writer.folder.tree())
        #expect(newcomer.folder.tree().count == 1)
        #expect(writer.folder.contents(of: .trash).isEmpty)
    }

    /// Some servers answer that they have what they kept a part of, or nothing.
    @Test(arguments: [40, 300_000], [true, false])
    func whatTheStoreDidNotKeepWholeIsStoredAgain(size: Int, keepsHalf: Bool) async throws {
        let clock = ManualClock()
        let store = MemoryObjectStore(clock: clock)
        let writer = device(0, store, clock)
        let place = try #require(writer.folder.place("thesis"))
        var random = SeededGenerator(seed: 5)
        #expect(writer.folder.create((0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }, at: place))
        _ = try await writer.scan()
        let object = try #require(store.keys.first { $0.contains(size < 1_000 ? "/pack/" : "/blob/") })
        if keepsHalf { store.damage(object) { Array($0.prefix($0.count / 2)) } } else { store.lose(object) }
        // A process asks once whether what an earlier one stored is there.
        writer.folder.restart()
        try await writer.restart(afterPowerCut: false)
        _ = try await writer.engine.sync()
        let newcomer = device(1, store, clock)
        for _ in 0..<2 { try await turn(newcomer) }
        #expect(newcomer.folder.tree() == writer.folder.tree() && newcomer.folder.tree().count == 1)
    }

    /// A store that takes nothing may give: what others have published is brought.
    @Test(arguments: [DriveError.Kind.noSpace, .permissionDenied, .readOnly])
    func aStoreThatTakesNothingGives(kind: DriveError.Kind) async throws {
        let clock = ManualClock()
        let store = MemoryObjectStore(clock: clock)
        let (one, other) = (device(0, store, clock), device(1, store, clock))
        for device in [one, other] { _ = try await device.engine.sync() }
        store.setHook(for: 1) { operation in
            operation.kind == .put ? .failure(DriveError(kind, "the store takes nothing", path: "/store")) : nil
        }
        clock.advance(by: RunPlan.tick)
        #expect(one.folder.create([1], at: try #require(one.folder.place("from one"))))
        #expect(other.folder.create([2], at: try #require(other.folder.place("from other"))))
        _ = try await one.engine.sync()
        let refusal = await #expect(throws: DriveError.self) { _ = try await other.engine.sync() }
        #expect(refusal?.kind == kind)
        #expect(other.folder.tree().count == 2 && one.folder.tree().count == 1)
        store.setHook(for: 1, nil)
        for device in [other, one] { _ = try await device.engine.sync() }
        #expect(one.folder.tree() == other.folder.tree() && one.folder.tree().count == 2)
    }

    @Test func whatADeadDeviceHadPublishedIsOfferedByWhoHasIt() async throws {
        let clock = ManualClock()
        let store = MemoryObjectStore(clock: clock)
        let empty = store.image()
        let dead = device(0, store, clock)
        let place = try #require(dead.folder.place("thesis"))
        #expect(dead.folder.create(Array("only copy".utf8), at: place))
        try await turn(dead)
        let reader = device(1, store, clock)
        try await turn(reader)
        // Its own head is there still: it takes longer to tell that another's is not just late.
        let own = "\(try reader.state.numbers().device)"
        store.rollBack(to: empty) { $0.contains(own) }

        // Late listings are not losses.
        try await turn(reader)
        clock.advance(by: 1_000)
        try await turn(reader)
        #expect(try reader.state.numbers().last == 0)
        clock.advance(by: 3_600_000)
        for _ in 0..<3 { try await turn(reader) }
        let newcomer = device(2, store, clock)
        for _ in 0..<2 { try await turn(newcomer) }

        #expect(newcomer.folder.tree() == reader.folder.tree())
        #expect(newcomer.folder.tree().count == 1)
        let records = try reader.state.numbers().last
        clock.advance(by: 7_200_000)
        try await turn(reader)
        #expect(try reader.state.numbers().last == records)
    }

    /// Of a dead device's journal an older head is left.
    @Test func whatOnlyALostHeadNamedIsOfferedByWhoHasIt() async throws {
        let clock = ManualClock()
        let store = MemoryObjectStore(clock: clock)
        let dead = device(0, store, clock)
        #expect(dead.folder.create(Array("first".utf8), at: try #require(dead.folder.place("first"))))
        try await turn(dead)
        let before = Set(store.keys)
        #expect(dead.folder.create(Array("second".utf8), at: try #require(dead.folder.place("second"))))
        try await turn(dead)
        let reader = device(1, store, clock)
        try await turn(reader)
        let head = "/head/\(try dead.state.numbers().device)."
        store.lose(try #require(store.keys.first { $0.contains(head) && !before.contains($0) }))
        #expect(store.keys.contains { $0.contains(head) })

        try await turn(reader)
        clock.advance(by: 3_600_000)
        for _ in 0..<3 { try await turn(reader) }
        let newcomer = device(2, store, clock)
        for _ in 0..<2 { try await turn(newcomer) }
        #expect(newcomer.folder.tree() == reader.folder.tree() && newcomer.folder.tree().count == 2)
        let records = try reader.state.numbers().last
        for _ in 0..<3 {
            clock.advance(by: 7_200_000)
            try await turn(reader)
        }
        #expect(try reader.state.numbers().last == records)
    }

    private func device(_ number: Int, _ store: MemoryObjectStore, _ clock: ManualClock) -> EngineDevice {
        EngineDevice(DeviceSetup(number: number, store: store, clock: clock, seed: 11))
    }

    private func turn(_ device: EngineDevice) async throws {
        _ = try await device.scan()
        try await device.commit(compacting: false)
        try await device.fetch(only: nil)
        try await device.apply()
    }
}
