/// Why a query cannot be read, and where.
public struct PredicateSyntaxError: Error, Hashable, Sendable {
    /// One sentence without the place.
    public let message: String
    /// The whole query.
    public let text: String
    /// The place in it in characters, from 1; one more than there are characters at its end.
    public let column: Int
    /// What was probably meant.
    public let suggestion: String?

    public init(_ message: String, text: String, column: Int, suggestion: String? = nil) {
        self.message = message
        self.text = text
        self.column = column
        self.suggestion = suggestion
    }

    init(_ message: String, in scalars: [Unicode.Scalar], at place: Int, suggestion: String? = nil) {
        self.init(
            message, text: Self.text(scalars[...]),
            column: Self.text(scalars[..<Swift.min(place, scalars.count)]).count + 1, suggestion: suggestion)
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}

extension PredicateSyntaxError: CustomStringConvertible {
    /// The message, the line of the query that is meant (cut where it is long), and a caret under the column.
    public var description: String { text { $0 } }

    /// The description with what `shown` makes of the texts in it, as escapes of what would steer a terminal: it has only the
    /// line breaks of its own, and the caret stays under its column.
    public func text(_ shown: (String) -> String) -> String {
        let (line, caret) = excerpt(shown)
        var lines = [
            "column \(column): \(shown(message))", "  " + line, "  " + String(repeating: " ", count: caret) + "^",
        ]
        if let suggestion { lines.append("Did you mean \(shown(suggestion))?") }
        return lines.joined(separator: "\n")
    }

    private static let reach = 60

    private func excerpt(_ shown: (String) -> String) -> (line: String, caret: Int) {
        let characters = Array(text)
        let place = Swift.min(Swift.max(column - 1, 0), characters.count)
        var start = place
        while start > 0, place - start < Self.reach, !characters[start - 1].isNewline { start -= 1 }
        var end = place
        while end < characters.count, end - place < Self.reach, !characters[end].isNewline { end += 1 }
        func part(_ range: Range<Int>) -> String { shown(String(characters[range].map { $0 == "\t" ? " " : $0 })) }
        let lead = part(start..<place)
        let before = start > 0 && !characters[start - 1].isNewline ? "…" : ""
        let after = end < characters.count && !characters[end].isNewline ? "…" : ""
        return (before + lead + part(place..<end) + after, before.count + lead.count)
    }
}

/// Something in a query that is right but may not mean what it seems to.
public struct PredicateWarning: Hashable, Sendable {
    public let message: String
    /// In characters, from 1.
    public let column: Int
}
