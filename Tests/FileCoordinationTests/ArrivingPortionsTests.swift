import DriveCore
import DriveTesting
import FileCoordination
import Testing

/// What is new comes in portions; what leaves is judged by what was here before.
struct ArrivingPortionsTests {
    private let clock = ManualClock()

    private func pass(_ device: EngineDevice) async throws -> DriveEngine.PassOutcome {
        clock.advance(by: RunPlan.tick)
        return try await device.engine.step()
    }

    @Test func whatArrivesDoesNotMakeDeletesHarmless() async throws {
        let store = MemoryObjectStore(clock: clock)
        let a = EngineDevice(DeviceSetup(number: 0, store: store, clock: clock, seed: 5))
        let b = EngineDevice(DeviceSetup(number: 1, store: store, clock: clock, seed: 5)) {
            $0.brake.floor = 2
            $0.applyPortion = 4
        }
        let old = (0..<8).map { DrivePath([FileName("old\($0)")]) }
        for path in old { a.folder.create([1], at: try #require(a.folder.place(path))) }
        _ = try await pass(a)
        #expect(try await pass(b).applied.placed == 8)
        for path in old.prefix(4) { #expect(a.folder.remove(at: try #require(a.folder.place(path)))) }
        for n in 0..<40 { a.folder.create([2], at: try #require(a.folder.place(DrivePath([FileName("new\(n)")])))) }
        _ = try await pass(a)
        let outcome = try await pass(b).applied
        #expect(outcome.placed == 40)
        #expect(outcome.held == 4)
        #expect(b.folder.tree().count == 48)
    }
}
