import DriveCore
import DriveTesting
import Testing

/// Disks that cannot hold a date as it was set: what they make of it is nobody's change.
struct DiskDateTests {
    private let clock = ManualClock()
    private let date = FileTime(seconds: 4_102_444_801, nanoseconds: 123_456_789)

    private enum Disk: CaseIterable { case ofWholeSeconds, ofTwoSeconds, until2038, both }

    private func device(_ number: Int, _ store: MemoryObjectStore, _ disk: Disk? = nil) -> EngineDevice {
        var setup = DeviceSetup(number: number, store: store, clock: clock, seed: 7)
        var options = MemoryFolder.Options()
        switch disk {
        case .ofWholeSeconds: options.timeGranularity = 1_000_000_000
        case .ofTwoSeconds: options.timeGranularity = 2_000_000_000
        case .until2038, .both: options.lastTime = FileTime(seconds: 2_147_483_647)
        case nil: break
        }
        if disk == .both { options.timeGranularity = 1_000_000_000 }
        setup.folder = MemoryFolder(clock: clock, options: options)
        return EngineDevice(setup)
    }

    private func place(on device: EngineDevice) throws -> Place { try #require(device.folder.place("file")) }

    private func date(on device: EngineDevice) throws -> FileTime? {
        device.folder.facts(at: try place(on: device))?.modified
    }

    /// The records that each of the scans made.
    @discardableResult
    private func sync(_ devices: EngineDevice...) async throws -> [Int] {
        var records: [Int] = []
        for device in devices {
            clock.advance(by: 10 * RunPlan.tick)
            records.append(try await device.scan())
            try await device.commit(compacting: false)
            try await device.fetch(only: nil)
            try await device.apply()
        }
        return records
    }

    private func pair(_ disk: Disk) async throws -> (EngineDevice, EngineDevice) {
        let store = MemoryObjectStore(clock: clock)
        let (one, other) = (device(0, store), device(1, store, disk))
        one.folder.create(Array("file".utf8), at: try place(on: one))
        try await sync(one, other, one, other)
        clock.advance(by: 10 * RunPlan.tick)
        one.folder.touch(date, at: try place(on: one))
        return (one, other)
    }

    @Test(arguments: Disk.allCases) private func aDateThatAnotherDeviceSetComesBackFromNobody(_ disk: Disk) async throws
    {
        let (one, other) = try await pair(disk)
        #expect(try await sync(one, other, other, one, other) == [1, 0, 0, 0, 0])
        #expect(try date(on: one) == date)
        #expect(try date(on: other) != date)
        // Looked at again for another reason.
        clock.advance(by: 10 * RunPlan.tick)
        other.folder.setExecutable(true, at: try place(on: other))
        #expect(try await sync(other, one, other, one) == [1, 0, 0, 0])
        #expect(one.folder.isExecutable(at: try place(on: one)))
        #expect(try date(on: one) == date)
    }

    @Test(arguments: Disk.allCases) private func aDateThatAPersonSetsThereGoesOn(_ disk: Disk) async throws {
        let (one, other) = try await pair(disk)
        let before = try #require(try date(on: other))
        try await sync(one, other)
        clock.advance(by: 10 * RunPlan.tick)
        other.folder.touch(before, at: try place(on: other))
        #expect(try await sync(other, one, other) == [1, 0, 0])
        #expect(try date(on: one) == before)
        #expect(try date(on: other) == before)
    }

    /// At every call of the apply that sets it.
    @Test(arguments: Disk.allCases, [false, true])
    private func aDeathMeanwhileChangesNothingOfThat(_ disk: Disk, isAfter: Bool) async throws {
        var call = 0
        while true {
            let (one, other) = try await pair(disk)
            try await sync(one)
            _ = try await other.scan()
            try await other.fetch(only: nil)
            let hasEnded = try await other.applyUntilDeath(at: call, isAfter: isAfter)
            #expect(try await sync(other, one, other) == [0, 0, 0], "call \(call)")
            #expect(try date(on: one) == date, "call \(call)")
            if hasEnded { break }
            call += 1
        }
        #expect(call > 2)
    }
}
