extension FormatParser {
    /// A comparison, or a part alone that the caller may take or refuse.
    mutating func comparison() throws(PredicateSyntaxError) -> Part {
        let first = place
        let modifier = modifier()
        let start = place
        let left = try binary(1)
        let leftHeight = height
        guard let comparison = comparisonOperator() else {
            if modifier != .direct { throw noOperator(after: first) }
            return left
        }
        let expression = try asExpression(left, from: start)
        place += 1
        let options = try options(for: comparison)
        let rightStart = place
        let part = try binary(1)
        let right = try asExpression(part, from: rightStart)
        if comparisonOperator() != nil { throw fault("comparisons cannot follow one another", at: token.start) }
        try rise(above: max(leftHeight, height))
        return .predicate(
            .comparison(PredicateComparison(expression, comparison, right, modifier: modifier, options: options)))
    }

    private mutating func modifier() -> ComparisonModifier {
        let modifier: ComparisonModifier
        switch token.keyword {
        case "ANY", "SOME": modifier = .any
        case "ALL": modifier = .all
        case "NONE": modifier = .none
        default: return .direct
        }
        place += 1
        return modifier
    }

    private func comparisonOperator() -> ComparisonOperator? {
        switch token.kind {
        case .sign(let sign):
            switch sign {
            case "=", "==": .equal
            case "!=", "<>": .notEqual
            case "<": .less
            case "<=", "=<": .lessOrEqual
            case ">": .greater
            case ">=", "=>": .greaterOrEqual
            default: nil
            }
        case .word(let word): ComparisonOperator(rawValue: word.uppercased())
        default: nil
        }
    }

    private mutating func options(for comparison: ComparisonOperator) throws(PredicateSyntaxError)
        -> ComparisonOptions
    {
        guard token.isSign("[") else { return [] }
        place += 1
        guard case .word(let letters) = token.kind else {
            throw fault("options are letters: c, d, n, l, w", at: token.start)
        }
        var options: ComparisonOptions = []
        for (distance, letter) in letters.unicodeScalars.enumerated() {
            let lower = letter.properties.lowercaseMapping
            guard let found = ComparisonOptions.letters.first(where: { String($0.0) == lower }) else {
                throw fault("\(letter) is no option; there are c, d, n, l and w", at: token.start + distance)
            }
            options.insert(found.1)
        }
        if options.contains(.wordBased), !comparison.canMatchWords {
            throw fault("option w goes with CONTAINS, LIKE, BEGINSWITH and ENDSWITH", at: token.start)
        }
        place += 1
        try expect("]")
        return options
    }
}
