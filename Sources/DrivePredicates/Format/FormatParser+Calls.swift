import Foundation

extension FormatParser {
    /// A function with its arguments, or the operator that its name stands for.
    mutating func call(_ written: String) throws(PredicateSyntaxError) -> ValueExpression {
        let column = token.start
        place += 1
        guard token.isSign("(") else {
            throw fault("\(written) is a function's name, its arguments are missing", at: column)
        }
        try open("(")
        let arguments = try expressions(until: ")")
        try close(")")
        try rise(above: height)
        let name =
            written.hasSuffix(":") && written.dropLast().contains(":") == false ? String(written.dropLast()) : written
        if let call = try sameAsOperator(name.lowercased(), arguments, at: column) { return call }
        guard let function = PredicateFunction(name: name) else { throw unknownFunction(name, at: column) }
        guard function.arity.contains(arguments.count) else {
            throw fault("\(function.rawValue) cannot take \(arguments.count) arguments", at: column)
        }
        return .function(function, arguments)
    }

    private static let operators: [String: ArithmeticOperator] = [
        "add:to:": .add, "from:subtract:": .subtract, "multiply:by:": .multiply, "divide:by:": .divide,
        "raise:topower:": .power, "bitwiseand:with:": .bitwiseAnd, "bitwiseor:with:": .bitwiseOr,
        "bitwisexor:with:": .bitwiseXor, "leftshift:by:": .shiftLeft, "rightshift:by:": .shiftRight,
    ]

    private func sameAsOperator(_ name: String, _ arguments: [ValueExpression], at column: Int)
        throws(PredicateSyntaxError) -> ValueExpression?
    {
        let arithmetic = Self.operators[name]
        guard arithmetic != nil || name == "objectfrom:withindex:" || name == "castobject:totype:" else { return nil }
        guard arguments.count == 2 else { throw fault("\(name) takes two arguments", at: column) }
        if let arithmetic { return .arithmetic(arguments[0], arithmetic, arguments[1]) }
        if name == "objectfrom:withindex:" { return .element(arguments[0], .at(arguments[1])) }
        guard case .constant(.string(let type)) = arguments[1], let type = CastType(name: type) else {
            throw fault("a type such as 'NSDate' is needed", at: column)
        }
        return .makeCast(arguments[0], type)
    }

    private func unknownFunction(_ name: String, at column: Int) -> PredicateSyntaxError {
        if name.uppercased() == "FUNCTION" {
            return fault("FUNCTION calls any method of any object, which is not supported", at: column)
        }
        let known =
            PredicateFunction.allCases.map(\.rawValue) + Self.operators.keys.sorted() + ["SUBQUERY", "TERNARY", "CAST"]
        return fault(
            "there is no function \(name)", at: column,
            suggestion: NearestNames.nearest(to: name, in: known, count: 1).first)
    }

    /// `CAST(value, 'type')`; a date from digits is read from the digits, because a double would lose nanoseconds.
    mutating func cast() throws(PredicateSyntaxError) -> ValueExpression {
        place += 1
        try open("(")
        let digits = dateDigits()
        let value = try expression()
        let valueHeight = height
        try expect(",")
        let column = token.start
        guard case .constant(.string(let name)) = try expression(), let type = CastType(name: name) else {
            throw fault(
                "CAST makes one of these: \(CastType.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", "))",
                at: column)
        }
        try close(")")
        if type == .date, let digits, let date = PredicateDate(decimal: digits) {
            height = 0
            return .constant(.date(date))
        }
        let cast = ValueExpression.makeCast(value, type)
        height = valueHeight
        if case .constant(.date) = cast { return cast }
        try rise(above: height)
        return cast
    }

    /// The text of a number with nothing but a comma behind it.
    private func dateDigits() -> String? {
        let isNegative = token.isSign("-")
        let number = tokens[place + (isNegative ? 1 : 0)]
        switch number.kind {
        case .integer, .real: break
        default: return nil
        }
        guard tokens[place + (isNegative ? 2 : 1)].isSign(",") else { return nil }
        return (isNegative ? "-" : "") + String(String.UnicodeScalarView(text[number.start..<number.end]))
    }
}

extension ValueExpression {
    /// `cast`, folded where the value is constant and of a kind that has no literal of its own.
    static func makeCast(_ value: ValueExpression, _ type: CastType) -> ValueExpression {
        guard case .constant(let constant) = value else { return .cast(value, type) }
        switch (type, constant) {
        case (.date, _):
            if let number = constant.number, let date = PredicateDate(number: number) { return .constant(.date(date)) }
        case (.number, .string("NaN")): return .constant(.real(.nan))
        case (.number, .string("inf")): return .constant(.real(.infinity))
        case (.number, .string("-inf")): return .constant(.real(-.infinity))
        case (.data, .string(let text)):
            if let data = Data(base64Encoded: text) { return .constant(.data(Array(data))) }
        case (.dictionary, .list(let values)):
            if let dictionary = PredicateValue.dictionary(pairs: values) { return .constant(dictionary) }
        default: break
        }
        return .cast(value, type)
    }
}

extension PredicateDate {
    /// So many seconds after 2001.
    init?(number: PredicateNumber) {
        guard let date = PredicateDate(seconds: Self.reference).adding(number) else { return nil }
        self = date
    }
}

extension PredicateValue {
    /// Keys and values in turn; nil if a key is no string or has no value.
    static func dictionary(pairs: [PredicateValue]) -> PredicateValue? {
        guard pairs.count.isMultiple(of: 2) else { return nil }
        var dictionary: [String: PredicateValue] = [:]
        for index in stride(from: 0, to: pairs.count, by: 2) {
            guard case .string(let key) = pairs[index] else { return nil }
            dictionary[key] = pairs[index + 1]
        }
        return .dictionary(dictionary)
    }
}
