import DriveTesting
import Glibc

/// Runs a range of seeds on several threads and prints what fails.
struct SeedRange: Sendable {
    let options: Options

    init(_ options: Options) { self.options = options }

    func run() async -> CampaignTally {
        let progress = Progress(options)
        var tally = CampaignTally()
        await withTaskGroup(of: CampaignTally.self) { group in
            for _ in 0..<options.jobs { group.addTask { await work(progress) } }
            for await part in group { tally.add(part) }
        }
        return tally
    }

    @concurrent private func work(_ progress: Progress) async -> CampaignTally {
        let campaign = Campaign(kind: options.kind, makeDevice: options.device.make)
        var tally = CampaignTally()
        while let seed = await progress.next() {
            let report = await campaign.run(seed, isTraced: options.isTraced)
            tally.add(report)
            if options.isTraced { await progress.show("seed \(seed)\n\(report.trace.text)") }
            guard let failure = report.failure else { continue }
            await progress.show("FAILED seed \(seed) \(failure)")
            if await progress.mayShrink(), let small = await campaign.shrink(seed) {
                await progress.show(
                    """
                    seed \(seed), as much of it as fails in the same way:
                    \(small.trace.text)
                    again: \(options.command(for: seed))

                    """)
            }
        }
        return tally
    }
}

/// Hands out seeds and keeps what several threads print apart.
actor Progress {
    private var seed: UInt64
    private let last: UInt64
    private var isAtEnd = false
    private var failuresLeft: Int
    private var shrinksLeft: Int

    init(_ options: Options) {
        seed = options.first
        last = options.last
        failuresLeft = options.stopAt
        shrinksLeft = options.traced
    }

    func next() -> UInt64? {
        guard !isAtEnd, failuresLeft > 0 else { return nil }
        defer { if seed == last { isAtEnd = true } else { seed += 1 } }
        return seed
    }

    /// Counts a failure; whether it is one of the first few.
    func mayShrink() -> Bool {
        failuresLeft -= 1
        shrinksLeft -= 1
        return shrinksLeft >= 0
    }

    func show(_ text: String) {
        print(text)
        // A run that is stopped has said what failed until then.
        fflush(nil)
    }
}
