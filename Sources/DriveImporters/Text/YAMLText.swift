/// Texts and lists as YAML writes them (yaml.org/spec/1.2.2), line by line.
enum YAMLText {
    static func trimmed(_ text: some StringProtocol) -> Substring {
        var text = Substring(text).drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }

    static func column(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }

    static func isComment(_ line: Substring) -> Bool { trimmed(line).first == "#" }

    static func isItem(_ line: Substring) -> Bool { line == "-" || line.hasPrefix("- ") }

    /// `|` or `>`, perhaps with a width and what becomes of the last line end.
    static func isBlockHeader(_ text: Substring) -> Bool {
        guard text.first == "|" || text.first == ">" else { return false }
        return withoutComment(text.dropFirst()).allSatisfy { "+-123456789".contains($0) }
    }

    /// Of "key: value"; nil for what is quoted or a list.
    static func pair(_ line: some StringProtocol) -> (key: String, value: Substring)? {
        let line = trimmed(line)
        guard let mark = line.first, !"\"'[{:".contains(mark), let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...]
        guard value.isEmpty || value.first == " " else { return nil }
        return (line[..<colon].lowercased(), trimmed(value))
    }

    /// The items of a list by their lines, with a space in the place of the dash; all lines where it is no list.
    static func blockItems(_ lines: [Substring]) -> [[Substring]] {
        guard let first = lines.first else { return [] }
        guard isItem(trimmed(first)) else { return [lines] }
        let dash = column(first)
        var items: [[Substring]] = []
        for line in lines {
            if column(line) <= dash, isItem(trimmed(line)) {
                let text = trimmed(line).dropFirst()
                items.append([Substring(String(repeating: " ", count: column(line) + 1) + text)])
            } else {
                items[items.count - 1].append(line)
            }
        }
        return items
    }

    /// Of "[a, 'b, c']" or "{a: b, c: d}", as far as it goes.
    static func flowItems(_ text: String) -> [Substring] {
        var items: [Substring] = []
        var (start, depth) = (text.index(after: text.startIndex), 0)
        var quote: Character?
        // A quote in a word is an apostrophe.
        var mayQuote = true
        var place = start
        while place < text.endIndex {
            let letter = text[place]
            let next = text.index(after: place)
            var isClosed = false
            if let open = quote {
                if letter == "\\", open == "\"", next < text.endIndex {
                    place = text.index(after: next)
                    continue
                }
                if letter == open { (quote, isClosed) = (nil, true) }
            } else if mayQuote, letter == "\"" || letter == "'" {
                quote = letter
            } else if letter == "[" || letter == "{" {
                depth += 1
            } else if letter == "]" || letter == "}" {
                if depth == 0 { break }
                depth -= 1
            } else if letter == ",", depth == 0 {
                items.append(trimmed(text[start..<place]))
                start = next
            }
            if quote == nil, letter != " " { mayQuote = isClosed || ",:[{".contains(letter) }
            place = next
        }
        items.append(trimmed(text[start..<place]))
        return items.filter { !$0.isEmpty }
    }

    /// A text without its quotes and without a comment behind it.
    static func scalar(_ text: some StringProtocol) -> String {
        let text = trimmed(text)
        let quoted: (text: String, rest: Substring)? =
            switch text.first {
            case "'": singleQuoted(text.dropFirst())
            case "\"": doubleQuoted(text.dropFirst())
            default: nil
            }
        // Quotes that do not hold all of it are part of it.
        if let quoted, quoted.rest.isEmpty || isComment(quoted.rest) { return quoted.text }
        return String(withoutComment(text))
    }

    private static func withoutComment(_ text: Substring) -> Substring {
        if text.first == "#" { return "" }
        return trimmed(text.firstRange(of: " #").map { text[..<$0.lowerBound] } ?? text)
    }

    private static func singleQuoted(_ text: Substring) -> (text: String, rest: Substring)? {
        var result = ""
        var rest = text
        while let letter = rest.popFirst() {
            if letter == "'" {
                if rest.first != "'" { return (result, rest) }
                rest.removeFirst()
            }
            result.append(letter)
        }
        return nil
    }

    private static func doubleQuoted(_ text: Substring) -> (text: String, rest: Substring)? {
        var result = ""
        var rest = text
        while let letter = rest.popFirst() {
            if letter == "\"" { return (result, rest) }
            guard letter == "\\", let escaped = rest.popFirst() else {
                result.append(letter)
                continue
            }
            switch escaped {
            case "n", "t", "r", "0": result.append(" ")
            case "x": result += scalar(of: &rest, digits: 2)
            case "u": result += scalar(of: &rest, digits: 4)
            case "U": result += scalar(of: &rest, digits: 8)
            default: result.append(escaped)
            }
        }
        return nil
    }

    private static func scalar(of rest: inout Substring, digits: Int) -> String {
        let number = UInt32(rest.prefix(digits), radix: 16)
        rest = rest.dropFirst(digits)
        return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) } ?? "\u{FFFD}"
    }
}
