/// What stands on either side of a comparison.
public indirect enum ValueExpression: Hashable, Sendable {
    /// A literal or an argument. `{1, 'a'}` is a constant list, `CAST(0, 'NSDate')` a constant date.
    case constant(PredicateValue)
    /// SELF, the item itself.
    case item
    /// `$name`.
    case variable(String)
    /// Keys of the item, one after the other; each may be a collection operator such as `@count`.
    case keyPath([String])
    /// Keys of another expression's value: `$x.name`, `SUBQUERY(...).@count`.
    case member(ValueExpression, [String])
    /// `list[FIRST]`, `list[0]`, `dictionary['key']`.
    case element(ValueExpression, ElementIndex)
    /// `{a, b}` with a value in it that is not constant.
    case list([ValueExpression])
    case negated(ValueExpression)
    case arithmetic(ValueExpression, ArithmeticOperator, ValueExpression)
    case function(PredicateFunction, [ValueExpression])
    /// The values of a collection for which a predicate over the variable holds.
    case subquery(ValueExpression, variable: String, MetadataPredicate)
    case ternary(MetadataPredicate, ValueExpression, ValueExpression)
    case cast(ValueExpression, CastType)
}

/// Which value of a collection is meant.
public indirect enum ElementIndex: Hashable, Sendable {
    case first, last, size
    /// A number from 0 for a list, a key for a dictionary.
    case at(ValueExpression)
}

/// The operators between numbers; the raw value is how each is printed.
public enum ArithmeticOperator: String, Hashable, Sendable, CaseIterable {
    case bitwiseOr = "|"
    case bitwiseXor = "^"
    case bitwiseAnd = "&"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case power = "**"

    /// The higher binds tighter; equal ones group from the left.
    var precedence: Int {
        switch self {
        case .bitwiseOr: 1
        case .bitwiseXor: 2
        case .bitwiseAnd: 3
        case .shiftLeft, .shiftRight: 4
        case .add, .subtract: 5
        case .multiply, .divide: 6
        case .power: 7
        }
    }
}

/// What CAST makes of a value; the raw value is how it is printed.
public enum CastType: String, Hashable, Sendable, CaseIterable {
    /// From seconds since 2001.
    case date = "NSDate"
    /// From digits in a string, or from a date: seconds since 2001.
    case number = "NSNumber"
    case string = "NSString"
    /// From Base64.
    case data = "NSData"
    /// From a list of keys and values in turn; ours, so that constant dictionaries can be printed.
    case dictionary = "NSDictionary"

    init?(name: String) {
        switch name.lowercased() {
        case "nsdate", "date": self = .date
        case "nsnumber", "nsdecimalnumber", "number", "double", "int": self = .number
        case "nsstring", "string": self = .string
        case "nsdata", "data": self = .data
        case "nsdictionary", "dictionary": self = .dictionary
        default: return nil
        }
    }
}

extension ValueExpression {
    /// `list`, folded to a constant where all values are.
    static func makeList(_ expressions: [ValueExpression]) -> ValueExpression {
        var values: [PredicateValue] = []
        for expression in expressions {
            guard case .constant(let value) = expression else { return .list(expressions) }
            values.append(value)
        }
        return .constant(.list(values))
    }
}
