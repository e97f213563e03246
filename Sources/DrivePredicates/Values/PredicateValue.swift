/// What an attribute of an item, a literal or an argument holds.
///
/// A missing attribute is `null`. Equality here is that of trees (`1` is not `1.0`, NaN is NaN); what `==` means in a
/// predicate is `isEqual(to:)`.
public enum PredicateValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case date(PredicateDate)
    case data([UInt8])
    case list([PredicateValue])
    case dictionary([String: PredicateValue])
}

extension PredicateValue: Hashable {
    public static func == (a: Self, b: Self) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let b)): a == b || (a.isNaN && b.isNaN)
        case (.string(let a), .string(let b)): a == b
        case (.date(let a), .date(let b)): a == b
        case (.data(let a), .data(let b)): a == b
        case (.list(let a), .list(let b)): a == b
        case (.dictionary(let a), .dictionary(let b)): a == b
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value.isNaN ? Double.infinity : value)
        case .string(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .list(let value): hasher.combine(value)
        case .dictionary(let value): hasher.combine(value)
        }
    }
}

extension PredicateValue {
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The values that a quantifier or SUBQUERY goes over: a list's, none of a missing value, else the value itself.
    var elements: [PredicateValue] {
        switch self {
        case .null: []
        case .list(let values): values
        default: [self]
        }
    }

    /// What the kind of value is called in messages.
    var kindName: String {
        switch self {
        case .null: "nil"
        case .bool, .integer, .real: "a number"
        case .string: "a string"
        case .date: "a date"
        case .data: "data"
        case .list: "a list"
        case .dictionary: "a dictionary"
        }
    }

    /// How deep lists and dictionaries lie in each other; a dictionary counts twice, as it is printed as pairs in a cast.
    var height: Int {
        switch self {
        case .list(let values): 1 + (values.map(\.height).max() ?? 0)
        case .dictionary(let values): 2 + (values.values.map(\.height).max() ?? 0)
        default: 0
        }
    }
}

extension PredicateValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .real(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(nilLiteral: ()) { self = .null }
    public init(arrayLiteral elements: PredicateValue...) { self = .list(elements) }
}
