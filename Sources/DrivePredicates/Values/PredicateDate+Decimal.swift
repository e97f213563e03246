extension PredicateDate {
    /// Seconds since 2001 in digits, exact to the nanosecond: how dates are printed in predicates.
    var decimal: String {
        var whole = seconds - Self.reference
        var rest = nanoseconds
        let isNegative = whole < 0
        if isNegative, rest > 0 {
            whole += 1
            rest = 1_000_000_000 - rest
        }
        let text = (isNegative ? "-" : "") + String(whole.magnitude)
        guard rest > 0 else { return text }
        let digits = String(rest)
        var fraction = String(repeating: "0", count: 9 - digits.count) + digits
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return text + "." + fraction
    }

    /// Reads `decimal`; digits after the ninth are dropped, anything else is no date.
    init?(decimal text: String) {
        var digits = text.utf8[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits = digits.dropFirst() }
        let parts = digits.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = Self.number(parts[0]), whole < Self.furthest else { return nil }
        var fraction: Int64 = 0
        if parts.count == 2 {
            let nine =
                Array(parts[1].prefix(9)) + Array(repeating: UInt8(ascii: "0"), count: max(0, 9 - parts[1].count))
            guard Self.number(parts[1].prefix(18)) != nil, let read = Self.number(nine[...]) else { return nil }
            fraction = read
        }
        self.init(
            seconds: (isNegative ? -whole : whole) + Self.reference,
            nanoseconds: Int32(isNegative ? -fraction : fraction))
    }

    private static func number(_ digits: some Collection<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.count <= 18 else { return nil }
        var value: Int64 = 0
        for digit in digits {
            guard (48...57).contains(digit) else { return nil }
            value = value * 10 + Int64(digit - 48)
        }
        return value
    }
}
