/// One line of settings, read from the left.
struct SettingsLine {
    struct Failure: Error {
        let reason: String
    }

    private var rest: String.UnicodeScalarView.SubSequence
    /// Where the value stands, once it was read.
    private(set) var valueRange: Range<String.UnicodeScalarView.SubSequence.Index>?

    init(_ line: String.UnicodeScalarView.SubSequence) { rest = line }

    /// Nil for an empty line and a comment.
    mutating func assignment() throws(Failure) -> (String, SettingsText.Value)? {
        skipSpaces()
        guard !isAtEnd else { return nil }
        let key = try key()
        skipSpaces()
        guard rest.popFirst() == "=" else { throw Failure(reason: "a key is followed by = and a value") }
        skipSpaces()
        let start = rest.startIndex
        let value = try value()
        valueRange = start..<rest.startIndex
        skipSpaces()
        guard isAtEnd else { throw Failure(reason: "after the value comes a comment or nothing") }
        return (key, value)
    }

    private var isAtEnd: Bool { rest.isEmpty || rest.first == "#" }

    private mutating func skipSpaces() { rest = rest.drop { $0 == " " || $0 == "\t" } }

    private mutating func key() throws(Failure) -> String {
        switch rest.first {
        case "\"", "'": return try text()
        case "[": throw Failure(reason: "the settings have no tables")
        default: break
        }
        let word = rest.prefix { Self.isOfWord($0) }
        guard !word.isEmpty else { throw Failure(reason: "a key has letters, digits, - and _") }
        rest = rest[word.endIndex...]
        return String(word)
    }

    private mutating func value() throws(Failure) -> SettingsText.Value {
        if rest.first == "\"" || rest.first == "'" { return .text(try text()) }
        let word = rest.prefix { $0 != " " && $0 != "\t" && $0 != "#" }
        rest = rest[word.endIndex...]
        switch String(word) {
        case "true": return .flag(true)
        case "false": return .flag(false)
        case let text:
            guard let number = Self.number(text) else {
                throw Failure(reason: "a value is text in quotes, a whole number, true or false")
            }
            return .number(number)
        }
    }

    /// Decimal, with `_` between digits only and no needless zeros in front (TOML 1.0, "Integer").
    private static func number(_ text: String) -> Int? {
        let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
        let groups = digits.split(separator: "_", omittingEmptySubsequences: false)
        let areDigits = groups.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard areDigits, digits.first != "0" || digits.count == 1 else { return nil }
        return Int(text.replacing("_", with: ""))
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-_".unicodeScalars.contains(scalar))
    }
}

extension SettingsLine {
    /// Text in double quotes, where a backslash means something, or in single ones, where nothing does.
    private mutating func text() throws(Failure) -> String {
        let quote = rest.removeFirst()
        guard !rest.starts(with: [quote, quote]) else {
            throw Failure(reason: "text is on one line, in one pair of quotes")
        }
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == quote { return String(text) }
            switch scalar {
            case "\\" where quote == "\"": text.append(try escaped())
            case "\0"..<"\t", "\n"..<" ", "\u{7F}":
                throw Failure(reason: "control characters are written as \\u and four digits")
            default: text.append(scalar)
            }
        }
        throw Failure(reason: "the text does not end")
    }

    private mutating func escaped() throws(Failure) -> Unicode.Scalar {
        switch rest.popFirst() {
        case "b": "\u{8}"
        case "t": "\t"
        case "n": "\n"
        case "f": "\u{C}"
        case "r": "\r"
        case "\"": "\""
        case "\\": "\\"
        case "u": try numbered(digits: 4)
        case "U": try numbered(digits: 8)
        default: throw Failure(reason: "after \\ comes one of b t n f r \" \\ u U; use single quotes for a plain \\")
        }
    }

    private mutating func numbered(digits count: Int) throws(Failure) -> Unicode.Scalar {
        let digits = rest.prefix(count)
        rest = rest.dropFirst(count)
        guard digits.count == count, digits.allSatisfy({ $0.properties.isASCIIHexDigit }),
            let scalar = UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init)
        else { throw Failure(reason: "after \\u come four, after \\U eight digits of a Unicode character") }
        return scalar
    }
}
