/// A text that is looked for, folded once for all items.
struct TextPattern: Sendable {
    private let bytes: [UInt8]
    private let options: ComparisonOptions
    private let finder: ByteFinder

    init(_ text: String, _ options: ComparisonOptions) {
        bytes = Array(TextFolding.folded(text, options).utf8)
        self.options = options
        finder = ByteFinder(bytes)
    }

    func equals(_ text: String) -> Bool {
        FoldedBytes(options: options).with(text) { text, lowers in
            text.count == bytes.count && Self.matches(bytes, text, at: 0, lowers)
        }
    }

    func begins(_ text: String) -> Bool {
        FoldedBytes(options: options).with(text) { text, lowers in
            text.count >= bytes.count && Self.matches(bytes, text, at: 0, lowers)
        }
    }

    func ends(_ text: String) -> Bool {
        FoldedBytes(options: options).with(text) { text, lowers in
            text.count >= bytes.count && Self.matches(bytes, text, at: text.count - bytes.count, lowers)
        }
    }

    func isContained(in text: String) -> Bool {
        FoldedBytes(options: options).with(text) { text, lowers in
            bytes.isEmpty || finder.first(in: UnsafeRawBufferPointer(text), from: 0, loweringASCII: lowers) != nil
        }
    }

    /// How the text lies to this one.
    func order(_ text: String) -> PredicateOrder {
        FoldedBytes(options: options).with(text) { text, lowers in
            for place in 0..<min(text.count, bytes.count) {
                let byte = lowers ? TextFolding.lowered(text[place]) : text[place]
                if byte != bytes[place] { return byte < bytes[place] ? .ascending : .descending }
            }
            return text.count < bytes.count ? .ascending : text.count == bytes.count ? .same : .descending
        }
    }

    @inline(__always)
    private static func matches(
        _ bytes: [UInt8], _ text: UnsafeBufferPointer<UInt8>, at place: Int, _ lowers: Bool
    ) -> Bool {
        for index in 0..<bytes.count {
            let byte = text[place + index]
            if (lowers ? TextFolding.lowered(byte) : byte) != bytes[index] { return false }
        }
        return true
    }
}
