public import DriveCore
import Synchronization

/// Bytes per second that may go each way; nil for as fast as it goes.
public struct BandwidthRates: Hashable, Sendable {
    public var up: UInt64?
    public var down: UInt64?

    package init(up: UInt64?, down: UInt64?) {
        self.up = up
        self.down = down
    }

    public var isUnlimited: Bool { up == nil && down == nil }

    /// `512K`, `1.5M` or `off`, for both ways or as `UP:DOWN`; a bare number is KiB per second, as rclone and rsync have it.
    /// Nil where it is none of these.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let up = Self.rate(parts[0]), let down = Self.rate(parts[parts.count - 1])
        else { return nil }
        (self.up, self.down) = (up.value, down.value)
    }

    /// As `init` reads it.
    public var text: String {
        func one(_ rate: UInt64?) -> String {
            rate.map { $0.isMultiple(of: 1024) ? "\($0 / 1024)K" : "\($0)B" } ?? "off"
        }
        return up == down ? one(up) : "\(one(up)):\(one(down))"
    }

    private struct Rate { var value: UInt64? }

    private static func rate(_ text: Substring) -> Rate? {
        if text.lowercased() == "off" { return Rate(value: nil) }
        let units: [Character: Double] = ["B": 1, "K": 1024, "M": 1_048_576, "G": 1_073_741_824]
        let unit = text.last.flatMap { units[Character($0.uppercased())] }
        guard let number = Double(unit == nil ? text : text.dropLast()), number > 0, number.isFinite else { return nil }
        let rate = number * (unit ?? 1024)
        // Below that nothing would ever be done within the deadlines.
        return rate >= 1024 && rate <= Double(most) ? Rate(value: UInt64(rate)) : nil
    }

    /// 900,000 GiB per second, which nothing reaches.
    public static let most: UInt64 = 900_000 << 30
}

/// Keeps transfers within a rate, all of a drive together: a bucket for each way, which holds what half a second allows.
public final class BandwidthLimit: Sendable {
    private struct Bucket {
        let rate: Double
        /// Until when the way is taken by what went already.
        var takenUntil: ContinuousClock.Instant

        /// How long the bytes have to wait.
        mutating func take(_ bytes: Int, now: ContinuousClock.Instant) -> Duration {
            let start = max(takenUntil, now - .milliseconds(500))
            takenUntil = start + .seconds(Double(bytes) / rate)
            return max(.zero, takenUntil - now)
        }

        /// They did not go.
        mutating func giveBack(_ bytes: Int) { takenUntil -= .seconds(Double(bytes) / rate) }
    }

    private let buckets: Mutex<[TransferDirection: Bucket]>
    private let sleep: @Sendable (Duration) async -> Void

    public init(
        _ rates: BandwidthRates,
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        var buckets: [TransferDirection: Bucket] = [:]
        buckets[.up] = rates.up.map { Bucket(rate: Double($0), takenUntil: .now) }
        buckets[.down] = rates.down.map { Bucket(rate: Double($0), takenUntil: .now) }
        self.buckets = Mutex(buckets)
        self.sleep = sleep
    }

    public var pace: TransferPace {
        TransferPace { direction, bytes in
            let wait = self.buckets.withLock { $0[direction]?.take(bytes, now: .now) ?? .zero }
            guard wait > .zero else { return }
            await self.sleep(wait)
            // A wait that was cut short lets nothing through; what comes is here by then.
            if direction == .up, Task.isCancelled { self.buckets.withLock { $0[direction]?.giveBack(bytes) } }
        }
    }
}
