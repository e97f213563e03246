import DriveTesting
import Testing

/// The quick form of `Scripts/histories`: fixed seeds in memory, so that every run of the tests runs the same.
@Suite struct HistoryTests {
    private func campaign(_ device: DeviceKind = DeviceKind()) -> HistoryCampaign {
        HistoryCampaign { plan in
            try await MemoryHistoryDriver(devices: plan.devices, seed: plan.seed, makeDevice: device.make)
        }
    }

    private func violations(_ seeds: ClosedRange<UInt64>, _ device: DeviceKind = DeviceKind()) async -> [String] {
        let campaign = campaign(device)
        var violations: [String] = []
        for seed in seeds {
            if let violation = await campaign.run(HistoryPlan(seed: seed)).violation {
                violations.append("history \(seed): \(violation)")
            }
        }
        return violations
    }

    @Test(arguments: [1...300, 301...600] as [ClosedRange<UInt64>])
    func everythingThatIsSeenIsExplained(_ seeds: ClosedRange<UInt64>) async {
        #expect(await violations(seeds).isEmpty)
    }

    @Test func theSameOverTheIndex() async {
        var device = DeviceKind()
        device.hasIndex = true
        #expect(await violations(601...660, device).isEmpty)
    }

    /// In both, somebody wrote into a file that apply had put at its name for a moment, and took back.
    @Test(arguments: [3_301, 3_436] as [UInt64])
    func seedsThatOnceFailedHold(_ seed: UInt64) async { #expect(await violations(seed...seed).isEmpty) }

    /// With passes in the background too.
    @Test func equalSeedsShowTheSame() async {
        for seed in 1_000...1_040 as ClosedRange<UInt64> {
            let plan = HistoryPlan(seed: seed)
            let (first, second) = (await campaign().run(plan), await campaign().run(plan))
            #expect(first.seen == second.seen)
        }
    }
}
