/// A number as arithmetic and comparison see it; a boolean is 0 or 1.
enum PredicateNumber {
    case integer(Int64)
    case real(Double)

    var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        }
    }

    /// The whole number of the same value, if there is one.
    var exactInteger: Int64? {
        switch self {
        case .integer(let value): value
        case .real(let value): Int64(exactly: value)
        }
    }

    var value: PredicateValue {
        switch self {
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        }
    }

    /// The order by value, exact also where a `Double` cannot hold the integer; nil with NaN.
    func order(_ other: PredicateNumber) -> PredicateOrder? {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): a < b ? .ascending : a == b ? .same : .descending
        case (.real(let a), .real(let b)): a < b ? .ascending : a == b ? .same : a > b ? .descending : nil
        case (.integer(let a), .real(let b)): Self.order(a, b)
        case (.real(let a), .integer(let b)): Self.order(b, a)?.reversed
        }
    }

    private static func order(_ a: Int64, _ b: Double) -> PredicateOrder? {
        if b.isNaN { return nil }
        if b >= 0x1p63 { return .ascending }
        if b < -0x1p63 { return .descending }
        let whole = b.rounded(.down)
        let floor = Int64(whole)
        if a != floor { return a < floor ? .ascending : .descending }
        return b > whole ? .ascending : .same
    }
}

/// How one value lies to another.
enum PredicateOrder {
    case ascending, same, descending

    var reversed: PredicateOrder {
        switch self {
        case .ascending: .descending
        case .same: .same
        case .descending: .ascending
        }
    }
}

extension PredicateValue {
    /// The number that this is; strings never become numbers.
    var number: PredicateNumber? {
        switch self {
        case .bool(let value): .integer(value ? 1 : 0)
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        default: nil
        }
    }
}
