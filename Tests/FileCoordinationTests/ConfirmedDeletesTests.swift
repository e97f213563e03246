import DriveCore
import DriveTesting
import FileCoordination
import Testing

/// Deletes that a person has let through, or an act has made: more than four are too many here, if nobody did.
struct ConfirmedDeletesTests {
    /// What is new is made durable right before the pass is recorded: there the process dies, or the disk is full.
    @Test(arguments: [true, false], [DriveError.simulatedCrash, DriveError(.noSpace, "full")])
    func areLetThroughUntilTheyAreRecorded(wereHeld: Bool, error: DriveError) async throws {
        let world = SharedStore()
        let setup = DeviceSetup(number: 0, store: world.objects, clock: world.clock, seed: 5)
        let device = EngineDevice(setup) {
            $0.brake.floor = 4
            $0.brake.fraction = 0
        }
        let names = (0..<9).map { DrivePath("f\($0)") }
        for name in names { try device.make("old", name) }
        try device.make("stays", "stays")
        _ = try await device.engine.step()
        world.clock.advance(by: 2 * 3_600_000)
        let rows = try names.map { try #require(try device.state.row(at: $0)).id }
        for name in names { try device.remove(name) }
        if wereHeld {
            let outcome = try await device.engine.step()
            #expect(outcome.held == names.count)
        }
        let deletes = HeldDeletes(device.state)
        try deletes.confirm(Set(rows))
        try device.make("new", "new")
        device.folder.beforeOperation = { operation throws(DriveError) in
            if operation.kind == .makeDurable { throw error }
        }
        let ended: Int? = try? await device.scan()
        #expect(ended == nil)
        #expect(try device.state.row(at: "new") == nil, "it comes before what is recorded")
        device.folder.beforeOperation = nil
        device.folder.restart()
        try await device.restart(afterPowerCut: false)
        world.clock.advance(by: RunPlan.tick)
        let outcome = try await device.engine.step()
        #expect(outcome.held == 0)
        #expect(try device.state.heldRowCount() == 0)
        for row in rows { #expect(try device.state.row(row) == nil) }
        #expect(try deletes.confirmed().isEmpty)
    }
}
