import DriveCore
import DriveTesting
import Testing

/// A journal is tidied though changes never pause.
struct LongJournalTests {
    private let clock = ManualClock()

    @Test func aJournalStaysShortWhileChangesGoOn() async throws {
        let store = MemoryObjectStore(clock: clock)
        let writer = EngineDevice(DeviceSetup(number: 0, store: store, clock: clock, seed: 3)) { $0.longJournal = 8 }
        for number in 0..<100 {
            clock.advance(by: RunPlan.tick)
            let place = try #require(writer.folder.place(DrivePath([FileName("draft \(number % 20)")])))
            _ = writer.folder.remove(at: place)
            #expect(writer.folder.create([UInt8(number)], at: place))
            _ = try await writer.engine.step()
            #expect(try writer.state.journal().segments.count < 8)
        }
        let newcomer = EngineDevice(DeviceSetup(number: 1, store: store, clock: clock, seed: 3))
        _ = try await newcomer.engine.step()
        #expect(newcomer.folder.tree() == writer.folder.tree())
        #expect(newcomer.folder.tree().count == 20)
    }

    /// What is wrong with the journal does not stand in the way of new changes.
    @Test func changesArePublishedThoughTheJournalCannotBeTidied() async throws {
        let store = MemoryObjectStore(clock: clock)
        let writer = EngineDevice(DeviceSetup(number: 0, store: store, clock: clock, seed: 3)) { $0.longJournal = 8 }
        for number in 0..<20 {
            clock.advance(by: RunPlan.tick)
            let place = try #require(writer.folder.place(DrivePath([FileName("draft \(number)")])))
            #expect(writer.folder.create([UInt8(number)], at: place))
            _ = try await writer.engine.step()
            if number == 3 { store.lose(try #require(store.keys.first { $0.contains("log/") })) }
            #expect(try writer.state.pendingGroups().isEmpty)
        }
    }
}
