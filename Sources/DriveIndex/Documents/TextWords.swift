import DrivePredicates

/// The words of a folded text, for the index: runs of letters, marks and digits, and each ideograph by itself.
///
/// Text that is looked for is cut the same way, so that what lies in a text lies in its words too.
struct TextWords {
    struct Word: Hashable {
        var text: Substring
        /// Something that is in no word is before it, or behind it, or an ideograph is: the word cannot go on there.
        var isClosedBefore = false
        var isClosedBehind = false
    }

    private(set) var words: [Word] = []
    /// Some were too long, and were left out.
    private(set) var hasLong = false

    /// Bytes; nobody looks for longer ones, and an index of them would grow without bound.
    static let longest = 128

    init(folded text: String) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { cutASCII(text) } else { cut(text) }
    }

    private mutating func cutASCII(_ text: String) {
        var start: String.Index?
        let bytes = text.utf8
        var place = bytes.startIndex
        while place < bytes.endIndex {
            if WordBreaks.isInWord(bytes[place]) {
                if start == nil { start = place }
            } else if let first = start {
                add(text[first..<place], in: text)
                start = nil
            }
            place = bytes.index(after: place)
        }
        if let start { add(text[start...], in: text) }
    }

    private mutating func cut(_ text: String) {
        var start: String.Index?
        let scalars = text.unicodeScalars
        var place = scalars.startIndex
        while place < scalars.endIndex {
            let scalar = scalars[place]
            let next = scalars.index(after: place)
            let isIdeograph = !scalar.isASCII && scalar.properties.isIdeographic
            if !isIdeograph, WordBreaks.isInWord(scalar) {
                if start == nil { start = place }
            } else {
                if let first = start { add(text[first..<place], in: text) }
                start = nil
                if isIdeograph { add(text[place..<next], in: text) }
            }
            place = next
        }
        if let start { add(text[start...], in: text) }
    }

    private mutating func add(_ word: Substring, in text: String) {
        guard word.utf8.count <= Self.longest else {
            hasLong = true
            return
        }
        words.append(
            Word(
                text: word, isClosedBefore: word.startIndex > text.startIndex,
                isClosedBehind: word.endIndex < text.endIndex
            ))
    }

    /// As the index takes them.
    var joined: String {
        var result = ""
        for word in words {
            if !result.isEmpty { result += " " }
            result += word.text
        }
        return result
    }
}

extension String {
    /// Folded as searches compare text that disregards case and marks.
    var foldedForSearch: String { TextFolding.folded(self, [.caseInsensitive, .diacriticInsensitive]) }

    /// No mark stands by itself, so that letters fold one by one.
    var hasPlainWords: Bool {
        isASCII
            || unicodeScalars.allSatisfy { $0.value < 0x300 || $0.properties.generalCategory != .nonspacingMark }
    }
}
