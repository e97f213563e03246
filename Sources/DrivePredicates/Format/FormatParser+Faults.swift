extension FormatParser {
    var token: FormatToken { tokens[place] }

    func fault(_ message: String, at place: Int, suggestion: String? = nil) -> PredicateSyntaxError {
        PredicateSyntaxError(message, in: text, at: place, suggestion: suggestion)
    }

    /// The tree gets one step higher than its highest part.
    mutating func rise(above highest: Int) throws(PredicateSyntaxError) {
        height = highest + 1
        if height > PredicateLimits.height {
            throw fault("the query is nested or chained too deeply", at: token.start)
        }
    }

    mutating func open(_ sign: String) throws(PredicateSyntaxError) {
        try expect(sign)
        nesting += 1
        if nesting > PredicateLimits.nesting {
            throw fault("brackets lie more than \(PredicateLimits.nesting) deep", at: token.start)
        }
    }

    mutating func close(_ sign: String) throws(PredicateSyntaxError) {
        try expect(sign)
        nesting -= 1
    }

    mutating func expect(_ sign: String) throws(PredicateSyntaxError) {
        guard token.isSign(sign) else {
            if token.isSign(":=") { throw unexpected() }
            throw fault("\(sign) is missing", at: token.start, suggestion: keywordSuggestion)
        }
        place += 1
    }

    func unexpected() -> PredicateSyntaxError {
        switch token.kind {
        case .end: return fault("the query ends too early", at: text.count)
        case .sign(":="): return fault("assignment is not supported", at: token.start)
        case .word(let word) where word.uppercased() == "NOT":
            return fault("NOT stands before a whole comparison: NOT (a IN b)", at: token.start)
        default:
            let written = PredicateSyntaxError("", in: Array(text[token.start..<token.end]), at: 0).text
            return fault("\(written.prefix(40)) cannot stand here", at: token.start, suggestion: keywordSuggestion)
        }
    }

    func noComparison(_ expression: ValueExpression, from start: Int) -> PredicateSyntaxError {
        switch token.kind {
        case .end, .sign(")"):
            if case .keyPath(let keys) = expression, let key = keys.first {
                return fault(
                    "a value alone is no predicate, an operator is missing", at: token.start,
                    suggestion: "\(key) == YES")
            }
            return fault("a value alone is no predicate, an operator is missing", at: token.start)
        case .sign(":="), .word("NOT"), .word("not"): return unexpected()
        default: return fault("an operator is needed here", at: token.start, suggestion: keywordSuggestion)
        }
    }

    func noOperator(after first: Int) -> PredicateSyntaxError {
        fault("\(tokens[first].keyword ?? "") needs a comparison: an operator is missing", at: token.start)
    }

    private var keywordSuggestion: String? {
        guard case .word(let word) = token.kind else { return nil }
        return NearestNames.nearest(to: word, in: ReservedWords.keywords, count: 1).first
    }
}
