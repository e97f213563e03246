import DocumentDrive
import DriveTesting
import Testing

extension EngineActs: SimulatedActs {}

/// The quick form of `Scripts/simulate --kind acts`: devices whose people undo, restore and resolve in the middle of everything.
@Suite struct ActSimulationTests {
    private func failures(_ seeds: ClosedRange<UInt64>, _ device: DeviceKind = DeviceKind()) async -> [String] {
        var device = device
        device.acts = EngineActs()
        let campaign = Campaign(kind: .acts, makeDevice: device.make)
        var failures: [String] = []
        for seed in seeds {
            if let failure = await campaign.run(seed).failure { failures.append("seed \(seed) \(failure)") }
        }
        return failures
    }

    @Test(arguments: [1...40, 41...80] as [ClosedRange<UInt64>])
    func promisesHoldWherePeopleUndoRestoreAndResolve(_ seeds: ClosedRange<UInt64>) async {
        #expect(await failures(seeds).isEmpty)
    }

    @Test func theyHoldOverTheIndex() async {
        var device = DeviceKind()
        device.hasIndex = true
        #expect(await failures(81...85, device).isEmpty)
    }
}
