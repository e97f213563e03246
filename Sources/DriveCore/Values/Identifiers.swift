/// The identity of an item for its whole life: 128 random bits, or derived for a promoted copy. The root is zero. In a
/// drive without a store, whose items nobody else ever names, it is the number of the item's row.
public struct ItemID: Hashable, Comparable, Sendable {
    public var high: UInt64
    public var low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    public static let root = ItemID(high: 0, low: 0)

    public static func < (a: ItemID, b: ItemID) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

/// One installation with a copy of the drive: 80 random bits, made at join and again at every fork.
public struct DeviceID: Hashable, Comparable, Sendable {
    public var high: UInt64
    public var low: UInt16

    public init(high: UInt64, low: UInt16) {
        self.high = high
        self.low = low
    }

    public static func < (a: DeviceID, b: DeviceID) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

extension FixedWidthInteger {
    /// Fixed-width lower-case hexadecimal.
    var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
    }
}

extension String {
    /// Digits only: `UInt64(_:radix:)` takes a sign too.
    fileprivate var isHexadecimal: Bool {
        utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0 & 0xDF) }
    }
}

extension ItemID: CustomStringConvertible {
    /// 32 lower-case hexadecimal digits.
    public var description: String { high.hexadecimal + low.hexadecimal }

    public init?(_ text: String) {
        guard text.utf8.count == 32, text.isHexadecimal, let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }
}

extension DeviceID: CustomStringConvertible {
    /// 20 lower-case hexadecimal digits.
    public var description: String { high.hexadecimal + low.hexadecimal }

    public init?(_ text: String) {
        guard text.utf8.count == 20, text.isHexadecimal, let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt16(text.suffix(4), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    /// What stands in for a label that has not arrived: the first six digits.
    public var shortText: String { String(description.prefix(6)) }
}

/// Names one record: the `n`th of its device's journal, counted from 1.
public struct Dot: Hashable, Comparable, Sendable {
    public var device: DeviceID
    public var n: UInt64

    public init(device: DeviceID, n: UInt64) {
        self.device = device
        self.n = n
    }

    public static func < (a: Dot, b: Dot) -> Bool { (a.device, a.n) < (b.device, b.n) }
}

/// A point of the hybrid logical clock: 48 bits of milliseconds since 1970, 16 bits of counter.
///
/// Kulkarni et al., "Logical Physical Clocks" (2014). It decides names, never whether bytes survive.
public struct HybridTime: Hashable, Comparable, Sendable {
    public var rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public init(milliseconds: UInt64) { rawValue = min(milliseconds, (1 << 48) - 1) << 16 }

    public static let zero = HybridTime(rawValue: 0)

    public var milliseconds: UInt64 { rawValue >> 16 }

    /// The clock did not show a later time than that before: this is the next point after it.
    public var isPushed: Bool { rawValue & 0xFFFF != 0 }

    /// The next point; saturates instead of wrapping.
    public var next: HybridTime { HybridTime(rawValue: rawValue == .max ? .max : rawValue + 1) }

    public static func < (a: HybridTime, b: HybridTime) -> Bool { a.rawValue < b.rawValue }
}

/// Orders all writes of a register: by clock, then device, then record number.
public struct Tag: Hashable, Comparable, Sendable {
    public var time: HybridTime
    public var device: DeviceID
    public var n: UInt64

    public init(time: HybridTime, dot: Dot) {
        self.time = time
        device = dot.device
        n = dot.n
    }

    public var dot: Dot { Dot(device: device, n: n) }

    public static func < (a: Tag, b: Tag) -> Bool {
        (a.time, a.device, a.n) < (b.time, b.device, b.n)
    }
}
