// Sizes come from records and disks that may claim anything, and a sum for people is no reason to stop.

extension UInt64 {
    /// The sum, or the greatest number where that is less.
    public func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }
}

extension Sequence<UInt64> {
    /// The sum, or the greatest number where that is less.
    public func clampedSum() -> UInt64 { reduce(0) { $0.addingClamped($1) } }
}
