/// Reads a query of words: `kind:pdf modified:<30d -draft "exact phrase" budget | plan`.
///
/// Terms side by side must all match; `|` joins its two neighbours to alternatives; `-` before a term negates it;
/// parentheses group.
struct WordsParser {
    let text: [Unicode.Scalar]
    let context: QueryContext
    var place = 0
    private var nesting = 0

    init(_ query: String, _ context: QueryContext) throws(PredicateSyntaxError) {
        text = try PredicateLimits.scalars(of: query)
        self.context = context
    }

    mutating func parse() throws(PredicateSyntaxError) -> MetadataPredicate {
        let predicate = try sequence()
        if peek == ")" { throw fault("there is no ( before", at: place) }
        return predicate
    }

    private mutating func sequence() throws(PredicateSyntaxError) -> MetadataPredicate {
        var terms: [MetadataPredicate] = []
        skipBlanks()
        while let next = peek, next != ")" {
            terms.append(try alternatives())
            skipBlanks()
        }
        if terms.isEmpty { throw fault("there is nothing to look for", at: place) }
        return .all(terms)
    }

    private mutating func alternatives() throws(PredicateSyntaxError) -> MetadataPredicate {
        var terms = [try term()]
        skipBlanks()
        while peek == "|" {
            while peek == "|" { place += 1 }
            terms.append(try term())
            skipBlanks()
        }
        return .any(terms)
    }

    private mutating func term() throws(PredicateSyntaxError) -> MetadataPredicate {
        skipBlanks()
        let isNegated = peek == "-" && peek(1).map { !$0.isBlank && $0 != "|" && $0 != ")" } ?? false
        if isNegated { place += 1 }
        let term = try positiveTerm()
        return isNegated ? .not(term) : term
    }

    private mutating func positiveTerm() throws(PredicateSyntaxError) -> MetadataPredicate {
        guard let first = peek else { throw fault("a word is missing", at: place) }
        switch first {
        case "(": return try group()
        case "|", ")": throw fault("a word is missing", at: place)
        case "\"": return anywhere(try quoted())
        default: break
        }
        if let key = key() { return try attribute(key) }
        return anywhere(run(), isBare: true)
    }

    private mutating func group() throws(PredicateSyntaxError) -> MetadataPredicate {
        place += 1
        nesting += 1
        guard nesting <= PredicateLimits.groups else {
            throw fault("parentheses lie more than \(PredicateLimits.groups) deep", at: place)
        }
        let predicate = try sequence()
        guard peek == ")" else { throw fault(") is missing", at: place) }
        place += 1
        nesting -= 1
        return predicate
    }

    /// In the name or in the text. A bare word with `*` is a pattern for the whole name.
    private func anywhere(_ word: String, isBare: Bool = false) -> MetadataPredicate {
        let name = context.attributes.resolved("name")
        if isBare, word.contains("*"), let name { return .comparison(name.comparison(.like, .string(word))) }
        let text = context.attributes.resolved("text")
        return .any([name, text].compactMap { $0 }.map { .comparison($0.comparison(.contains, .string(word))) })
    }

    /// The word before a colon, if that is what stands here.
    private mutating func key() -> (name: String, start: Int)? {
        let start = place
        guard let first = peek, first.startsIdentifier else { return nil }
        var end = place
        while end < text.count, text[end].continuesIdentifier { end += 1 }
        guard end < text.count, text[end] == ":" else { return nil }
        place = end + 1
        return (string(start..<end), start)
    }

    private mutating func attribute(_ key: (name: String, start: Int)) throws(PredicateSyntaxError) -> MetadataPredicate
    {
        guard let attribute = context.attributes.resolved(key.name) else {
            let nearest = context.attributes.aliasSuggestion(for: key.name).map { $0 + ":" }
            throw fault(
                "there is no attribute \(key.name); quote the word to look for it as it is", at: key.start,
                suggestion: nearest)
        }
        let comparison = comparisonOperator()
        var alternatives: [MetadataPredicate] = []
        repeat {
            let start = place
            let isQuoted = peek == "\""
            let word = isQuoted ? try quoted() : run(endsAtComma: attribute.wordsMatchWhole)
            guard !word.isEmpty || isQuoted else { throw fault("a value is missing", at: place) }
            let term = WordTerm(
                attribute: attribute, comparison: comparison, word: word, isQuoted: isQuoted, context: context)
            guard let predicate = term.predicate else {
                throw fault(term.refusal, at: start, suggestion: term.suggestion)
            }
            alternatives.append(predicate)
        } while attribute.wordsMatchWhole && accept(",")
        return .any(alternatives)
    }

    private mutating func comparisonOperator() -> ComparisonOperator? {
        let operators: [(String, ComparisonOperator)] = [
            (">=", .greaterOrEqual), ("<=", .lessOrEqual), (">", .greater), ("<", .less), ("==", .equal), ("=", .equal),
        ]
        return operators.first { accept($0.0) }?.1
    }
}
