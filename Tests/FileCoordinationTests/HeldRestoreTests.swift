import DriveCore
import DriveTesting
import FileCoordination
import Testing

/// Held deletes that are taken back come again on all devices, whatever another one deletes without knowing of it.
struct HeldRestoreTests {
    private let clock = ManualClock()

    private func pass(_ device: EngineDevice) async throws {
        clock.advance(by: RunPlan.tick)
        _ = try await device.engine.step()
    }

    private static let paths: [DrivePath] = ["d/0", "d/1", "d/2", "d/3", "e"]

    /// On the first more than two deletes are too many, on the other none are. Both have the same tree.
    private func pair(groups: Int) async throws -> (EngineDevice, EngineDevice) {
        let store = MemoryObjectStore(clock: clock)
        let a = EngineDevice(DeviceSetup(number: 0, store: store, clock: clock, seed: 5)) {
            $0.brake.floor = 2
            $0.brake.fraction = 0
            $0.groupRecords = groups
        }
        let b = EngineDevice(DeviceSetup(number: 1, store: store, clock: clock, seed: 5))
        #expect(a.folder.makeFolder(at: try #require(a.folder.place("d"))))
        for path in Self.paths { try a.make("\(path)", path) }
        try a.make("stays", "stays")
        for device in [a, b, a] { try await pass(device) }
        #expect(b.folder.tree() == a.folder.tree())
        clock.advance(by: 2 * 3_600_000)
        return (a, b)
    }

    private func removeAll(_ device: EngineDevice) throws {
        for path in Self.paths { try device.remove(path) }
        try device.remove("d")
    }

    /// The records of many come in several groups.
    @Test(arguments: [true, false], [2, 4_096])
    func whatIsTakenBackStandsAgainstDeletesThatAreHeardOfLater(wasDeletedBefore: Bool, groups: Int) async throws {
        let (a, b) = try await pair(groups: groups)
        let tree = a.folder.tree()
        try removeAll(a)
        try await pass(a)
        let held = try a.state.heldRows()
        #expect(held.count == Self.paths.count + 1)
        if wasDeletedBefore {
            try removeAll(b)
            try await pass(b)
        }
        try a.state.transaction { try a.engine.parts.restoreHeld(Set(held.map(\.id))) }
        if !wasDeletedBefore {
            try removeAll(b)
            try await pass(b)
        }
        for device in [a, b, a, b] { try await pass(device) }
        #expect(a.folder.tree() == tree)
        #expect(b.folder.tree() == tree)
        #expect(try a.state.heldRowCount() == 0)
        for device in [a, b] { #expect(try device.state.conflictRecords().isEmpty, "nobody has edited anything") }
        let told = try b.state.newestEvent(at: "d/2")
        #expect(told?.kind == .added || told?.kind == .recovered, "\(String(describing: told))")
        // Who knows of it may delete it.
        try removeAll(b)
        for device in [b, a] { try await pass(device) }
        #expect(try a.state.row(at: "e") == nil || !HeldDeletes(a.state).incoming().isEmpty)
    }

    /// They say of it that it was kept: nobody has changed it.
    @Test func bothSidesAreToldThatItStays() async throws {
        let (a, b) = try await pair(groups: 4_096)
        try removeAll(a)
        try await pass(a)
        try a.state.transaction { try a.engine.parts.restoreHeld(Set(a.state.heldRows().map(\.id))) }
        try removeAll(b)
        for device in [b, a, b] { try await pass(device) }
        func notes(_ device: EngineDevice) throws -> Set<String> {
            Set(try device.state.events(limit: .max).filter { $0.kind == .recovered }.compactMap(\.note))
        }
        #expect(
            try notes(b) == ["It was deleted here while A kept it; it stays. Delete it again if nobody needs it."])
        #expect(
            try notes(a) == ["B deleted it while it was kept here; it stays. Delete it again if nobody needs it."])
    }
}
