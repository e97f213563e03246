extension FormatParser {
    mutating func expression() throws(PredicateSyntaxError) -> ValueExpression {
        let start = place
        let part = try binary(1)
        return try asExpression(part, from: start)
    }

    /// Operators of at least this precedence, from the left.
    mutating func binary(_ least: Int) throws(PredicateSyntaxError) -> Part {
        let start = place
        var left = try unary()
        while let arithmetic = arithmeticOperator(), arithmetic.precedence >= least {
            let operand = try asExpression(left, from: start)
            let highest = height
            place += 1
            let rightStart = place
            let part = try binary(arithmetic.precedence + 1)
            let right = try asExpression(part, from: rightStart)
            try rise(above: max(highest, height))
            left = .expression(.arithmetic(operand, arithmetic, right))
        }
        return left
    }

    private func arithmeticOperator() -> ArithmeticOperator? {
        guard case .sign(let sign) = token.kind else { return nil }
        return ArithmeticOperator(rawValue: sign)
    }

    private mutating func unary() throws(PredicateSyntaxError) -> Part {
        var signs: [String] = []
        while token.isSign("-") || token.isSign("~") {
            if token.isSign("-"), let literal = negativeLiteral() {
                return try signed(.expression(.constant(literal)), signs, from: place)
            }
            signs.append(token.isSign("-") ? "-" : "~")
            place += 1
        }
        let start = place
        let part = try postfix()
        return try signed(part, signs, from: start)
    }

    private mutating func signed(_ part: Part, _ signs: [String], from start: Int) throws(PredicateSyntaxError) -> Part
    {
        guard !signs.isEmpty else { return part }
        var expression = try asExpression(part, from: start)
        for sign in signs.reversed() {
            try rise(above: height)
            expression = sign == "-" ? .negated(expression) : .function(.onesComplement, [expression])
        }
        return .expression(expression)
    }

    /// A minus and a number that nothing is taken from are one literal.
    private mutating func negativeLiteral() -> PredicateValue? {
        let number = tokens[place + 1]
        let value: PredicateValue
        switch number.kind {
        case .integer(let magnitude): value = NumberLiteral.value(magnitude, isNegative: true)
        case .real(let magnitude): value = .real(-magnitude)
        default: return nil
        }
        let after = tokens[place + 2]
        guard !after.isSign("."), !after.isSign("[") else { return nil }
        place += 2
        height = 0
        return value
    }

    /// A primary part with keys and indexes behind it.
    private mutating func postfix() throws(PredicateSyntaxError) -> Part {
        let start = place
        let isBare = !token.isSign("(")
        var part = try primary()
        var mayJoin = isBare
        while token.isSign(".") || token.isSign("[") {
            let base = try asExpression(part, from: start)
            if token.isSign(".") {
                place += 1
                part = .expression(try member(of: base, joined: mayJoin))
                mayJoin = true
            } else {
                part = .expression(try element(of: base))
                mayJoin = false
            }
        }
        return part
    }

    private mutating func member(of base: ValueExpression, joined: Bool) throws(PredicateSyntaxError) -> ValueExpression
    {
        let column = token.start
        let keys = try keysAfterDot()
        let result: ValueExpression
        let path: [String]
        switch base {
        case .item: (result, path) = (.keyPath(keys), keys)
        case .keyPath(let earlier) where joined: (result, path) = (.keyPath(earlier + keys), earlier + keys)
        case .member(let root, let earlier) where joined:
            (result, path) = (.member(root, earlier + keys), earlier + keys)
        default:
            try rise(above: height)
            (result, path) = (.member(base, keys), keys)
        }
        if path.count(where: { CollectionOperator(rawValue: $0) != nil }) > 1 {
            throw fault(
                "a collection operator takes all of the path behind it; put the first one in parentheses", at: column)
        }
        if path.count > PredicateLimits.height {
            throw fault("a path may have \(PredicateLimits.height) keys", at: column)
        }
        return result
    }

    private mutating func keysAfterDot() throws(PredicateSyntaxError) -> [String] {
        let token = token
        switch token.kind {
        case .word(let word) where !word.contains("-"): place += 1; return [word]
        case .key(let key): place += 1; return [key]
        case .collectionOperator: return [try collectionOperator()]
        case .argument(let index, .key): return try keys(ofArgument: index)
        default: throw fault("a key is missing after the dot", at: token.start)
        }
    }

    mutating func collectionOperator() throws(PredicateSyntaxError) -> String {
        guard case .collectionOperator(let name) = token.kind else { throw unexpected() }
        guard CollectionOperator(rawValue: name) != nil else {
            let known = CollectionOperator.allCases.map(\.rawValue)
            throw fault(
                "\(name) is no collection operator", at: token.start,
                suggestion: NearestNames.nearest(to: name, in: known, count: 1).first)
        }
        place += 1
        return name
    }

    private mutating func element(of base: ValueExpression) throws(PredicateSyntaxError) -> ValueExpression {
        let baseHeight = height
        try open("[")
        let index: ElementIndex
        height = 0
        switch (token.keyword, tokens[min(place + 1, tokens.count - 1)].isSign("]")) {
        case ("FIRST", true): index = .first; place += 1
        case ("LAST", true): index = .last; place += 1
        case ("SIZE", true): index = .size; place += 1
        default: index = .at(try expression())
        }
        try close("]")
        try rise(above: max(baseHeight, height))
        return .element(base, index)
    }
}
