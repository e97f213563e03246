/// Words of commands that people are told. As they stand there, every shell takes them for the bytes that are meant, also the one
/// behind system(3), and a terminal prints them: where a word has what would move the cursor or worse, or bytes that are no
/// text, it is written as `"$(printf 'p\033[31mq\377')"`. `$'...'` (POSIX.1-2024, "Dollar-Single-Quotes") would be shorter, and is
/// another word to dash.
enum ShellWord {
    static func text(of bytes: [UInt8]) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { return printed(bytes) }
        if text.unicodeScalars.contains(where: \.steersTerminals) { return printed(bytes) }
        return !text.isEmpty && text.unicodeScalars.allSatisfy(isPlain) ? text : inQuotes(text)
    }

    private static func inQuotes(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
            || "/._-+,@%:=".unicodeScalars.contains(scalar) || scalar.value > 0x9F
    }

    /// A substitution loses the ends of lines at its end, and nothing else that all shells know keeps them in a line.
    private static func printed(_ bytes: [UInt8]) -> String {
        if bytes.last == 0x0A { return "$'\(escaped(bytes, ["'": "\\'"]))'" }
        // An option of printf it is not to be either.
        let isOption = bytes.first == 0x2D
        let rest = escaped(isOption ? Array(bytes.dropFirst()) : bytes, formatSigns)
        return "\"$(printf '\(isOption ? octal(0x2D) : "")\(rest)')\""
    }

    /// What printf takes for its own, and what shells look for before they have found the quotes: the ends of those, and what
    /// stands for an earlier command in bash.
    private static let formatSigns = [
        "%": "%%", "'": octal(0x27), "\"": octal(0x22), "`": octal(0x60), "!": octal(0x21),
    ]

    private static func escaped(_ bytes: [UInt8], _ signs: [String: String]) -> String {
        var result = ""
        var rest = bytes[...]
        while !rest.isEmpty {
            let (text, count) = character(rest)
            result += text.map { signs[$0] ?? $0 } ?? rest.prefix(count).map(escape).joined()
            rest = rest.dropFirst(count)
        }
        return result
    }

    /// The character that the bytes begin with, nil where it is escaped, and how many bytes it has.
    private static func character(_ bytes: ArraySlice<UInt8>) -> (String?, Int) {
        // No character has more than four bytes (RFC 3629).
        for count in 1...min(4, bytes.count) {
            guard let text = String(validating: bytes.prefix(count), as: UTF8.self) else { continue }
            let isEscaped = text == "\\" || text.unicodeScalars.contains(where: \.steersTerminals)
            return (isEscaped ? nil : text, count)
        }
        return (nil, 1)
    }

    private static func escape(_ byte: UInt8) -> String {
        switch byte {
        case 0x07: "\\a"
        case 0x08: "\\b"
        case 0x09: "\\t"
        case 0x0A: "\\n"
        case 0x0D: "\\r"
        case 0x5C: "\\\\"
        default: octal(byte)
        }
    }

    /// Every shell ends such a number after three digits, and a hexadecimal one where it likes.
    private static func octal(_ byte: UInt8) -> String { "\\\(byte >> 6)\(byte >> 3 & 7)\(byte & 7)" }
}

extension String {
    /// As a shell takes it for one word, whatever it holds.
    public var shellWord: String { ShellWord.text(of: Array(utf8)) }
}

extension DrivePath {
    /// As a shell and the command behind it take it for one word that is no option.
    public var shellText: String {
        if isRoot { return "." }
        let bytes = bytes
        return ShellWord.text(of: bytes.first == 0x2D ? [0x2E, 0x2F] + bytes : bytes)
    }
}

extension Unicode.Scalar {
    /// C0, C1, delete, and what turns the direction of a line (Unicode 6.3, bidirectional controls).
    public var steersTerminals: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
