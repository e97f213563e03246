import DriveTesting

/// Runs a range of seeds on several threads and prints what fails.
struct SeedRange: Sendable {
    let options: Options

    init(_ options: Options) { self.options = options }

    func run() async -> HistoryTally {
        let run = SeedRun(options.seeds, HistoryTally())
        await withTaskGroup(of: Void.self) { group in
            // What a worker waits for may block it, so each has a thread of its own.
            for _ in 0..<options.seeds.jobs {
                group.addTask(executorPreference: OwnThread()) { await work(run) }
            }
        }
        return await run.tally
    }

    private static let pause = 500

    @concurrent private func work(_ run: SeedRun<HistoryTally>) async {
        let campaign = campaign
        while let seed = await run.next() {
            var plan = HistoryPlan(seed: seed)
            if let only = options.only { plan = plan.keeping(only) }
            let report = await campaign.run(plan, isTraced: options.seeds.isTraced)
            let isSequential = plan.isSequential
            let tally = await run.count { $0.add(report, isSequential: isSequential) }
            // A long run that is stopped has said now and then what it came to.
            if tally.histories % Self.pause == 0 { await run.show("so far: \(tally)") }
            if options.seeds.isTraced { await run.show("history \(seed)\n\(report.trace.text)") }
            guard let violation = report.violation else { continue }
            await run.show("VIOLATION in history \(seed): \(violation)")
            guard await run.mayShrink(), !options.seeds.isTraced else { continue }
            await shrink(plan, violation, campaign, run)
        }
    }

    private func shrink(
        _ plan: HistoryPlan, _ violation: HistoryViolation, _ campaign: HistoryCampaign,
        _ run: SeedRun<HistoryTally>
    ) async {
        guard let minimum = await campaign.shrink(plan, violation.kind) else {
            return await run.show("history \(plan.seed) did not fail again")
        }
        await run.show(
            """
            history \(plan.seed), as much of it as fails in the same way:
            \(minimum.report.trace.text)
            \(minimum.report.violation.map { "\($0)" } ?? "")
            again: \(options.command(for: plan.seed, minimum.commands))

            """)
    }

    private var campaign: HistoryCampaign {
        let device = options.device
        let memory: HistoryCampaign.MakeDriver = { plan in
            try await MemoryHistoryDriver(devices: plan.devices, seed: plan.seed, makeDevice: device.make)
        }
        guard let program = options.program else { return HistoryCampaign(makeDriver: memory) }
        let place = options.place
        return HistoryCampaign(tries: 6, reference: memory) { plan in
            try DiskHistoryDriver(program: program, devices: plan.devices, place: place)
        }
    }
}
