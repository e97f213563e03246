/// Numbers as predicates write them.
enum NumberLiteral {
    static func kind(_ text: String) -> FormatToken.Kind? {
        let lower = text.lowercased()
        for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] where lower.hasPrefix(prefix) {
            return UInt64(lower.dropFirst(2), radix: radix).map { .integer($0) }
        }
        guard text.utf8.allSatisfy({ $0 < 0x80 }), text.first?.isLetter == false else { return nil }
        if text.utf8.allSatisfy({ (48...57).contains($0) }), let integer = UInt64(text) { return .integer(integer) }
        guard let real = Double(text.hasPrefix(".") ? "0" + text : text), real.isFinite else { return nil }
        return .real(real)
    }

    /// The value of an integer; one that has no place in 64 bits with sign is a real number.
    static func value(_ magnitude: UInt64, isNegative: Bool) -> PredicateValue {
        if isNegative, magnitude == 1 << 63 { return .integer(.min) }
        guard let value = Int64(exactly: magnitude) else {
            return .real(isNegative ? -Double(magnitude) : Double(magnitude))
        }
        return .integer(isNegative ? -value : value)
    }
}

/// Strings as predicates write them.
///
/// A backslash before a quote or a backslash takes its meaning away; `\n`, `\r` and `\t` are what they are in C; before
/// anything else the backslash stays, so that `'\d'` in MATCHES and `'\*'` in LIKE need no doubling.
enum QuotedText {
    /// Reads from the opening quote on and leaves the place after the closing one; nil if there is none.
    static func read(_ text: [Unicode.Scalar], _ place: inout Int) -> String? {
        let quote = text[place]
        var string = String.UnicodeScalarView()
        var next = place + 1
        while next < text.count {
            let scalar = text[next]
            if scalar == quote {
                place = next + 1
                return String(string)
            }
            next += 1
            guard scalar == "\\", next < text.count else {
                string.append(scalar)
                continue
            }
            switch text[next] {
            case "\\", "'", "\"": string.append(text[next])
            case "n": string.append("\n")
            case "r": string.append("\r")
            case "t": string.append("\t")
            default: string.append(contentsOf: [scalar, text[next]])
            }
            next += 1
        }
        return nil
    }

    /// What `read` reads as the string.
    static func write(_ string: String) -> String {
        var text = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\\", "\"": text.append(contentsOf: ["\\", scalar])
            case "\n": text.append(contentsOf: ["\\", "n"])
            case "\r": text.append(contentsOf: ["\\", "r"])
            case "\t": text.append(contentsOf: ["\\", "t"])
            default: text.append(scalar)
            }
        }
        text.append("\"")
        return String(text)
    }
}

/// Key paths as text.
enum KeyText {
    /// A key as the format reads it back, behind `#` where it is a reserved word or no identifier.
    static func write(_ key: String) -> String {
        if CollectionOperator(rawValue: key) != nil { return key }
        guard let first = key.unicodeScalars.first, first.startsIdentifier,
            key.unicodeScalars.allSatisfy({ $0.continuesIdentifier })
        else { return "#" + QuotedText.write(key) }
        return ReservedWords.all.contains(key.uppercased()) || key.uppercased() == "UTI" ? "#" + key : key
    }

    /// The keys of a path as `%K` takes it, between dots; nil where one is empty or two are collection operators.
    static func keys(of path: String) -> [String]? {
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard !keys.contains("") else { return nil }
        let named = keys.map { $0.hasPrefix("#") && $0.count > 1 ? String($0.dropFirst()) : $0 }
        let operators = named.filter { $0.hasPrefix("@") }
        guard operators.count <= 1, operators.allSatisfy({ CollectionOperator(rawValue: $0) != nil }) else {
            return nil
        }
        return named
    }
}

/// The operators over a collection in a key path. Each takes all of the path that follows it.
enum CollectionOperator: String, CaseIterable {
    case count = "@count"
    case sum = "@sum"
    case average = "@avg"
    case min = "@min"
    case max = "@max"
    case unionOfObjects = "@unionOfObjects"
    case distinctUnionOfObjects = "@distinctUnionOfObjects"
    case unionOfArrays = "@unionOfArrays"
    case distinctUnionOfArrays = "@distinctUnionOfArrays"
    case unionOfSets = "@unionOfSets"
    case distinctUnionOfSets = "@distinctUnionOfSets"
}
