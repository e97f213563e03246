import DriveCore

/// A run about whole folders that are deleted here and moved there, with an exact answer to what must be left.
///
/// First everybody acts offline: the first device deletes folders and files, the second moves folders and files, edits
/// and deletes, a third adds, edits and moves folders. What must live then follows from the acts alone. After that come
/// rounds of one act at a time, or of one folder deleted here and moved there.
public struct WholePlan: Sendable {
    public var seed: UInt64
    public var devices: Int
    public var skews: [Int64]
    /// Two devices make a folder of the same name before they meet.
    public var hasMergedFolder: Bool
    public var filling: [Step]
    public var acts: [Step]
    public var rounds: [Step]

    public struct Step: Hashable, Sendable {
        /// Counts all steps of the plan.
        public var number: Int
        public var device: Int
        public var seed: UInt64
    }

    public init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed ^ 0x57)
        self.seed = seed
        devices = generator.choice([2, 3, 3])
        skews = (0..<devices).map { _ in generator.choice([0, 0, 5, -5, 40]) * Int64(RunPlan.tick) }
        hasMergedFolder = generator.chance(percent: 25)
        filling = []
        acts = []
        rounds = []
        var number = 0
        func step(_ device: Int) -> Step {
            number += 1
            return Step(number: number, device: device, seed: generator.next())
        }
        for _ in 0..<generator.choice([6, 10, 14]) { filling.append(step(0)) }
        for device in 0..<devices {
            for _ in 0..<generator.choice([1, 2, 3, 4]) { acts.append(step(device)) }
        }
        for _ in 0..<generator.choice([2, 4, 6]) { rounds.append(step(generator.below(devices))) }
    }
}

extension WholePlan: SimulationPlan {
    public var stepNumbers: [Int] { (filling + acts + rounds).map(\.number) }

    public func keeping(_ kept: Set<Int>) -> WholePlan {
        var plan = self
        plan.filling.removeAll { !kept.contains($0.number) }
        plan.acts.removeAll { !kept.contains($0.number) }
        plan.rounds.removeAll { !kept.contains($0.number) }
        return plan
    }

    public func run(isTraced: Bool, makeDevice: MakeDevice) async -> RunReport {
        await WholeSimulation.run(self, isTraced: isTraced, makeDevice: makeDevice)
    }
}
