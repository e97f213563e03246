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
