extension WordsParser {
    var peek: Unicode.Scalar? { place < text.count ? text[place] : nil }

    func peek(_ distance: Int) -> Unicode.Scalar? { place + distance < text.count ? text[place + distance] : nil }

    mutating func skipBlanks() {
        while let scalar = peek, scalar.isBlank { place += 1 }
    }

    mutating func accept(_ sign: String) -> Bool {
        guard text[place...].starts(with: sign.unicodeScalars) else { return false }
        place += sign.unicodeScalars.count
        return true
    }

    /// One by one: the view takes all of a slice at once by way of types that are looked up at each start of the program.
    func string(_ range: Range<Int>) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text[range] { result.append(scalar) }
        return String(result)
    }

    /// Up to a blank, `|`, or a closing parenthesis that was not opened in it: `plan(2)` is one word.
    mutating func run(endsAtComma: Bool = false) -> String {
        let start = place
        var depth = 0
        while let scalar = peek, !scalar.isBlank, scalar != "|" {
            if endsAtComma, scalar == "," { break }
            if scalar == "(" { depth += 1 }
            if scalar == ")" {
                if depth == 0 { break }
                depth -= 1
            }
            place += 1
        }
        return string(start..<place)
    }

    mutating func quoted() throws(PredicateSyntaxError) -> String {
        let start = place
        var string = String.UnicodeScalarView()
        place += 1
        while let scalar = peek {
            place += 1
            if scalar == "\"" { return String(string) }
            if scalar == "\\", let next = peek, next == "\"" || next == "\\" {
                place += 1
                string.append(next)
            } else {
                string.append(scalar)
            }
        }
        throw fault("the phrase that begins here has no closing quote", at: start)
    }

    func fault(_ message: String, at place: Int, suggestion: String? = nil) -> PredicateSyntaxError {
        PredicateSyntaxError(message, in: text, at: place, suggestion: suggestion)
    }
}

extension MetadataPredicate {
    /// Reads a query of words.
    public init(words query: String, _ context: QueryContext = QueryContext()) throws(PredicateSyntaxError) {
        var parser = try WordsParser(query, context)
        self = try parser.parse()
    }
}
