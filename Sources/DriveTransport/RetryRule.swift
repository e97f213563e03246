public import DriveCore

/// When a call to a store is made again at once: a value, so that every case can be tested. Longer waits are for whoever
/// calls; a watch tries again for as long as it runs.
public struct RetryRule: Hashable, Sendable {
    /// Calls altogether, where the store asks for time, and where it was not reached.
    public var triesOfBusy = 6
    public var triesOfUnreachable = 3
    /// Seconds before the second call; doubled each time, up to the longest.
    public var first = 0.5
    public var longest = 16.0
    /// Seconds that one call may wait altogether.
    public var patience = 60.0

    public init() {}

    /// Seconds until the next call; nil where none helps, or not within the patience. `jitter` is from 0 to 1: devices
    /// that were cut off together do not come back together.
    public func pause(after error: DriveError, calls: Int, waited: Double, jitter: Double) -> Double? {
        let tries: Int
        switch error.kind {
        case .temporary: tries = triesOfBusy
        case .unreachable: tries = triesOfUnreachable
        default: return nil
        }
        guard calls < tries else { return nil }
        let pause = min(longest, first * Double(1 << min(calls - 1, 16))) * (0.5 + 0.5 * jitter)
        // What the store asks for is the least; never earlier, or it counts as another attack.
        let asked = max(pause, error.retryAfter ?? 0)
        return waited + asked <= patience ? asked : nil
    }
}
