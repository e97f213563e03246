/// The wall clock. Only names and log lines depend on it, never whether bytes survive.
public protocol WallClock: Sendable {
    /// Milliseconds since 1970, UTC.
    func milliseconds() -> UInt64
}

/// Where random bits come from: the system, or a seed in the simulation.
public protocol Entropy: Sendable {
    func next() -> UInt64
}

extension Entropy {
    public func itemID() -> ItemID {
        // Zero is the root, and a high half of zero a row; 64 zero bits do not happen, but a seed might try.
        ItemID(high: max(1, next()), low: next() | 1)
    }

    public func deviceID() -> DeviceID {
        DeviceID(high: next(), low: UInt16(truncatingIfNeeded: next()))
    }

    /// `digits` lower-case hexadecimal digits, at most 16.
    public func nonce(_ digits: Int) -> String { String(next().hexadecimal.suffix(digits)) }
}
