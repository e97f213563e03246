import DriveTesting
import Glibc

/// Runs a range of seeds on several threads and prints what fails.
struct SeedRange: Sendable {
    let options: Options

    init(_ options: Options) { self.options = options }

    func run() async -> HistoryTally {
        let progress = Progress(options)
        await withTaskGroup(of: Void.self) { group in
            // What a worker waits for may block it, so each has a thread of its own.
            for _ in 0..<options.jobs {
                group.addTask(executorPreference: OwnThread()) { await work(progress) }
            }
        }
        return await progress.tally
    }

    @concurrent private func work(_ progress: Progress) async {
        let campaign = campaign
        while let seed = await progress.next() {
            var plan = HistoryPlan(seed: seed)
            if let only = options.only { plan = plan.keeping(only) }
            let report = await campaign.run(plan, isTraced: options.isTraced)
            await progress.add(report, isSequential: plan.isSequential)
            if options.isTraced { await progress.show("history \(seed)\n\(report.trace.text)") }
            guard let violation = report.violation else { continue }
            await progress.show("VIOLATION in history \(seed): \(violation)")
            guard await progress.mayShrink(), !options.isTraced else { continue }
            await shrink(plan, violation, campaign, progress)
        }
    }

    private func shrink(
        _ plan: HistoryPlan, _ violation: HistoryViolation, _ campaign: HistoryCampaign, _ progress: Progress
    ) async {
        guard let minimum = await campaign.shrink(plan, violation.kind) else {
            return await progress.show("history \(plan.seed) did not fail again")
        }
        await progress.show(
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

/// Hands out seeds, counts, and keeps what several threads print apart.
actor Progress {
    private(set) var tally = HistoryTally()
    private var seed: UInt64
    private let last: UInt64
    private var isAtEnd = false
    private var violationsLeft: Int
    private var shrinksLeft: Int

    init(_ options: Options) {
        seed = options.first
        last = options.last
        violationsLeft = options.stopAt
        shrinksLeft = options.shrunk
    }

    func next() -> UInt64? {
        guard !isAtEnd, violationsLeft > 0 else { return nil }
        defer { if seed == last { isAtEnd = true } else { seed += 1 } }
        return seed
    }

    /// A long run that is stopped has said now and then what it came to.
    func add(_ report: HistoryReport, isSequential: Bool) {
        tally.add(report, isSequential: isSequential)
        if tally.histories % Self.pause == 0 { show("so far: \(tally)") }
    }

    private static let pause = 500

    /// Counts a violation; whether it is one of the first few.
    func mayShrink() -> Bool {
        violationsLeft -= 1
        shrinksLeft -= 1
        return shrinksLeft >= 0
    }

    func show(_ text: String) {
        print(text)
        fflush(nil)
    }
}
