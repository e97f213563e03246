/// How long something that failed is left alone: for `first` after the first failure, twice as long after each further one, up to
/// `longest`. Times are milliseconds since 1970.
public struct GrowingPause: Hashable, Sendable {
    private let first: UInt64
    private let longest: UInt64
    private var failures = 0
    private var length: UInt64 = 0
    private var end: UInt64 = 0

    /// From a minute up to an hour: of what may be in the way for months.
    public init(first: UInt64 = 60_000, longest: UInt64 = 3_600_000) { (self.first, self.longest) = (first, longest) }

    /// How much of it is left; nil where it is time for a try. A clock that was set back makes no pause longer than it was to be.
    public func left(now: UInt64) -> UInt64? { now < end && end - now <= length ? end - now : nil }

    public func isOn(now: UInt64) -> Bool { left(now: now) != nil }

    /// It failed, or failed again. `atLeast`: as long as whoever failed asks for.
    public mutating func fail(now: UInt64, atLeast: UInt64 = 0) {
        let doubled = failures < first.leadingZeroBitCount ? first << failures : .max
        length = max(min(longest, doubled), atLeast)
        end = now.addingReportingOverflow(length).overflow ? .max : now + length
        failures += 1
    }

    /// It is time for a try. Should that fail, the pause after it is longer than this one was to be; just as long where it `isExtra`,
    /// which is none of the tries that go on by themselves.
    public mutating func cut(isExtra: Bool = false) {
        if isExtra, end > 0 { failures -= 1 }
        end = 0
    }
}
