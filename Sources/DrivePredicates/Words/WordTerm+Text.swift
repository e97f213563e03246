extension WordTerm {
    var text: MetadataPredicate? {
        guard comparison == nil || comparison == .equal else { return nil }
        switch attribute.name {
        case "kDDItemExtension": return ending
        case "kMDItemKind" where !isPattern: return KindWords.kind(word).map(kind)
        default:
            if let value { return test(value) }
            return isPossible ? test(word) : nil
        }
    }

    /// `file` is every file, whatever kind of document it is, as people say it; as a value it is what has no kind of its own.
    private func kind(_ kind: String) -> MetadataPredicate {
        guard kind == "file" else { return test(kind) }
        return .and(["folder", "link"].map { .comparison(attribute.comparison(.notEqual, .string($0))) })
    }

    var isPattern: Bool { !isQuoted && comparison == nil && word.contains("*") }

    /// Of an attribute with few values, whether it can have one that the word asks for.
    var isPossible: Bool { attribute.values.isEmpty || isPattern || value != nil }

    /// Of an attribute with few values, the one that the word is, as Apple writes it or as people do: a part would be one of others,
    /// as `downloaded` is of what is not.
    private var value: String? {
        guard !isPattern else { return nil }
        let word = word.lowercased()
        return zip(attribute.values, valueWords).first { $0.lowercased() == word || $1 == word }?.0
    }

    private func test(_ word: String) -> MetadataPredicate {
        if isPattern { return pattern(word) }
        let isWhole = comparison == .equal || attribute.wordsMatchWhole
        return .comparison(attribute.comparison(isWhole ? .equal : .contains, .string(word)))
    }

    /// A text is looked through for words, as a raw query does, and paths are those of the machine, of which nobody writes the
    /// beginning.
    private func pattern(_ word: String) -> MetadataPredicate {
        switch attribute.name {
        case RawAttribute.text:
            var comparison = attribute.comparison(.like, .string(word))
            comparison.options.insert(.wordBased)
            return .comparison(comparison)
        case "kMDItemPath" where !word.hasPrefix("/") && !word.hasPrefix("*"):
            return .comparison(attribute.comparison(.like, .string("*/" + word)))
        default: return .comparison(attribute.comparison(.like, .string(word)))
        }
    }

    /// The attribute is what stands behind the last dot; of `tar.gz` the name has to say the rest.
    private var ending: MetadataPredicate {
        let word = String(String.UnicodeScalarView(word.unicodeScalars.drop { $0 == "." }))
        let scalars = word.unicodeScalars
        guard let dot = scalars.lastIndex(of: "."), let name = context.attributes.resolved("name") else {
            return test(word)
        }
        let last = String(String.UnicodeScalarView(scalars[scalars.index(after: dot)...]))
        let whole =
            isPattern ? name.comparison(.like, .string("*.\(word)")) : name.comparison(.endsWith, .string(".\(word)"))
        return .and([test(last), .comparison(whole)])
    }

    /// Nil where the value is a kind, or no kind is asked for.
    var unknownKind: String? {
        attribute.name == "kMDItemKind" && !isPattern && KindWords.kind(word) == nil ? word : nil
    }
}
