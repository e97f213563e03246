import DriveCore

/// Names on a terminal: control characters would move the cursor or worse, so they are shown as escapes.
enum Escaped {
    static func path(_ path: DrivePath) -> String { text(path.description) }

    static func text(_ text: String, always: Bool = Output.isTerminal) -> String {
        guard always, text.unicodeScalars.contains(where: isControl) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isControl(scalar) { result += escape(scalar) } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    /// C0, C1, delete, and what turns the direction of a line (Unicode 5.0, bidirectional controls).
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
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
