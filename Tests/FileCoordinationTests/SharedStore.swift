import DriveCore
import DriveTesting
import Testing

/// Devices with the real engine over one store in memory, and a clock that is moved by days.
struct SharedStore {
    let clock = ManualClock()
    let objects: MemoryObjectStore
    static let day: UInt64 = 86_400_000

    init() { objects = MemoryObjectStore(clock: clock) }

    func device(_ number: Int) -> EngineDevice {
        EngineDevice(DeviceSetup(number: number, store: objects, clock: clock, seed: 5))
    }

    /// A pass of each, one after the other.
    func sync(_ devices: EngineDevice...) async throws {
        for device in devices {
            _ = try await device.scan()
            try await device.commit(compacting: false)
            try await device.fetch(only: nil)
            try await device.apply()
        }
    }

    /// So many days, of which the device sees every one.
    func pass(_ days: Int, on device: EngineDevice) throws {
        for _ in 0..<days {
            clock.advance(by: Self.day)
            _ = try device.state.lookAtClock(clock.milliseconds())
        }
    }
}

extension EngineDevice {
    func make(_ text: String, _ name: DrivePath) throws {
        #expect(folder.create(Array(text.utf8), at: try #require(folder.place(name))))
    }

    func remove(_ name: DrivePath) throws { #expect(folder.remove(at: try #require(folder.place(name)))) }

    func move(_ name: DrivePath, to other: DrivePath) throws {
        let (from, to) = (try #require(folder.place(name)), try #require(folder.place(other)))
        #expect(folder.move(from: from, to: to))
    }

    /// An apply whose process dies before, or after, the call of the folder of that number, counted from 0, and is started again.
    /// Whether it came to its end before.
    func applyUntilDeath(at call: Int, isAfter: Bool) async throws -> Bool {
        var calls = 0
        let die: (FolderOperation) throws(DriveError) -> Void = { _ throws(DriveError) in
            calls += 1
            if calls == call + 1 { throw .simulatedCrash }
        }
        if isAfter { folder.afterOperation = die } else { folder.beforeOperation = die }
        let ended: Void? = try? await apply()
        (folder.beforeOperation, folder.afterOperation) = (nil, nil)
        folder.restart()
        try await restart(afterPowerCut: false)
        return ended != nil
    }
}
