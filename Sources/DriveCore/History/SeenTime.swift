/// How much time a device has seen pass: what is kept for a while is kept by it, and not by the clock alone.
///
/// A machine without a battery begins with a clock of years ago, a wrong one is put right, and whoever keeps things for 30
/// days by the clock throws all of them away that moment. This time never goes back, and goes on by a week at most from one
/// look at the clock to the next. Where the clock is put back, what it had been ahead has been counted, or will be once more: it stands
/// still for as long. Milliseconds, in the beginning those of the clock.
public struct SeenTime: Hashable, Sendable {
    public private(set) var now: UInt64
    /// The same for what is over within hours. Where the clock is put back it stands still until the next look, and goes on then: who is
    /// owed weeks would have an hour last for weeks. What the clock had been ahead is counted twice.
    public private(set) var passed: UInt64
    /// What the clock said at the last look.
    public private(set) var clock: UInt64
    /// How far the clock was put back: so much of what passes next was counted before.
    private var owed: UInt64 = 0

    /// The most that passes between two looks at the clock.
    public static let longestStep: UInt64 = 7 * 86_400_000
    /// What is kept for so long is kept though all of it be counted twice; a clock that was years ahead for years stops nothing for good.
    private static let mostOwed = PastVersion.kept

    public init(clock: UInt64) {
        now = clock
        passed = clock
        self.clock = clock
    }

    public mutating func look(at time: UInt64) {
        if time < clock {
            owed = min(owed + min(clock - time, Self.mostOwed), Self.mostOwed)
        } else {
            let step = time - clock
            now += max(min(step, Self.longestStep), owed) - owed
            owed -= min(step, owed)
            passed += min(step, Self.longestStep)
        }
        clock = time
    }

    public init(_ bytes: [UInt8]) throws(DriveError) {
        var reader = ByteReader(bytes)
        now = try reader.fixed(UInt64.self)
        clock = try reader.fixed(UInt64.self)
        // Of before it was known how far.
        if bytes.count == 17 {
            owed = try reader.byte() == 0 ? 0 : Self.mostOwed
        } else {
            owed = try reader.fixed(UInt64.self)
        }
        // What counts by it was of the clock's time before.
        passed = bytes.count <= 24 ? clock : try reader.fixed(UInt64.self)
        try reader.expectEnd()
    }

    public var bytes: [UInt8] {
        var writer = ByteWriter(reserving: 32)
        writer.fixed(now)
        writer.fixed(clock)
        writer.fixed(owed)
        writer.fixed(passed)
        return writer.bytes
    }
}

extension DriveState {
    /// Looks at the clock, which says `time`, and returns the time that has been seen pass. What little passed since the last look is not
    /// worth a transaction of its own.
    public func lookAtClock(_ time: UInt64) throws -> UInt64 {
        let seen = try seenTime(at: time)
        let isLittle = try seenTime().map { time >= $0.clock && time - $0.clock < 3_600_000 } ?? false
        if !isLittle { try transaction { try setSeenTime(seen) } }
        return seen.now
    }

    /// The same for who only reads, and remembers no look.
    public func seenTime(at time: UInt64) throws -> SeenTime {
        var seen = try seenTime() ?? SeenTime(clock: time)
        seen.look(at: time)
        return seen
    }
}
