import DriveTesting

/// Runs a range of seeds on several threads and prints what fails.
struct SeedRange: Sendable {
    let options: Options

    init(_ options: Options) { self.options = options }

    func run() async -> CampaignTally {
        let run = SeedRun(options.seeds, CampaignTally())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<options.seeds.jobs { group.addTask { await work(run) } }
        }
        return await run.tally
    }

    @concurrent private func work(_ run: SeedRun<CampaignTally>) async {
        let campaign = Campaign(kind: options.kind, makeDevice: options.device.make)
        while let seed = await run.next() {
            let report = await campaign.run(seed, isTraced: options.seeds.isTraced)
            _ = await run.count { $0.add(report) }
            if options.seeds.isTraced { await run.show("seed \(seed)\n\(report.trace.text)") }
            guard let failure = report.failure else { continue }
            await run.show("FAILED seed \(seed) \(failure)")
            if await run.mayShrink(), let small = await campaign.shrink(seed) {
                await run.show(
                    """
                    seed \(seed), as much of it as fails in the same way:
                    \(small.trace.text)
                    again: \(options.command(for: seed))

                    """)
            }
        }
    }
}
