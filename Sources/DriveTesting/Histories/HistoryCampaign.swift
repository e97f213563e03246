/// Many histories, one per seed; what fails is shrunk.
public struct HistoryCampaign: Sendable {
    public typealias MakeDriver = @Sendable (HistoryPlan) async throws -> any HistoryDriver

    private let makeDriver: MakeDriver
    /// A second driver: sequential histories must show the same over both.
    private let reference: MakeDriver?
    /// How often a history is tried that need not fail each time, because its passes are real processes.
    private let tries: Int

    public init(tries: Int = 1, reference: MakeDriver? = nil, makeDriver: @escaping MakeDriver) {
        (self.tries, self.reference, self.makeDriver) = (tries, reference, makeDriver)
    }

    public func run(_ plan: HistoryPlan, isTraced: Bool = false) async -> HistoryReport {
        var report = await run(plan, isTraced, makeDriver)
        guard report.violation == nil, plan.isSequential, let reference else { return report }
        let other = await run(plan, false, reference)
        if let violation = other.violation {
            report.violation = violation
        } else if let place = zip(report.seen, other.seen).first(where: { $0.0 != $0.1 }) {
            report.violation = HistoryViolation(.differs, "here \(place.0)\n  in memory \(place.1)")
        }
        return report
    }

    private func run(_ plan: HistoryPlan, _ isTraced: Bool, _ make: MakeDriver) async -> HistoryReport {
        do { return await HistoryRun.run(plan, isTraced: isTraced, over: try await make(plan)) } catch {
            var report = HistoryReport(seed: plan.seed)
            report.violation = HistoryViolation(.pass, "no driver: \(error)")
            return report
        }
    }

    /// The smallest part that was found to fail in the same way, with its trace; nil where it does not fail again.
    public func shrink(_ plan: HistoryPlan, _ kind: HistoryViolation.Kind, budget: Int = 400) async -> Minimum? {
        let tries = plan.isSequential ? 1 : tries
        func fails(_ numbers: [Int], _ tries: Int) async -> Bool {
            for _ in 0..<tries where await run(plan.keeping(Set(numbers))).violation?.kind == kind { return true }
            return false
        }
        let numbers = plan.commands.map(\.number)
        guard await fails(numbers, tries * 4) else { return nil }
        let kept = await Shrinker.shrink(numbers, budget: budget) { await fails($0, tries) }
        for _ in 0..<(tries * 4) {
            let report = await run(plan.keeping(Set(kept)), isTraced: true)
            if report.violation?.kind == kind { return Minimum(report: report, commands: kept) }
        }
        return nil
    }

    public struct Minimum: Sendable {
        public var report: HistoryReport
        /// What is left of the history.
        public var commands: [Int]
    }
}

/// What many histories came to.
public struct HistoryTally: Sendable, CustomStringConvertible {
    public private(set) var histories = 0
    public private(set) var violations: [String: Int] = [:]
    private var sequential = 0
    private var commands = 0
    private var passes = 0
    private var seen = HistoryModel.Tally()

    public init() {}

    public mutating func add(_ report: HistoryReport, isSequential: Bool) {
        histories += 1
        if isSequential { sequential += 1 }
        commands += report.commands
        passes += report.passes
        seen.reads += report.tally.reads
        seen.conjectures += report.tally.conjectures
        seen.copies += report.tally.copies
        if let violation = report.violation { violations[violation.kind.rawValue, default: 0] += 1 }
    }

    public var description: String {
        let kinds = violations.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return """
            \(histories) histories (\(sequential) without passes in the background): \(commands) commands, \
            \(passes) passes, \(seen.reads) reads, \(seen.conjectures) conjectured transfers, \
            \(seen.copies) conflict copies explained; \
            \(violations.values.reduce(0, +)) violations\(kinds.isEmpty ? "" : " (\(kinds))")
            """
    }
}
