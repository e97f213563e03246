extension FormatParser {
    mutating func primary() throws(PredicateSyntaxError) -> Part {
        let token = token
        height = 0
        switch token.kind {
        case .sign("("):
            try open("(")
            let part = try disjunction()
            try close(")")
            return part
        case .sign("{"): return .expression(try list())
        case .string(let string): return literal(.string(string))
        case .integer(let magnitude): return literal(NumberLiteral.value(magnitude, isNegative: false))
        case .real(let value): return literal(.real(value))
        case .argument(let index, let conversion): return .expression(try argument(index, conversion))
        case .variable(let name):
            place += 1
            return .expression(.variable(name))
        case .key(let key):
            place += 1
            return .expression(.keyPath([key]))
        case .collectionOperator: return .expression(.keyPath([try collectionOperator()]))
        case .selector(let name): return .expression(try call(name))
        case .word(let word): return try named(word)
        case .sign, .end: throw unexpected()
        }
    }

    private mutating func literal(_ value: PredicateValue) -> Part {
        place += 1
        return .expression(.constant(value))
    }

    private mutating func named(_ word: String) throws(PredicateSyntaxError) -> Part {
        let keyword = word.uppercased()
        let isCall = tokens[place + 1].isSign("(")
        switch keyword {
        case "NULL", "NIL": return literal(.null)
        case "TRUE", "YES": return literal(.bool(true))
        case "FALSE", "NO": return literal(.bool(false))
        case "TRUEPREDICATE", "FALSEPREDICATE":
            place += 1
            return .predicate(.constant(keyword == "TRUEPREDICATE"))
        case "SELF":
            place += 1
            return .expression(.item)
        case "SUBQUERY" where isCall: return .expression(try subquery())
        case "TERNARY" where isCall: return .expression(try ternary())
        case "CAST" where isCall: return .expression(try cast())
        case _ where ReservedWords.refused.contains(keyword):
            throw fault("\(keyword) is not supported", at: token.start, suggestion: "#\(word), if it is an attribute")
        case _ where ReservedWords.operators.contains(keyword) || keyword.hasPrefix("UTI-"): throw unexpected()
        case _ where isCall: return .expression(try call(word))
        default:
            place += 1
            return .expression(.keyPath([word]))
        }
    }

    private mutating func list() throws(PredicateSyntaxError) -> ValueExpression {
        try open("{")
        let values = try expressions(until: "}")
        try close("}")
        try rise(above: height)
        return .makeList(values)
    }

    /// Expressions between commas; afterwards the height is that of the highest.
    mutating func expressions(until end: String) throws(PredicateSyntaxError) -> [ValueExpression] {
        height = 0
        guard !token.isSign(end) else { return [] }
        var expressions: [ValueExpression] = []
        var highest = 0
        while true {
            expressions.append(try expression())
            highest = max(highest, height)
            guard token.isSign(",") else { break }
            place += 1
        }
        height = highest
        return expressions
    }

    private mutating func subquery() throws(PredicateSyntaxError) -> ValueExpression {
        place += 1
        try open("(")
        let collection = try expression()
        let collectionHeight = height
        try expect(",")
        guard case .variable(let name) = token.kind else {
            throw fault("SUBQUERY needs a variable such as $x here", at: token.start)
        }
        place += 1
        try expect(",")
        let predicate = try predicate()
        try close(")")
        try rise(above: max(collectionHeight, height))
        return .subquery(collection, variable: name, predicate)
    }

    private mutating func ternary() throws(PredicateSyntaxError) -> ValueExpression {
        place += 1
        try open("(")
        let condition = try predicate()
        var highest = height
        try expect(",")
        let first = try expression()
        highest = max(highest, height)
        try expect(",")
        let second = try expression()
        try close(")")
        try rise(above: max(highest, height))
        return .ternary(condition, first, second)
    }
}
