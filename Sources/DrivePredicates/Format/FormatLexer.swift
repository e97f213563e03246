/// Cuts a predicate format into tokens.
///
/// It works on scalars: to `Character` a quote with a combining mark after it is no quote any more.
struct FormatLexer {
    let text: [Unicode.Scalar]
    private(set) var place = 0
    private var tokens: [FormatToken] = []
    private var argumentCount = 0

    init(_ text: [Unicode.Scalar]) { self.text = text }

    static func tokens(of text: [Unicode.Scalar]) throws(PredicateSyntaxError) -> [FormatToken] {
        var lexer = FormatLexer(text)
        while try lexer.next() {}
        return lexer.tokens
    }

    private static let pairs: Set<String> = [
        "**", "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", ":=", "<<", ">>",
    ]
    private static let singles = Set("=<>!(){}[],.+-*/&|^~".unicodeScalars)

    private mutating func next() throws(PredicateSyntaxError) -> Bool {
        while let scalar = peek, scalar.isBlank { place += 1 }
        let start = place
        guard let first = peek else {
            tokens.append(FormatToken(kind: .end, start: start, end: start))
            return false
        }
        let kind = try kind(first)
        tokens.append(FormatToken(kind: kind, start: start, end: place))
        return true
    }

    private mutating func kind(_ first: Unicode.Scalar) throws(PredicateSyntaxError) -> FormatToken.Kind {
        switch first {
        case "'", "\"": return .string(try quoted())
        case "%": return try argument()
        case "$": return .variable(try named("a variable's name"))
        case "#": return try escapedKey()
        case "@": return .collectionOperator("@" + (try named("a collection operator's name")))
        default: break
        }
        if first.isDigit || (first == "." && peek(1)?.isDigit == true && !endsValue) { return try number() }
        if first.startsIdentifier { return words() }
        if let sign = sign(first) { return .sign(sign) }
        throw unknown(first)
    }

    private mutating func sign(_ first: Unicode.Scalar) -> String? {
        if let second = peek(1), second.isASCII {
            let pair = String(String.UnicodeScalarView([first, second]))
            if Self.pairs.contains(pair) {
                place += 2
                return pair
            }
        }
        guard Self.singles.contains(first) else { return nil }
        place += 1
        return String(first)
    }

    private func unknown(_ scalar: Unicode.Scalar) -> PredicateSyntaxError {
        let isCurly = ["“", "”", "‘", "’", "„", "«", "»"].contains(scalar)
        return fault(
            "\(Character(scalar)) has no meaning here", at: place,
            suggestion: isCurly ? "a straight quote, ' or \"" : nil)
    }

    /// Whether the token before can have keys, so that a dot after it is no number's.
    private var endsValue: Bool {
        guard let last = tokens.last, last.end == place else { return false }
        return switch last.kind {
        case .sign(let sign): [")", "]", "}"].contains(sign)
        default: true
        }
    }

    private mutating func escapedKey() throws(PredicateSyntaxError) -> FormatToken.Kind {
        if let quote = peek(1), quote == "'" || quote == "\"" {
            place += 1
            return .key(try quoted())
        }
        return .key(try named("a key"))
    }

    private mutating func named(_ what: String) throws(PredicateSyntaxError) -> String {
        place += 1
        guard let first = peek, first.startsIdentifier else { throw fault("\(what) is missing", at: place) }
        return identifier()
    }

    private mutating func identifier() -> String {
        let start = place
        while let scalar = peek, scalar.continuesIdentifier { place += 1 }
        return String(String.UnicodeScalarView(text[start..<place]))
    }

    /// An identifier, a type operator with its dashes, or a function's name with colons.
    private mutating func words() -> FormatToken.Kind {
        let word = identifier()
        if word.uppercased() == "UTI" {
            for rest in ["-CONFORMS-TO", "-EQUALS"] where follows(rest) {
                place += rest.unicodeScalars.count
                return .word("UTI" + rest)
            }
        }
        guard peek == ":", peek(1) != "=" else { return .word(word) }
        var selector = word
        while peek == ":" {
            place += 1
            selector += ":"
            if let scalar = peek, scalar.startsIdentifier { selector += identifier() }
        }
        return .selector(selector)
    }

    private func follows(_ rest: String) -> Bool {
        let wanted = Array(rest.unicodeScalars)
        guard place + wanted.count <= text.count else { return false }
        if place + wanted.count < text.count, text[place + wanted.count].continuesIdentifier { return false }
        return zip(text[place...], wanted).allSatisfy { $0.properties.uppercaseMapping == String($1) }
    }

    private mutating func argument() throws(PredicateSyntaxError) -> FormatToken.Kind {
        let start = place
        place += 1
        if peek == "%" { throw fault("%% stands for a percent sign, which means nothing outside quotes", at: start) }
        while let scalar = peek, "-+ #0123456789.".unicodeScalars.contains(scalar) { place += 1 }
        while let scalar = peek, "hlqLztj".unicodeScalars.contains(scalar) { place += 1 }
        guard let letter = peek else { throw fault("a conversion such as %@ is missing its letter", at: start) }
        place += 1
        let conversion: FormatConversion
        switch letter {
        case "@": conversion = .value
        case "K": conversion = .key
        case "d", "D", "i", "u", "U", "o", "O", "x", "X", "c", "C": conversion = .integer
        case "f", "F", "e", "E", "g", "G", "a", "A": conversion = .real
        case "s", "S": conversion = .string
        default: throw fault("%\(letter) is no conversion", at: start, suggestion: "%@, %K, %d, %f or %s")
        }
        argumentCount += 1
        return .argument(argumentCount - 1, conversion)
    }

    private mutating func number() throws(PredicateSyntaxError) -> FormatToken.Kind {
        let start = place
        var end = place
        while end < text.count, text[end].continuesIdentifier || text[end] == "." || isExponentSign(end, since: start) {
            // A dot belongs to the number only before a digit: `1.@count` and `2.x` do not.
            if text[end] == ".", end + 1 >= text.count || !text[end + 1].isDigit { break }
            end += 1
        }
        place = end
        let digits = String(String.UnicodeScalarView(text[start..<end]))
        guard let kind = NumberLiteral.kind(digits) else { throw fault("\(digits) is no number", at: start) }
        return kind
    }

    private func isExponentSign(_ place: Int, since start: Int) -> Bool {
        guard place > start, text[place] == "+" || text[place] == "-" else { return false }
        guard text[place - 1] == "e" || text[place - 1] == "E" else { return false }
        return text[start] != "0" || start + 1 >= text.count || !["x", "X"].contains(text[start + 1])
    }

    private mutating func quoted() throws(PredicateSyntaxError) -> String {
        let start = place
        guard let string = QuotedText.read(text, &place) else {
            throw fault("the string that begins here has no closing quote", at: start)
        }
        return string
    }

    private var peek: Unicode.Scalar? { place < text.count ? text[place] : nil }

    private func peek(_ distance: Int) -> Unicode.Scalar? {
        place + distance < text.count ? text[place + distance] : nil
    }

    private func fault(_ message: String, at place: Int, suggestion: String? = nil) -> PredicateSyntaxError {
        PredicateSyntaxError(message, in: text, at: place, suggestion: suggestion)
    }
}
