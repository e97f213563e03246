/// Many runs, one per seed; what failed is shrunk and traced.
public struct Campaign {
    private let makeDevice: MakeDevice
    /// Changes every plan before it is run: a smaller one, another kind of user.
    public var adjust: (inout RunPlan) -> Void = { _ in }

    public init(makeDevice: @escaping MakeDevice) { self.makeDevice = makeDevice }

    public func plan(_ seed: UInt64) -> RunPlan {
        var plan = RunPlan(seed: seed)
        adjust(&plan)
        return plan
    }

    public func run(_ seed: UInt64, isTraced: Bool = false) async -> RunReport {
        await Simulation.run(plan(seed), isTraced: isTraced, makeDevice: makeDevice)
    }

    /// Runs the seed twice and says whether both ended with the same bytes everywhere.
    public func isDeterministic(_ seed: UInt64) async -> Bool {
        let (a, b) = (await run(seed), await run(seed))
        return a.fingerprint == b.fingerprint && a.failure == b.failure && a.acts == b.acts
    }

    /// The smallest part of the run that was found to fail in the same way, with its trace. Nil where the seed passes.
    public func shrink(_ seed: UInt64, budget: Int = 1_000) async -> RunReport? {
        let plan = plan(seed)
        guard let kind = await run(seed).failure?.kind else { return nil }
        func fails(_ plan: RunPlan) async -> Bool {
            await Simulation.run(plan, makeDevice: makeDevice).failure?.kind == kind
        }
        // Filling and steps together, and then what happens in the middle of the steps that are left.
        let kept = await Shrinker.shrink(plan.filling + plan.steps, budget: budget) {
            await fails(plan.keeping($0))
        }
        var smaller = plan.keeping(kept)
        let events = smaller.steps.flatMap { step in step.interruptions.map { (step.number, $0) } }
        if !events.isEmpty {
            let left = await Shrinker.shrink(events, budget: budget) { await fails(smaller.interrupted(by: $0)) }
            smaller = smaller.interrupted(by: left)
            let none = smaller.interrupted(by: [])
            if await fails(none) { smaller = none }
        }
        return await Simulation.run(smaller, isTraced: true, makeDevice: makeDevice)
    }
}

extension RunPlan {
    /// The plan with only these of its steps.
    public func keeping(_ kept: [PlannedStep]) -> RunPlan {
        let numbers = Set(kept.map(\.number))
        var plan = self
        plan.filling.removeAll { !numbers.contains($0.number) }
        plan.steps.removeAll { !numbers.contains($0.number) }
        return plan
    }

    /// The plan with only these interruptions, by the number of their step.
    func interrupted(by events: [(Int, Interruption)]) -> RunPlan {
        var plan = self
        for place in plan.steps.indices {
            let number = plan.steps[place].number
            plan.steps[place].interruptions = events.filter { $0.0 == number }.map(\.1)
        }
        return plan
    }
}

/// What many runs came to.
public struct CampaignTally: Sendable, CustomStringConvertible {
    public private(set) var runs = 0
    public private(set) var failures: [String: Int] = [:]
    public private(set) var failedSeeds: [UInt64] = []
    private var acts = 0
    private var records = 0
    private var copies = 0
    private var interruptions = 0
    private var deaths = 0
    private var mostRounds = 0

    public init() {}

    public mutating func add(_ report: RunReport) {
        runs += 1
        acts += report.acts
        records += report.records
        copies += report.conflictCopies
        interruptions += report.interruptions
        deaths += report.deaths
        mostRounds = max(mostRounds, report.rounds)
        guard let failure = report.failure else { return }
        failures[failure.kind, default: 0] += 1
        failedSeeds.append(report.seed)
    }

    public mutating func add(_ other: CampaignTally) {
        runs += other.runs
        acts += other.acts
        records += other.records
        copies += other.copies
        interruptions += other.interruptions
        deaths += other.deaths
        mostRounds = max(mostRounds, other.mostRounds)
        failures.merge(other.failures, uniquingKeysWith: +)
        failedSeeds += other.failedSeeds
    }

    public var description: String {
        let kinds = failures.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return """
            \(runs) runs: \(acts) acts, \(records) records, \(copies) conflict copies, \(interruptions) interruptions, \
            \(deaths) deaths, at most \(mostRounds) rounds to rest; \
            \(failedSeeds.count) failed\(kinds.isEmpty ? "" : " (\(kinds))")
            """
    }
}
