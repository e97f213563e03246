import DriveTesting

extension ManualClock {
    /// Each device in turn tells what is new on it, and hears what others have told; nothing is applied.
    func tell(_ devices: [EngineDevice]) async throws {
        for device in devices {
            advance(by: RunPlan.tick)
            _ = try await device.scan()
            try await device.commit(compacting: false)
            try await device.fetch(only: nil)
        }
    }
}
