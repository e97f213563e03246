/// Many runs, one per seed; what failed is shrunk and traced.
public struct Campaign {
    private let kind: SimulationKind
    private let makeDevice: MakeDevice
    /// Changes every plan of the general kind before it is run: a smaller one, another kind of user.
    public var adjust: (inout RunPlan) -> Void = { _ in }

    public init(kind: SimulationKind = .general, makeDevice: @escaping MakeDevice) {
        self.kind = kind
        self.makeDevice = makeDevice
    }

    public func plan(_ seed: UInt64) -> RunPlan {
        var plan = RunPlan(seed: seed)
        adjust(&plan)
        return plan
    }

    private func collectionPlan(_ seed: UInt64) -> RunPlan {
        var plan = plan(seed)
        plan.planCollection()
        return plan
    }

    private func actsPlan(_ seed: UInt64) -> RunPlan {
        var plan = plan(seed)
        plan.planActs()
        return plan
    }

    private func namesPlan(_ seed: UInt64) -> RunPlan {
        var plan = plan(seed)
        if !plan.isApart { plan.acts += UserAct.aboutNames }
        return plan
    }

    private func anyPlan(_ seed: UInt64) -> any SimulationPlan {
        switch kind {
        case .general: plan(seed)
        case .collection: collectionPlan(seed)
        case .acts: actsPlan(seed)
        case .names: namesPlan(seed)
        case .whole: WholePlan(seed: seed)
        }
    }

    public func run(_ seed: UInt64, isTraced: Bool = false) async -> RunReport {
        await anyPlan(seed).run(isTraced: isTraced, makeDevice: makeDevice)
    }

    /// Runs the seed twice and says whether both ended with the same bytes everywhere.
    public func isDeterministic(_ seed: UInt64) async -> Bool {
        let (a, b) = (await run(seed), await run(seed))
        return a.fingerprint == b.fingerprint && a.failure == b.failure && a.acts == b.acts
    }

    /// The smallest part of the run that was found to fail in the same way, with its trace. Nil where the seed passes.
    public func shrink(_ seed: UInt64, budget: Int = 1_000) async -> RunReport? {
        guard let kind = await run(seed).failure?.kind else { return nil }
        return await shrink(anyPlan(seed), kind, budget)
    }

    private func shrink(_ plan: some SimulationPlan, _ kind: String, _ budget: Int) async -> RunReport {
        func fails(_ plan: some SimulationPlan) async -> Bool {
            await plan.run(isTraced: false, makeDevice: makeDevice).failure?.kind == kind
        }
        let kept = await Shrinker.shrink(plan.stepNumbers, budget: budget) { await fails(plan.keeping(Set($0))) }
        let smaller = plan.keeping(Set(kept))
        guard var calm = smaller as? RunPlan else { return await smaller.run(isTraced: true, makeDevice: makeDevice) }
        // And then what happens in the middle of the steps that are left.
        let events = calm.steps.flatMap { step in step.interruptions.map { (step.number, $0) } }
        if !events.isEmpty {
            let left = await Shrinker.shrink(events, budget: budget) { await fails(calm.interrupted(by: $0)) }
            calm = calm.interrupted(by: left)
            let none = calm.interrupted(by: [])
            if await fails(none) { calm = none }
        }
        return await calm.run(isTraced: true, makeDevice: makeDevice)
    }
}

/// Which random driver makes the runs.
public enum SimulationKind: String, Sendable, CaseIterable {
    /// Several devices, people who do anything at any time, and everything that goes wrong.
    case general
    /// Deletes and moves of whole folders, with an exact answer to what must be left.
    case whole
    /// As the general kind, and the store is tidied all the time.
    case collection
    /// As the general kind, and people undo, restore and resolve.
    case acts
    /// As the general kind, and files have several names.
    case names
}

extension RunPlan {
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
