/// How a simulated run ended.
public struct RunReport: Sendable {
    public var seed: UInt64
    /// Nil where every promise was kept.
    public var failure: Failure?
    public var acts = 0
    public var records = 0
    public var conflictCopies = 0
    /// Different contents that people saved.
    public var contents = 0
    /// What went wrong on purpose, by its name.
    public var faults: [String: Int] = [:]
    public var deaths = 0
    /// From the first step to the last, by the clock of the simulation.
    public var milliseconds: UInt64 = 0
    /// Rounds to rest.
    public var rounds = 0
    /// Depends on everything that is on all disks in the end: equal for equal seeds.
    public var fingerprint: UInt64 = 0
    public var trace = Trace(isWanted: false)

    public struct Failure: Hashable, Sendable, CustomStringConvertible {
        /// Failures of one kind are the same failure to a shrinker.
        public var kind: String
        public var details: String

        public var description: String { "\(kind): \(details)" }
    }

    init(seed: UInt64) { self.seed = seed }
}
