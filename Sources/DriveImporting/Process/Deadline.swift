/// A moment of the monotonic clock.
package struct Deadline: Sendable {
    private let end: SuspendingClock.Instant

    package init(seconds: Double) { end = .now + .seconds(seconds) }

    /// As poll(2) wants it.
    package var milliseconds: Int32 {
        let (seconds, attoseconds) = (SuspendingClock.now.duration(to: end)).components
        let left = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        return Int32(clamping: max(0, left))
    }
}
