/// A word, literal or sign of a predicate format, and where it stands.
struct FormatToken {
    let kind: Kind
    /// Places in the text's scalars.
    let start: Int
    let end: Int

    enum Kind: Equatable {
        case word(String)
        /// A function's name with colons in it.
        case selector(String)
        case variable(String)
        /// A key that may be a reserved word: `#size`.
        case key(String)
        /// `@count`.
        case collectionOperator(String)
        case string(String)
        case integer(UInt64)
        case real(Double)
        /// The argument with this index.
        case argument(Int, FormatConversion)
        case sign(String)
        case end
    }

    /// The word in capitals, as keywords are compared.
    var keyword: String? { if case .word(let word) = kind { word.uppercased() } else { nil } }

    func isSign(_ sign: String) -> Bool { kind == .sign(sign) }
}

/// What a placeholder wants of its argument.
enum FormatConversion: Equatable {
    /// `%@`, any value.
    case value
    /// `%K`, a key path.
    case key
    /// `%d` and its like.
    case integer
    /// `%f` and its like.
    case real
    /// `%s`.
    case string
}

/// Words that mean something by themselves, in any case.
enum ReservedWords {
    static let operators: Set<String> = [
        "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH",
        "BETWEEN",
    ]
    static let literals: Set<String> = [
        "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "TRUEPREDICATE", "FALSEPREDICATE",
    ]
    /// Accepted in their place, keys elsewhere.
    static let contextual: Set<String> = ["FIRST", "LAST", "SIZE", "SUBQUERY", "TERNARY", "CAST", "FUNCTION"]
    /// What Apple knows and we refuse.
    static let refused: Set<String> = ["CASEINSENSITIVE", "CI", "ANYKEY", "FETCH"]

    static let all = operators.union(literals).union(contextual).union(refused)
    /// For suggestions.
    static let keywords = operators.union(literals).union(["UTI-CONFORMS-TO", "UTI-EQUALS"]).sorted()
}

extension Unicode.Scalar {
    var startsIdentifier: Bool {
        isASCII ? (self == "_" || ("a"..."z").contains(self) || ("A"..."Z").contains(self)) : properties.isIDStart
    }

    var continuesIdentifier: Bool {
        isASCII ? (startsIdentifier || isDigit) : properties.isIDContinue
    }

    var isDigit: Bool { ("0"..."9").contains(self) }

    var isBlank: Bool { properties.isWhitespace }
}
