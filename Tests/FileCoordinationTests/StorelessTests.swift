import DriveCore
import DriveTesting
import FileCoordination
import Testing

/// A drive without a store is an index of a folder: passes change nothing in it, and know what is there.
@Suite struct StorelessTests {
    private static func engine(
        _ folder: MemoryFolder, _ state: MemoryState, _ clock: ManualClock, seed: UInt64
    ) -> DriveEngine {
        DriveEngine(
            DriveParts(
                files: folder, state: state, transport: nil, clock: clock, entropy: SeededEntropy(seed: seed)))
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func passesChangeNothingAndKnowAll(seed: UInt64) async throws {
        let clock = ManualClock()
        let folder = MemoryFolder(clock: clock)
        let state = MemoryState(device: DeviceID(high: 7, low: 7), label: "A")
        var engine = Self.engine(folder, state, clock, seed: seed)
        var generator = SeededGenerator(seed: seed)
        var history = History()
        for _ in 0..<12 {
            for _ in 0..<5 {
                clock.advance(by: 1_000)
                _ = SimulatedUser.act(on: folder, device: 0, history: &history, seed: generator.next())
            }
            clock.advance(by: 1_000)
            let before = folder.tree()
            if generator.chance(percent: 20) {
                engine = Self.engine(folder, state, clock, seed: generator.next())
            }
            let outcome = try await engine.sync()
            #expect(folder.tree() == before)
            #expect(folder.contents(of: .trash).isEmpty)
            #expect(outcome.held == 0 && outcome.applied.steps == 0)
            let rows = state.allRows().filter { $0.id != RowID.root }
            #expect(Set(try rows.map { try state.path(of: $0) }) == Set(before.keys))
            #expect(state.dirt().isEmpty)
        }
    }

    @Test func manyDeletesAreNotHeld() async throws {
        let clock = ManualClock()
        let folder = MemoryFolder(clock: clock)
        let state = MemoryState(device: DeviceID(high: 7, low: 7), label: "A")
        let engine = Self.engine(folder, state, clock, seed: 3)
        for number in 0..<2_000 {
            let place = try #require(folder.place(DrivePath(bytes: Array("f\(number)".utf8))))
            #expect(folder.create([1], at: place))
        }
        _ = try await engine.sync()
        for number in 0..<1_999 {
            let place = try #require(folder.place(DrivePath(bytes: Array("f\(number)".utf8))))
            #expect(folder.remove(at: place))
        }
        _ = try await engine.sync()
        #expect(state.rowCount() == 1)
        #expect(state.heldRows().isEmpty)
    }
}
