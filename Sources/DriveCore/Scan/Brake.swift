/// Holds deletes, and only them, when there are suspiciously many: more than the greater of `floor` and a quarter of
/// the items, or more than 1,000, over a rolling hour. Moves do not count.
public struct Brake: Hashable, Sendable {
    public var floor = 10
    public var fraction = 0.25
    public var limit = 1_000
    /// Milliseconds.
    public var window: UInt64 = 3_600_000

    public init() {}

    /// Numbers of deletes, by the time that has been seen pass (`SeenTime.passed`): whatever the clock is set to, an hour is one.
    public struct History: Hashable, Sendable {
        public var counts: [Count] = []

        public struct Count: Hashable, Sendable {
            public var time: UInt64
            public var count: Int

            public init(time: UInt64, count: Int) {
                self.time = time
                self.count = count
            }
        }

        public init() {}
    }

    /// Whether `count` deletes of `total` items, now, are too many, with `held` others among the items that were held
    /// within the hour, and `history` of those that went through and are not among them any more.
    public func holds(
        _ count: Int, of total: Int, besides held: Int = 0, after history: History, now: UInt64
    ) -> Bool {
        guard count > 0 else { return false }
        let gone = recent(in: history, now: now)
        let sum = gone + held + count
        let before = total + gone
        return sum > limit || sum > max(floor, Int(Double(before) * fraction))
    }

    /// How many were noted within the window.
    public func recent(in history: History, now: UInt64) -> Int {
        history.counts.filter { isRecent($0, now) }.reduce(0) { $0 + $1.count }
    }

    /// No look at the clock within the hour is remembered: where it was put back meanwhile, what was noted is to come. What is further
    /// ahead is of another index, and would be recent until then.
    private func isRecent(_ count: History.Count, _ now: UInt64) -> Bool {
        count.time > now ? count.time - now <= window : now - count.time < window
    }

    public func noting(_ count: Int, in history: History, now: UInt64) -> History {
        var result = history
        result.counts.removeAll { !isRecent($0, now) }
        if count > 0 { result.counts.append(History.Count(time: now, count: count)) }
        return result
    }
}

extension Brake.History {
    /// For a setting: pairs of 64-bit numbers, big-endian.
    public var encoded: [UInt8] {
        counts.flatMap { [$0.time, UInt64($0.count)] }.flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
        }
    }

    public init(encoded bytes: [UInt8]) {
        let words = stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
            bytes[start..<(start + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        for place in stride(from: 0, to: words.count - words.count % 2, by: 2) {
            counts.append(Count(time: words[place], count: Int(clamping: words[place + 1])))
        }
    }
}
