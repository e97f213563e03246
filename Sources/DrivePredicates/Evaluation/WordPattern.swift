import Foundation

/// A text or pattern that has to begin and end where words do: option `w`.
///
/// A word ends where letters and digits do, and where a capital follows a small letter (`FileWindow` is two words). All
/// beginnings are tried side by side, so the time is that of the text times the pattern.
struct WordPattern: Sendable {
    private enum Element: Hashable, Sendable {
        case scalar(Unicode.Scalar)
        case one
        case many
    }

    private let elements: [Element]
    private let options: ComparisonOptions
    /// The longest text in it: without it there is no need to look for words.
    private let core: TextPattern
    private let isAtStart: Bool
    private let isAtEnd: Bool

    init(_ parts: [LikeText.Part], _ options: ComparisonOptions, isAtStart: Bool = false, isAtEnd: Bool = false) {
        self.options = options
        self.isAtStart = isAtStart
        self.isAtEnd = isAtEnd
        let texts = parts.map { if case .text(let text) = $0 { text } else { "" } }
        core = TextPattern(texts.max { $0.utf8.count < $1.utf8.count } ?? "", options)
        elements = parts.flatMap { part -> [Element] in
            switch part {
            case .text(let text): TextFolding.folded(text, options).unicodeScalars.map { .scalar($0) }
            case .one: [.one]
            case .many: [.many]
            }
        }
    }

    func matches(_ text: String) -> Bool {
        guard core.isContained(in: text) else { return false }
        let words = WordBreaks.words(text, options)
        var states = [Bool](repeating: false, count: elements.count + 1)
        for place in 0...words.scalars.count {
            if words.isBreak[place], !isAtStart || place == 0 { states[0] = true }
            skipEmpty(&states)
            if states[elements.count], words.isBreak[place], !isAtEnd || place == words.scalars.count { return true }
            if place < words.scalars.count { step(&states, words.scalars[place]) }
        }
        return false
    }

    private func skipEmpty(_ states: inout [Bool]) {
        for index in 0..<elements.count where states[index] && elements[index] == .many { states[index + 1] = true }
    }

    private func step(_ states: inout [Bool], _ scalar: Unicode.Scalar) {
        states[elements.count] = false
        for index in stride(from: elements.count - 1, through: 0, by: -1) where states[index] {
            switch elements[index] {
            case .many: break
            case .one:
                states[index] = false
                states[index + 1] = true
            case .scalar(let wanted):
                states[index] = false
                if wanted == scalar { states[index + 1] = true }
            }
        }
    }
}

/// Where words begin and end in a text.
package enum WordBreaks {
    /// The folded text, and for each place in it (also the end) whether a word may begin or end there.
    static func words(_ text: String, _ options: ComparisonOptions) -> (scalars: [Unicode.Scalar], isBreak: [Bool]) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return asciiWords(text, options) }
        var scalars: [Unicode.Scalar] = []
        var isBreak = [true]
        for piece in pieces(of: TextFolding.typed(text, options)) {
            let folded = Array(TextFolding.folded(piece, options).unicodeScalars)
            guard !folded.isEmpty else { continue }
            scalars += folded
            isBreak += Array(repeating: false, count: folded.count - 1) + [true]
        }
        return (scalars, isBreak)
    }

    private static func asciiWords(_ text: String, _ options: ComparisonOptions)
        -> (scalars: [Unicode.Scalar], isBreak: [Bool])
    {
        let lowers = options.contains(.caseInsensitive) && !options.contains(.normalized)
        var scalars: [Unicode.Scalar] = []
        var isBreak = [true]
        var last: UInt8?
        for byte in text.utf8 {
            if let last { isBreak.append(breaks(last, byte)) }
            scalars.append(Unicode.Scalar(lowers ? TextFolding.lowered(byte) : byte))
            last = byte
        }
        if last != nil { isBreak.append(true) }
        return (scalars, isBreak)
    }

    private static func breaks(_ a: UInt8, _ b: UInt8) -> Bool {
        !isInWord(a) || !isInWord(b) || (a &- 0x61 < 26 && b &- 0x41 < 26)
    }

    @inline(__always) package static func isInWord(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10
    }

    /// The text cut at every place where a word may begin or end.
    static func pieces(of text: String) -> [String] {
        var pieces: [String] = []
        var piece = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in text.composed.unicodeScalars {
            if let last, breaks(last, scalar) {
                pieces.append(String(piece))
                piece = String.UnicodeScalarView()
            }
            piece.append(scalar)
            last = scalar
        }
        return piece.isEmpty ? pieces : pieces + [String(piece)]
    }

    package static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return isInWord(UInt8(scalar.value)) }
        let properties = scalar.properties
        if properties.isAlphabetic { return true }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber: return true
        default: return false
        }
    }

    private static func breaks(_ a: Unicode.Scalar, _ b: Unicode.Scalar) -> Bool {
        if !isInWord(a) || !isInWord(b) { return b.properties.generalCategory != .nonspacingMark }
        if a.properties.isIdeographic || b.properties.isIdeographic { return true }
        return a.properties.isLowercase && b.properties.isUppercase
    }
}
