import DriveCore

/// The identity of a store: 128 random bits, made once by whoever created it.
public struct StoreID: Hashable, Comparable, Sendable {
    public var high: UInt64
    public var low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    public static func < (a: StoreID, b: StoreID) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

extension StoreID: CustomStringConvertible {
    /// 26 characters of base32 in lower case (RFC 4648, section 6), the bits padded with two zeros; ordered like the
    /// ids themselves only within letters or digits, so compare ids, not texts.
    public var description: String {
        var text = ""
        for place in 0..<26 { text.append(Self.alphabet[fiveBits(at: place * 5)]) }
        return text
    }

    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 26 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for (place, character) in text.enumerated() {
            guard let value = Self.alphabet.firstIndex(of: character) else { return nil }
            // The last character holds three bits and two zeros.
            let bits = place == 25 ? 3 : 5
            guard place < 25 || value & 3 == 0 else { return nil }
            high = high << UInt64(bits) | low >> UInt64(64 - bits)
            low = low << UInt64(bits) | UInt64(place == 25 ? value >> 2 : value)
        }
        self.init(high: high, low: low)
    }

    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")

    private func fiveBits(at offset: Int) -> Int {
        var value = 0
        for bit in offset..<offset + 5 {
            value <<= 1
            if bit < 64 { value |= Int(high >> UInt64(63 - bit) & 1) }
            if bit >= 64, bit < 128 { value |= Int(low >> UInt64(127 - bit) & 1) }
        }
        return value
    }
}
