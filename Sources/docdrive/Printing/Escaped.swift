import DriveCore

/// Names on a terminal: control characters would move the cursor or worse, so they are shown as escapes.
enum Escaped {
    static func path(_ path: DrivePath) -> String { text(path.description) }

    static func text(_ text: String, always: Bool = Output.isTerminal) -> String {
        guard always, text.unicodeScalars.contains(where: \.steersTerminals) else { return text }
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
