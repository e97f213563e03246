/// Reads Spotlight's raw syntax, as mdfind takes it, straight from the characters: what an unquoted value may contain
/// depends on where it stands.
struct RawParser {
    let text: [Unicode.Scalar]
    let context: QueryContext
    var place = 0
    private var nesting = 0
    private var wasBareConjunction = false
    private(set) var warnings: [PredicateWarning] = []

    init(_ query: String, _ context: QueryContext) throws(PredicateSyntaxError) {
        text = try PredicateLimits.scalars(of: query)
        self.context = context
    }

    mutating func parse() throws(PredicateSyntaxError) -> MetadataPredicate {
        let predicate = try disjunction()
        if place < text.count { throw unexpected() }
        return predicate
    }

    private mutating func disjunction() throws(PredicateSyntaxError) -> MetadataPredicate {
        var chain = [try conjunction()]
        var isMixed = wasBareConjunction
        let column = place
        while accept("||") {
            chain.append(try conjunction())
            isMixed = isMixed || wasBareConjunction
        }
        wasBareConjunction = wasBareConjunction && chain.count == 1
        if chain.count > 1, isMixed, warnings.count < PredicateLimits.warnings {
            warnings.append(
                PredicateWarning(
                    message: "&& and || are mixed without parentheses; && is taken first",
                    column: fault("", at: column).column))
        }
        return .any(chain)
    }

    private mutating func conjunction() throws(PredicateSyntaxError) -> MetadataPredicate {
        var chain = [try negation()]
        while accept("&&") { chain.append(try negation()) }
        wasBareConjunction = chain.count > 1
        return .all(chain)
    }

    private mutating func negation() throws(PredicateSyntaxError) -> MetadataPredicate {
        var count = 0
        while accept("!") { count += 1 }
        let predicate = try primary()
        return count.isMultiple(of: 2) ? predicate : .not(predicate)
    }

    private mutating func primary() throws(PredicateSyntaxError) -> MetadataPredicate {
        skipBlanks()
        if accept("(") {
            nesting += 1
            guard nesting <= PredicateLimits.groups else {
                throw fault("parentheses lie more than \(PredicateLimits.groups) deep", at: place)
            }
            let predicate = try disjunction()
            guard accept(")") else { throw fault(") is missing", at: place) }
            nesting -= 1
            return predicate
        }
        let start = place
        if accept("*") { return try comparison(of: nil, from: start) }
        guard let first = peek, first.startsIdentifier else {
            throw place == text.count
                ? fault("the query ends too early", at: place) : fault("an attribute is needed here", at: place)
        }
        let name = identifier()
        if name.lowercased() == "inrange", accept("(") { return try range() }
        return try comparison(of: RawAttribute(name, context.attributes), from: start)
    }

    private mutating func comparison(of attribute: RawAttribute?, from start: Int) throws(PredicateSyntaxError)
        -> MetadataPredicate
    {
        skipBlanks()
        let column = place
        guard let comparison = comparisonOperator() else {
            throw fault("a comparison (==, !=, <, <=, >, >=) is needed here", at: column)
        }
        var options = try bracketedOptions()
        let value = try value(&options)
        switch RawComparison(comparison: comparison, value: value, options: options).predicate(attribute, context) {
        case .success(let predicate): return predicate
        case .failure(let refusal): throw fault(refusal.reason, at: column)
        }
    }

    private mutating func range() throws(PredicateSyntaxError) -> MetadataPredicate {
        skipBlanks()
        let column = place
        guard let first = peek, first.startsIdentifier else { throw fault("an attribute is needed here", at: place) }
        let attribute = RawAttribute(identifier(), context.attributes)
        var options: ComparisonOptions = []
        guard accept(",") else { throw fault(", is missing", at: place) }
        let low = try value(&options)
        guard accept(",") else { throw fault(", is missing", at: place) }
        let high = try value(&options)
        guard accept(")") else { throw fault(") is missing", at: place) }
        guard let low = attribute.ordered(low, context), let high = attribute.ordered(high, context) else {
            throw fault("InRange takes numbers and dates", at: column)
        }
        return .comparison(
            PredicateComparison(
                .keyPath([attribute.name]), .between, .constant(.list([low, high])), modifier: attribute.modifier))
    }

    private mutating func comparisonOperator() -> ComparisonOperator? {
        let operators: [(String, ComparisonOperator)] = [
            ("==", .equal), ("!=", .notEqual), ("<=", .lessOrEqual), (">=", .greaterOrEqual), ("=", .equal),
            ("<", .less), (">", .greater),
        ]
        return operators.first { accept($0.0) }?.1
    }
}
