/// What many runs came to.
public struct CampaignTally: Sendable, CustomStringConvertible {
    public private(set) var runs = 0
    /// Runs that failed, by what they failed in.
    public private(set) var failures: [String: Int] = [:]
    public private(set) var failedSeeds: [UInt64] = []
    private var acts = 0
    private var contents = 0
    private var records = 0
    private var copies = 0
    private var deaths = 0
    private var milliseconds: UInt64 = 0
    private var mostRounds = 0
    private var faults: [String: Int] = [:]

    public init() {}

    /// Of one run.
    private init(_ report: RunReport) {
        runs = 1
        (acts, contents, records, copies) = (report.acts, report.contents, report.records, report.conflictCopies)
        (deaths, milliseconds, mostRounds) = (report.deaths, report.milliseconds, report.rounds)
        faults = report.faults
        guard let failure = report.failure else { return }
        failures = [failure.kind: 1]
        failedSeeds = [report.seed]
    }

    public mutating func add(_ report: RunReport) { add(CampaignTally(report)) }

    public mutating func add(_ other: CampaignTally) {
        runs += other.runs
        acts += other.acts
        contents += other.contents
        records += other.records
        copies += other.copies
        deaths += other.deaths
        milliseconds += other.milliseconds
        mostRounds = max(mostRounds, other.mostRounds)
        faults.merge(other.faults, uniquingKeysWith: +)
        failures.merge(other.failures, uniquingKeysWith: +)
        failedSeeds += other.failedSeeds
    }

    public var description: String {
        let kinds = Self.list(failures)
        return """
            \(runs) runs: \(milliseconds / 3_600_000) hours of virtual time, \(acts) acts, \(contents) contents written, \
            \(records) records, \(copies) conflict copies, \(deaths) deaths, at most \(mostRounds) rounds to rest; \
            \(failedSeeds.count) failed\(kinds.isEmpty ? "" : " (\(kinds))")\(faults.isEmpty ? "" : "\n")\(Self.list(faults))
            """
    }

    private static func list(_ counts: [String: Int]) -> String {
        counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
