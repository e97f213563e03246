import DriveCore

/// What a run does, chosen before it begins, in numbered steps of which a part can be run again.
public protocol SimulationPlan: Sendable {
    var seed: UInt64 { get }
    /// The numbers of all steps that may be left out.
    var stepNumbers: [Int] { get }
    func keeping(_ kept: Set<Int>) -> Self
    func run(isTraced: Bool, makeDevice: MakeDevice) async -> RunReport
}

extension RunPlan: SimulationPlan {
    public var stepNumbers: [Int] { (filling + steps).map(\.number) }

    public func keeping(_ kept: Set<Int>) -> RunPlan {
        var plan = self
        plan.filling.removeAll { !kept.contains($0.number) }
        plan.steps.removeAll { !kept.contains($0.number) }
        return plan
    }

    public func run(isTraced: Bool, makeDevice: MakeDevice) async -> RunReport {
        await Simulation.run(self, isTraced: isTraced, makeDevice: makeDevice)
    }
}
