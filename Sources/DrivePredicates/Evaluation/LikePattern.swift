/// A pattern of LIKE: `*` is any text, `?` one code point of the composed text, a backslash takes their meaning away.
struct LikePattern: Sendable {
    enum Element: Hashable, Sendable {
        case byte(UInt8)
        case one
        case many
    }

    let elements: [Element]
    private let options: ComparisonOptions

    init(_ pattern: String, _ options: ComparisonOptions) {
        self.options = options
        var elements: [Element] = []
        for part in LikeText.parts(of: pattern) {
            switch part {
            case .text(let text): elements += TextFolding.folded(text, options).utf8.map { .byte($0) }
            case .one: elements.append(.one)
            case .many: if elements.last != .many { elements.append(.many) }
            }
        }
        self.elements = elements
    }

    func matches(_ text: String) -> Bool {
        FoldedBytes(options: options).with(text) { text, lowers in
            elements.withUnsafeBufferPointer { Self.matches($0, text, lowers) }
        }
    }

    /// The usual way with one place to return to: the last `*` may take one code point more.
    private static func matches(
        _ elements: UnsafeBufferPointer<Element>, _ text: UnsafeBufferPointer<UInt8>, _ lowers: Bool
    ) -> Bool {
        var place = 0
        var element = 0
        var starred: (element: Int, place: Int)?
        while place < text.count {
            if element < elements.count {
                switch elements[element] {
                case .many:
                    starred = (element + 1, place)
                    element += 1
                    continue
                case .one:
                    place += length(text, place)
                    element += 1
                    continue
                case .byte(let byte):
                    if (lowers ? TextFolding.lowered(text[place]) : text[place]) == byte {
                        place += 1
                        element += 1
                        continue
                    }
                }
            }
            guard let back = starred else { return false }
            let next = back.place + length(text, back.place)
            starred = (back.element, next)
            (element, place) = (back.element, next)
        }
        while element < elements.count, elements[element] == .many { element += 1 }
        return element == elements.count
    }

    /// Bytes of the code point at the place; a stray byte counts as one.
    private static func length(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
        var end = place + 1
        while end < text.count, text[end] & 0xC0 == 0x80 { end += 1 }
        return end - place
    }
}

/// What the characters of a LIKE pattern mean.
package enum LikeText {
    package enum Part: Hashable {
        case text(String)
        case one
        case many
    }

    package static func parts(of pattern: String) -> [Part] {
        var parts: [Part] = []
        var literal = String.UnicodeScalarView()
        func end() {
            if !literal.isEmpty { parts.append(.text(String(literal))) }
            literal = String.UnicodeScalarView()
        }
        var scalars = pattern.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            switch scalar {
            case "*":
                end()
                parts.append(.many)
            case "?":
                end()
                parts.append(.one)
            case "\\": literal.append(scalars.next() ?? "\\")
            default: literal.append(scalar)
            }
        }
        end()
        return parts
    }
}
