import DriveCore

/// Names in lines for people: control characters would move a terminal's cursor or worse, and a line break would look like another
/// line, so they are shown as escapes. Whatever the lines go to: who reads a log or the end of a pipe is a person too.
enum Escaped {
    static func path(_ path: DrivePath) -> String { text(path.description) }

    /// Of a list of names alone: what reads it from a pipe gets them as they are.
    static func listed(_ text: String) -> String { Output.isTerminal ? self.text(text) : text }

    /// A name that need not be UTF-8.
    static func listed(_ name: [UInt8]) -> [UInt8] {
        Output.isTerminal ? Array(text(String(decoding: name, as: UTF8.self)).utf8) : name
    }

    static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: \.steersTerminals) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.steersTerminals { result += escape(scalar) } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\t": "\\t"
        case "\r": "\\r"
        default:
            scalar.value < 0x100
                ? "\\x" + hexadecimal(scalar.value, 2) : "\\u{" + hexadecimal(scalar.value, 4) + "}"
        }
    }

    private static func hexadecimal(_ value: UInt32, _ width: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
