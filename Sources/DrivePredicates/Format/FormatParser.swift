/// Reads tokens of a predicate format by recursive descent.
///
/// Parentheses may hold a predicate or an expression, and which of them shows only behind them; so one set of functions
/// reads both, and a `Part` says what came out. Nothing is read twice, thus no text takes more than linear time.
struct FormatParser {
    let text: [Unicode.Scalar]
    let tokens: [FormatToken]
    let arguments: [PredicateValue]
    var place = 0
    var nesting = 0
    /// The height of the tree that was read last.
    var height = 0
    /// Whether the conjunction that was read last was a chain of ANDs without parentheses around.
    private var wasBareConjunction = false
    private(set) var warnings: [PredicateWarning] = []

    /// Something that stands between two operators.
    enum Part {
        case predicate(MetadataPredicate)
        case expression(ValueExpression)
    }

    init(_ format: String, arguments: [PredicateValue]) throws(PredicateSyntaxError) {
        text = try PredicateLimits.scalars(of: format)
        tokens = try FormatLexer.tokens(of: text)
        self.arguments = arguments
    }

    mutating func parse() throws(PredicateSyntaxError) -> MetadataPredicate {
        let predicate = try predicate()
        if token.kind != .end { throw unexpected() }
        try checkArgumentCount()
        return predicate
    }

    /// Arguments that are left over are an error, unless their placeholders stand in quotes: these are text, as on Apple's
    /// platforms, and `lint` says so.
    private mutating func checkArgumentCount() throws(PredicateSyntaxError) {
        let wanted = tokens.count { if case .argument = $0.kind { true } else { false } }
        let quoted = tokens.filter { if case .string(let string) = $0.kind { string.contains("%") } else { false } }
        for token in quoted where wanted < arguments.count {
            warn("a placeholder in quotes is text, its argument is not used", at: token.start)
        }
        guard wanted >= arguments.count || !quoted.isEmpty else {
            throw fault("there are \(arguments.count) arguments for \(wanted) placeholders", at: text.count)
        }
    }

    mutating func predicate() throws(PredicateSyntaxError) -> MetadataPredicate {
        let start = place
        let part = try disjunction()
        return try asPredicate(part, from: start)
    }

    mutating func disjunction() throws(PredicateSyntaxError) -> Part {
        let start = place
        let first = try conjunction()
        guard isConnective("OR", "||") else { return first }
        var chain = [try asPredicate(first, from: start)]
        var highest = height
        var isMixed = wasBareConjunction
        let column = token.start
        while isConnective("OR", "||") {
            place += 1
            let start = place
            let part = try conjunction()
            chain.append(try asPredicate(part, from: start))
            isMixed = isMixed || wasBareConjunction
            highest = max(highest, height)
        }
        try rise(above: highest)
        wasBareConjunction = false
        if isMixed { warn("AND and OR are mixed without parentheses; AND is taken first", at: column) }
        return .predicate(.or(chain))
    }

    private mutating func conjunction() throws(PredicateSyntaxError) -> Part {
        let start = place
        let first = try negation()
        guard isConnective("AND", "&&") else {
            wasBareConjunction = false
            return first
        }
        var chain = [try asPredicate(first, from: start)]
        var highest = height
        while isConnective("AND", "&&") {
            place += 1
            let start = place
            let part = try negation()
            chain.append(try asPredicate(part, from: start))
            highest = max(highest, height)
        }
        try rise(above: highest)
        wasBareConjunction = true
        return .predicate(.and(chain))
    }

    private mutating func negation() throws(PredicateSyntaxError) -> Part {
        var count = 0
        while isConnective("NOT", "!") {
            place += 1
            count += 1
        }
        let start = place
        let part = try comparison()
        guard count > 0 else { return part }
        var predicate = try asPredicate(part, from: start)
        for _ in 0..<count {
            try rise(above: height)
            predicate = .not(predicate)
        }
        return .predicate(predicate)
    }

    private func isConnective(_ word: String, _ sign: String) -> Bool {
        token.keyword == word || token.isSign(sign)
    }

    /// Each column takes time to count, so nobody gets more than he will read.
    private mutating func warn(_ message: String, at place: Int) {
        guard warnings.count < PredicateLimits.warnings else { return }
        warnings.append(PredicateWarning(message: message, column: fault(message, at: place).column))
    }

    func asPredicate(_ part: Part, from start: Int) throws(PredicateSyntaxError) -> MetadataPredicate {
        switch part {
        case .predicate(let predicate): return predicate
        case .expression(let expression): throw noComparison(expression, from: start)
        }
    }

    func asExpression(_ part: Part, from start: Int) throws(PredicateSyntaxError) -> ValueExpression {
        switch part {
        case .expression(let expression): return expression
        case .predicate: throw fault("a value is needed here, this is a predicate", at: tokens[start].start)
        }
    }
}
