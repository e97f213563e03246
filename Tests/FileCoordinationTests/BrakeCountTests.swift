import DriveCore
import DriveTesting
import FileCoordination
import Testing

/// What counts towards holding deletes, over an hour. More than four are too many here.
struct BrakeCountTests {
    private let clock = ManualClock()

    private func pass(_ device: EngineDevice) async throws -> DriveEngine.PassOutcome {
        clock.advance(by: RunPlan.tick)
        return try await device.engine.step()
    }

    /// With 20 files of hours ago.
    private func device() async throws -> EngineDevice {
        let store = MemoryObjectStore(clock: clock)
        let device = EngineDevice(DeviceSetup(number: 0, store: store, clock: clock, seed: 5)) {
            $0.brake.floor = 4
            $0.brake.fraction = 0
        }
        for number in 0..<20 { try make("old\(number)", on: device) }
        _ = try await pass(device)
        clock.advance(by: 2 * 3_600_000)
        return device
    }

    private func make(_ name: String, on device: EngineDevice) throws {
        device.folder.create([1], at: try #require(device.folder.place(DrivePath([FileName(name)]))))
    }

    private func remove(_ name: String, on device: EngineDevice) throws {
        #expect(device.folder.remove(at: try #require(device.folder.place(DrivePath([FileName(name)])))))
    }

    @Test(arguments: [true, false])
    func aDecisionEndsTheCountOfItsOwnDirection(_ isOwn: Bool) async throws {
        let device = try await device()
        for number in 0..<3 { try remove("old\(number)", on: device) }
        #expect(try await pass(device).held == 0)
        for number in 3..<6 { try remove("old\(number)", on: device) }
        #expect(try await pass(device).held == 3)
        let deletes = HeldDeletes(device.state)
        try deletes.confirm(Set(device.state.heldRows().map(\.id)))
        try IncomingDeletes(device.engine.parts).confirmed(own: isOwn, others: !isOwn)
        #expect(try await pass(device).held == 0)
        for number in 6..<8 { try remove("old\(number)", on: device) }
        #expect(try await pass(device).held == (isOwn ? 0 : 2))
    }

    /// As by a clock without its battery: all files have births that are to come.
    @Test func filesOfTheFutureCountAsOldOnes() async throws {
        let device = try await device()
        clock.advance(by: 0 &- 365 * 86_400_000)
        for number in 0..<3 { try remove("old\(number)", on: device) }
        #expect(try await pass(device).held == 0)
        for number in 3..<6 { try remove("old\(number)", on: device) }
        #expect(try await pass(device).held == 3)
    }

    /// It was ahead when the first of them went, or is behind now.
    @Test(arguments: [2, 48, 8_760] as [UInt64])
    func deletesAddUpWhereTheClockIsSetBack(_ hours: UInt64) async throws {
        let device = try await device()
        for number in 0..<3 { try remove("old\(number)", on: device) }
        #expect(try await pass(device).held == 0)
        clock.advance(by: 0 &- hours * 3_600_000)
        #expect(try device.state.passedDeletes(clock: clock.milliseconds()) == 3)
        for number in 3..<6 { try remove("old\(number)", on: device) }
        #expect(try await pass(device).held == 3)
    }

    @Test func anHourAfterTheClockWasSetBackTheyAreOver() async throws {
        let device = try await device()
        for number in 0..<3 { try remove("old\(number)", on: device) }
        #expect(try await pass(device).held == 0)
        clock.advance(by: 0 &- 365 * 86_400_000)
        _ = try device.state.lookAtClock(clock.milliseconds())
        clock.advance(by: 3_600_000)
        #expect(try device.state.passedDeletes(clock: clock.milliseconds()) == 0)
        for number in 3..<6 { try remove("old\(number)", on: device) }
        #expect(try await pass(device).held == 0)
    }

    @Test func whatComesAndGoesWithinTheHourCountsOnlyAtOnce() async throws {
        let device = try await device()
        for round in 0..<4 {
            for number in 0..<3 { try make("\(round) \(number)", on: device) }
            _ = try await pass(device)
            for number in 0..<3 { try remove("\(round) \(number)", on: device) }
            #expect(try await pass(device).held == 0)
        }
        for number in 0..<5 { try make("many \(number)", on: device) }
        _ = try await pass(device)
        for number in 0..<5 { try remove("many \(number)", on: device) }
        #expect(try await pass(device).held == 5)
    }
}
