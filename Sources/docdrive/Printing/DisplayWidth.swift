/// How many columns of a terminal texts take.
enum DisplayWidth {
    static func columns(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + columns($1) }
    }

    /// Its beginning where it takes more: what wraps stays on the screen. The last column stays free, since some terminals go to
    /// the next line once it is filled.
    static func cut(_ text: String, to columns: Int) -> String {
        guard columns > 2, self.columns(text) >= columns else { return text }
        var (result, left) = ("", columns - 2)
        for character in text {
            left -= self.columns(character)
            if left < 0 { break }
            result.append(character)
        }
        return result + "…"
    }

    /// What is joined to a letter stands where the letter does.
    private static func columns(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first, !isMark(first) else { return 0 }
        // A variation selector or a flag's second half makes a picture of what is none.
        let isPicture = scalars.dropFirst().contains { $0.value == 0xFE0F || (0x1F1E6...0x1F1FF).contains($0.value) }
        return isWide(first) || isPicture ? 2 : 1
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: false
        }
    }

    /// As East Asian terminals have it (UAX 11: W and F), in blocks.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x1100: false
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: scalar.properties.isEmojiPresentation
        }
    }
}
