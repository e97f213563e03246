import DriveCore
import Synchronization

/// A clock that moves only when told to. Devices read it through `skewed(by:)`.
public final class ManualClock: WallClock {
    private let now: Atomic<UInt64>

    /// Starts at 2026-01-01 00:00:00 UTC unless told otherwise.
    public init(milliseconds: UInt64 = 1_767_225_600_000) { now = Atomic(milliseconds) }

    public func milliseconds() -> UInt64 { now.load(ordering: .relaxed) }

    public func advance(by milliseconds: UInt64) { now.wrappingAdd(milliseconds, ordering: .relaxed) }

    /// The same clock as a device sees it that is wrong by `milliseconds`.
    public func skewed(by milliseconds: Int64) -> SkewedClock { SkewedClock(clock: self, skew: milliseconds) }
}

/// A clock that is wrong by a fixed amount; never before 1970.
public struct SkewedClock: WallClock {
    let clock: ManualClock
    let skew: Int64

    public func milliseconds() -> UInt64 {
        let time = Int64(clock.milliseconds()) + skew
        return time < 0 ? 0 : UInt64(time)
    }
}
