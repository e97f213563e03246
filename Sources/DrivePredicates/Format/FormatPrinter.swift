import Foundation

extension MetadataPredicate {
    /// The predicate as a format without placeholders. Read again it gives the same tree, as long as the tree is one that
    /// a format can say: no chain of fewer than two, no `w` where it has no meaning, no constant left uncast.
    public var predicateFormat: String {
        switch self {
        case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .and(let chain): chain.isEmpty ? "TRUEPREDICATE" : chain.map(\.operandFormat).joined(separator: " AND ")
        case .or(let chain): chain.isEmpty ? "FALSEPREDICATE" : chain.map(\.operandFormat).joined(separator: " OR ")
        case .not(let predicate): "NOT (" + predicate.predicateFormat + ")"
        case .comparison(let comparison): comparison.format
        }
    }

    /// In parentheses unless it cannot be misread.
    private var operandFormat: String {
        switch self {
        case .and, .or: "(" + predicateFormat + ")"
        case .constant, .not, .comparison: predicateFormat
        }
    }
}

extension PredicateComparison {
    fileprivate var format: String {
        let modifier = modifier == .direct ? "" : modifier.rawValue + " "
        return "\(modifier)\(left.format) \(comparison.rawValue)\(options.text) \(right.format)"
    }
}

extension ValueExpression {
    /// The expression as a format says it.
    public var format: String {
        switch self {
        case .constant(let value): value.literal
        case .item: "SELF"
        case .variable(let name): "$" + name
        case .keyPath(let keys): Self.path(keys)
        case .member(let base, let keys): base.memberBase + "." + Self.path(keys)
        case .element(let base, let index): base.elementBase + "[" + index.format + "]"
        case .list(let values): "{" + Self.arguments(values) + "}"
        case .negated(let value): "-(" + value.format + ")"
        case .arithmetic(let left, let arithmetic, let right):
            "\(left.operandFormat) \(arithmetic.rawValue) \(right.operandFormat)"
        case .function(let function, let values): function.rawValue + "(" + Self.arguments(values) + ")"
        case .subquery(let collection, let name, let predicate):
            "SUBQUERY(\(collection.format), $\(name), \(predicate.predicateFormat))"
        case .ternary(let condition, let first, let second):
            "TERNARY(\(condition.predicateFormat), \(first.format), \(second.format))"
        case .cast(let value, let type): "CAST(\(value.format), \"\(type.rawValue)\")"
        }
    }

    private static func path(_ keys: [String]) -> String { keys.map(KeyText.write).joined(separator: ".") }

    private static func arguments(_ values: [ValueExpression]) -> String {
        values.map(\.format).joined(separator: ", ")
    }

    private var operandFormat: String {
        if case .arithmetic = self { "(" + format + ")" } else { format }
    }

    /// Keys written behind a path would lengthen it, and behind digits would be a fraction.
    private var memberBase: String {
        switch self {
        case .keyPath, .member: "(" + format + ")"
        default: elementBase
        }
    }

    private var elementBase: String {
        switch self {
        case .arithmetic, .negated: return "(" + format + ")"
        case .constant(let value):
            switch value {
            case .integer, .real: return "(" + format + ")"
            default: return format
            }
        default: return format
        }
    }
}

extension ElementIndex {
    fileprivate var format: String {
        switch self {
        case .first: "FIRST"
        case .last: "LAST"
        case .size: "SIZE"
        case .at(let expression): expression.format
        }
    }
}

extension PredicateValue {
    /// The value as a format says it; dates as seconds since 2001 to the nanosecond, data in Base64.
    public var literal: String {
        switch self {
        case .null: "nil"
        case .bool(let value): value ? "YES" : "NO"
        case .integer(let value): String(value)
        case .real(let value): Self.literal(value)
        case .string(let value): QuotedText.write(value)
        case .date(let value): "CAST(\(value.decimal), \"NSDate\")"
        case .data(let value): "CAST(\"\(Data(value).base64EncodedString())\", \"NSData\")"
        case .list(let values): "{" + values.map(\.literal).joined(separator: ", ") + "}"
        case .dictionary(let values):
            "CAST({"
                + values.sorted { $0.key < $1.key }.map { QuotedText.write($0.key) + ", " + $0.value.literal }
                .joined(separator: ", ") + "}, \"NSDictionary\")"
        }
    }

    private static func literal(_ value: Double) -> String {
        if value.isFinite { return value.description }
        return "CAST(\"\(value.isNaN ? "NaN" : value < 0 ? "-inf" : "inf")\", \"NSNumber\")"
    }
}
