/// The two ways to write a query on the command line without saying which.
public enum QueryText: String, Hashable, Sendable {
    /// Spotlight's raw syntax.
    case raw
    case words

    /// Raw has a comparison or `InRange(` outside quotes; anything else is words. The sign in `size:>10mb` is no
    /// comparison, because a colon stands before it.
    public static func detect(_ query: String) -> QueryText {
        let text = Array(query.unicodeScalars)
        var place = 0
        var takesApostrophes = true
        while place < text.count {
            if text[place] == "\"" || (takesApostrophes && text[place] == "'") {
                if let end = endOfQuoted(text, place) {
                    place = end
                    continue
                }
                takesApostrophes = place > 0 && text[place - 1].continuesIdentifier
            }
            if isComparison(text, place) {
                let isValue = place > 0 && text[place - 1] == ":"
                if !isValue { return .raw }
                while place < text.count, "=!<>".unicodeScalars.contains(text[place]) { place += 1 }
                continue
            }
            if isInRange(text, place) { return .raw }
            place += 1
        }
        return .words
    }

    /// Reads the query as what it is.
    public static func predicate(_ query: String, _ context: QueryContext = QueryContext())
        throws(PredicateSyntaxError) -> MetadataPredicate
    {
        switch detect(query) {
        case .raw: try MetadataPredicate(raw: query, context)
        case .words: try MetadataPredicate(words: query, context)
        }
    }

    /// The place after a quoted text that begins here. An apostrophe in a word begins none.
    private static func endOfQuoted(_ text: [Unicode.Scalar], _ start: Int) -> Int? {
        let quote = text[start]
        guard quote == "\"" || quote == "'" else { return nil }
        if quote == "'", start > 0, text[start - 1].continuesIdentifier { return nil }
        var place = start + 1
        while place < text.count, text[place] != quote { place += text[place] == "\\" ? 2 : 1 }
        // A quote that nothing closes is an apostrophe, or an error that either reader will tell.
        return place < text.count ? place + 1 : (quote == "'" ? nil : text.count)
    }

    private static func isComparison(_ text: [Unicode.Scalar], _ place: Int) -> Bool {
        switch text[place] {
        case "=", "<", ">": true
        case "!": place + 1 < text.count && text[place + 1] == "="
        default: false
        }
    }

    private static func isInRange(_ text: [Unicode.Scalar], _ place: Int) -> Bool {
        guard place == 0 || !text[place - 1].continuesIdentifier else { return false }
        let name = "inrange".unicodeScalars
        guard text[place...].prefix(name.count).map({ $0.properties.lowercaseMapping }) == name.map({ String($0) })
        else {
            return false
        }
        return text[(place + name.count)...].first { !$0.isBlank } == "("
    }
}
