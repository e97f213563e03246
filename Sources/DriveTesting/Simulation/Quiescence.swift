import DriveCore

/// Brings devices to rest, and checks on the way that rest is silent: no record without a change, none after the first
/// round, quiet after a few rounds.
public struct Quiescence {
    let devices: [any SimulatedDevice]
    let clock: ManualClock
    /// Called after each apply.
    var afterApply: (Int) -> Void = { _ in }

    /// Records after the first round are no echo.
    var mayRecord = false

    private static let longest = 14

    public init(devices: [any SimulatedDevice], clock: ManualClock) {
        self.devices = devices
        self.clock = clock
    }

    /// Returns the number of rounds. Nobody may act meanwhile, nothing may fail.
    @discardableResult
    public func reach() async throws -> Int {
        var quietRounds = 0
        for round in 0..<Self.longest {
            var isQuiet = true
            for (number, device) in devices.enumerated() {
                if try await !turn(device, isFirst: round == 0) { isQuiet = false }
                afterApply(number)
            }
            quietRounds = isQuiet ? quietRounds + 1 : 0
            // What was recorded after an apply is told with the next turn, and comes with the one after that.
            if round > 1, quietRounds > (mayRecord ? 1 : 0) { return round }
        }
        throw InvariantViolation(.idempotence, "no rest after \(Self.longest) rounds")
    }

    /// Whether nothing changed.
    private func turn(_ device: any SimulatedDevice, isFirst: Bool) async throws -> Bool {
        clock.advance(by: RunPlan.tick)
        let records = try await device.scan()
        // What waits for a place that is held is edited into it once what had moved away is recorded.
        let mayRecord = mayRecord || device.holdsDeletes
        if records > 0, !isFirst, !mayRecord {
            throw InvariantViolation(.noEcho, "\(device.label) recorded \(records) changes after the last act")
        }
        try await device.commit(compacting: false)
        try await device.fetch(only: nil)
        let before = device.folder.tree()
        try await device.apply()
        let echo = try await device.scan()
        if echo > 0, !mayRecord {
            throw InvariantViolation(.noEcho, "\(device.label) recorded \(echo) changes after its own apply")
        }
        return records + echo == 0 && device.folder.tree() == before
    }
}
