/// What stands on the right of a raw comparison.
enum RawValue: Equatable {
    /// A text with wildcards, as a pattern of LIKE.
    case pattern(String)
    case number(PredicateValue)
    case date(PredicateDate)
}

extension RawParser {
    mutating func value(_ options: inout ComparisonOptions) throws(PredicateSyntaxError) -> RawValue {
        skipBlanks()
        guard let first = peek else { throw fault("a value is missing", at: place) }
        if first == "\"" || first == "'" {
            let pattern = try quoted()
            try trailingOptions(&options)
            return .pattern(pattern)
        }
        if first == "$" { return .date(try time()) }
        let start = place
        let pattern = bareWord()
        guard place > start else { throw fault("a value is missing", at: place) }
        if let kind = NumberLiteral.kind(pattern.hasPrefix("-") ? String(pattern.dropFirst()) : pattern) {
            let isNegative = pattern.hasPrefix("-")
            switch kind {
            case .integer(let magnitude): return .number(NumberLiteral.value(magnitude, isNegative: isNegative))
            case .real(let magnitude): return .number(.real(isNegative ? -magnitude : magnitude))
            default: break
            }
        }
        return .pattern(pattern)
    }

    /// A backslash keeps its meaning before a wildcard or itself, as LIKE reads it too; before a quote it is dropped.
    private mutating func quoted() throws(PredicateSyntaxError) -> String {
        let start = place
        let quote = text[place]
        var pattern = String.UnicodeScalarView()
        place += 1
        while let scalar = peek {
            place += 1
            if scalar == quote { return String(pattern) }
            append(scalar, to: &pattern)
        }
        throw fault("the string that begins here has no closing quote", at: start)
    }

    private mutating func bareWord() -> String {
        var pattern = String.UnicodeScalarView()
        while let scalar = peek, !scalar.isBlank, !["(", ")", ",", "\"", "'"].contains(scalar) {
            if scalar == "&" || scalar == "|", peek(1) == scalar { break }
            place += 1
            append(scalar, to: &pattern)
        }
        return String(pattern)
    }

    private mutating func append(_ scalar: Unicode.Scalar, to pattern: inout String.UnicodeScalarView) {
        guard scalar == "\\" else { return pattern.append(scalar) }
        guard let next = peek else { return pattern.append(contentsOf: ["\\", "\\"]) }
        place += 1
        if ["*", "?", "\\"].contains(next) { pattern.append("\\") }
        pattern.append(next)
    }

    /// `"foo"cd` or `"foo"[cd]`.
    private mutating func trailingOptions(_ options: inout ComparisonOptions) throws(PredicateSyntaxError) {
        if peek == "[" {
            options.formUnion(try bracketedOptions())
            return
        }
        while let letter = peek, letter.continuesIdentifier {
            options.insert(try option(letter))
            place += 1
        }
    }

    mutating func bracketedOptions() throws(PredicateSyntaxError) -> ComparisonOptions {
        var options: ComparisonOptions = []
        guard accept("[") else { return options }
        while let letter = peek, letter != "]" {
            options.insert(try option(letter))
            place += 1
        }
        guard accept("]") else { throw fault("] is missing", at: place) }
        return options
    }

    private func option(_ letter: Unicode.Scalar) throws(PredicateSyntaxError) -> ComparisonOptions {
        switch letter {
        case "c", "C": return .caseInsensitive
        case "d", "D": return .diacriticInsensitive
        case "w", "W": return .wordBased
        default: throw fault("\(letter) is no modifier; there are c, d and w", at: place)
        }
    }

    var peek: Unicode.Scalar? { place < text.count ? text[place] : nil }

    func peek(_ distance: Int) -> Unicode.Scalar? { place + distance < text.count ? text[place + distance] : nil }

    mutating func skipBlanks() {
        while let scalar = peek, scalar.isBlank { place += 1 }
    }

    mutating func accept(_ sign: String) -> Bool {
        skipBlanks()
        guard text[place...].starts(with: sign.unicodeScalars) else { return false }
        if sign == "!", peek(1) == "=" { return false }
        place += sign.unicodeScalars.count
        return true
    }

    mutating func identifier() -> String {
        let start = place
        while let scalar = peek, scalar.continuesIdentifier { place += 1 }
        return String(String.UnicodeScalarView(text[start..<place]))
    }

    func fault(_ message: String, at place: Int, suggestion: String? = nil) -> PredicateSyntaxError {
        PredicateSyntaxError(message, in: text, at: place, suggestion: suggestion)
    }

    func unexpected() -> PredicateSyntaxError {
        var reader = self
        let word = reader.identifier().uppercased()
        let suggestion = ["AND": "&&", "OR": "||", "NOT": "!"][word]
        return fault("&& or || is needed here", at: place, suggestion: suggestion)
    }
}
