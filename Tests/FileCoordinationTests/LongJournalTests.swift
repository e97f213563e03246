import DriveCore
import DriveTesting
import Synchronization
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

    /// What is replaced stays then, and is nobody's trouble.
    @Test func aJournalIsTidiedThoughTheStoreRemovesNothing() async throws {
        let store = MemoryObjectStore(clock: clock)
        let writer = EngineDevice(DeviceSetup(number: 0, store: store, clock: clock, seed: 3))
        store.setHook(for: 0) { operation in
            operation.kind == .delete ? .failure(DriveError(.permissionDenied, "nothing is removed here")) : nil
        }
        for number in 0..<8 {
            clock.advance(by: RunPlan.tick)
            let place = try #require(writer.folder.place(DrivePath([FileName("draft \(number)")])))
            #expect(writer.folder.create([UInt8(number)], at: place))
            _ = try await writer.engine.sync()
        }
        let segments = try writer.state.journal().segments.count
        #expect(segments < 8)
        let newcomer = EngineDevice(DeviceSetup(number: 1, store: store, clock: clock, seed: 3))
        _ = try await newcomer.engine.step()
        #expect(newcomer.folder.tree() == writer.folder.tree() && newcomer.folder.tree().count == 8)
    }

    enum Trouble: CaseIterable { case lost, damaged, full }

    /// What is in the way of tidying is in nobody else's, and tidying is not tried with each change.
    @Test(arguments: Trouble.allCases)
    func changesArePublishedThoughTheJournalCannotBeTidied(trouble: Trouble) async throws {
        let store = MemoryObjectStore(clock: clock)
        let writer = EngineDevice(DeviceSetup(number: 0, store: store, clock: clock, seed: 3)) { $0.longJournal = 16 }
        let tries = Mutex(0)
        for number in 0..<60 {
            clock.advance(by: RunPlan.tick)
            let place = try #require(writer.folder.place(DrivePath([FileName("draft \(number)")])))
            #expect(writer.folder.create([UInt8(number)], at: place))
            _ = try await writer.engine.step()
            #expect(try writer.state.pendingGroups().isEmpty)
            guard number == 3 else { continue }
            let first = try #require(store.keys.first { $0.contains("log/") })
            switch trouble {
            case .lost: store.lose(first)
            case .damaged: store.damage(first) { $0.map { ~$0 } }
            case .full: break
            }
            store.setHook(for: 0) { operation in
                guard operation.kind == .get, operation.key.contains("log/") else { return nil }
                if operation.key == first { tries.withLock { $0 += 1 } }
                return trouble == .full ? .failure(DriveError(.noSpace, "the store is full")) : nil
            }
        }
        if trouble != .lost { #expect((2...20).contains(tries.withLock { $0 })) }
    }
}
