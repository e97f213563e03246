import Foundation

/// An instant with the precision of file systems: Foundation's `Date` is a double since 2001 and rounds nanoseconds away.
public struct PredicateDate: Hashable, Sendable, Comparable {
    /// Whole seconds since 1970-01-01 UTC, rounded down.
    public let seconds: Int64
    /// 0 ..< 1,000,000,000.
    public let nanoseconds: Int32

    /// 2001-01-01 UTC, from which predicates count, in seconds since 1970.
    static let reference: Int64 = 978_307_200
    /// No date lies further than this from 1970 (some three million years), so that sums of dates cannot overflow.
    static let furthest: Int64 = 100_000_000_000_000

    public init(seconds: Int64, nanoseconds: Int32 = 0) {
        let rest = nanoseconds % 1_000_000_000
        let carry = Int64(nanoseconds) / 1_000_000_000 - (rest < 0 ? 1 : 0)
        // Once before the sum, which could overflow, and once after it, which may lie out of reach.
        self.seconds = Self.withinReach(Self.withinReach(seconds) + carry)
        self.nanoseconds = rest < 0 ? rest + 1_000_000_000 : rest
    }

    private static func withinReach(_ seconds: Int64) -> Int64 { min(max(seconds, -furthest), furthest) }

    /// nil unless finite and within reach.
    public init?(secondsSinceReference interval: Double) {
        guard interval.isFinite, abs(interval) < Double(Self.furthest) else { return nil }
        let whole = interval.rounded(.down)
        let nanoseconds = ((interval - whole) * 1e9).rounded()
        self.init(seconds: Int64(whole) + Self.reference, nanoseconds: Int32(nanoseconds))
    }

    public init(_ date: Date) {
        self =
            PredicateDate(secondsSinceReference: date.timeIntervalSinceReferenceDate)
            ?? PredicateDate(seconds: date.timeIntervalSinceReferenceDate < 0 ? -Self.furthest : Self.furthest)
    }

    public var date: Date { Date(timeIntervalSinceReferenceDate: secondsSinceReference) }

    /// As a double, which rounds nanoseconds of dates of our time to some 100 ns.
    public var secondsSinceReference: Double { Double(seconds - Self.reference) + Double(nanoseconds) / 1e9 }

    public static func < (a: Self, b: Self) -> Bool { (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds) }

    /// The instant later by so many seconds; nil out of reach.
    func adding(_ number: PredicateNumber) -> PredicateDate? {
        switch number {
        case .integer(let count):
            let (sum, overflow) = seconds.addingReportingOverflow(count)
            guard !overflow, sum.magnitude < Self.furthest else { return nil }
            return PredicateDate(seconds: sum, nanoseconds: nanoseconds)
        case .real(let count):
            guard count.isFinite, abs(count) < Double(Self.furthest) else { return nil }
            let whole = count.rounded(.down)
            let (sum, overflow) = seconds.addingReportingOverflow(Int64(whole))
            guard !overflow, sum.magnitude < Self.furthest else { return nil }
            return PredicateDate(seconds: sum, nanoseconds: nanoseconds + Int32(((count - whole) * 1e9).rounded()))
        }
    }

    /// Seconds from the other instant to this.
    func interval(since other: PredicateDate) -> PredicateNumber {
        let whole = seconds - other.seconds
        let rest = nanoseconds - other.nanoseconds
        return rest == 0 ? .integer(whole) : .real(Double(whole) + Double(rest) / 1e9)
    }
}
