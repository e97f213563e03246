/// One comparison of two expressions.
public struct PredicateComparison: Hashable, Sendable {
    public var left: ValueExpression
    public var comparison: ComparisonOperator
    public var right: ValueExpression
    public var modifier: ComparisonModifier
    public var options: ComparisonOptions

    public init(
        _ left: ValueExpression, _ comparison: ComparisonOperator, _ right: ValueExpression,
        modifier: ComparisonModifier = .direct, options: ComparisonOptions = []
    ) {
        self.left = left
        self.comparison = comparison
        self.right = right
        self.modifier = modifier
        self.options = options
    }
}

/// The operators of comparisons; the raw value is how each is printed.
public enum ComparisonOperator: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case between = "BETWEEN"
    case within = "IN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
    case conformsToType = "UTI-CONFORMS-TO"
    case equalsType = "UTI-EQUALS"

    /// Whether option `w` has a meaning: the operators that look for text in text.
    var canMatchWords: Bool { [.contains, .beginsWith, .endsWith, .like].contains(self) }
}

/// How a comparison goes over the left side's values.
public enum ComparisonModifier: String, Hashable, Sendable, CaseIterable {
    /// Once, with the left side as it is.
    case direct = ""
    /// True for one value or more; SOME is the same word.
    case any = "ANY"
    /// True for each value, thus also if there are none.
    case all = "ALL"
    /// True for no value.
    case none = "NONE"
}

/// The letters in brackets after an operator.
public struct ComparisonOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `c`: capitals and small letters are equal.
    public static let caseInsensitive = ComparisonOptions(rawValue: 1)
    /// `d`: marks on letters do not count.
    public static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
    /// `n`: both sides are normalised already; code points are compared as they are, `c` and `d` have no effect.
    public static let normalized = ComparisonOptions(rawValue: 4)
    /// `l`: the order of the context's locale.
    public static let localeSensitive = ComparisonOptions(rawValue: 8)
    /// `w`, ours, from Spotlight's raw queries: what is looked for begins and ends where words do.
    public static let wordBased = ComparisonOptions(rawValue: 16)

    static let letters: [(Unicode.Scalar, ComparisonOptions)] = [
        ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized), ("l", .localeSensitive),
        ("w", .wordBased),
    ]

    /// The letters in brackets, or nothing.
    public var text: String {
        if isEmpty { return "" }
        var text = "["
        for (letter, option) in Self.letters where contains(option) { text.unicodeScalars.append(letter) }
        return text + "]"
    }
}
