import DrivePredicates

/// Rows whose documents may fulfil a comparison, by the search index; no others can.
struct DocumentCandidates {
    /// These do, as far as the index holds them as they are now.
    var sure: Set<Int64> = []
    /// These have to be looked at.
    var maybe: Set<Int64> = []

    var all: Set<Int64> { sure.union(maybe) }
}

/// Comparisons of what documents have with constants, looked up.
struct DocumentLookup {
    let index: SearchIndex
    private let texts: TextLookup

    init(index: SearchIndex) {
        self.index = index
        texts = TextLookup(index: index)
    }

    /// Nil where the index says nothing about the comparison.
    func candidates(_ comparison: PredicateComparison) throws -> DocumentCandidates? {
        guard case .keyPath(let keys) = comparison.left, keys.count == 1, case .constant(let value) = comparison.right,
            comparison.modifier == .direct || comparison.modifier == .any, !ItemMetadata.isKnown(keys[0])
        else { return nil }
        if keys[0] == DocumentContent.textAttribute {
            return try texts.candidates(comparison, value)
        }
        return try AttributeLookup(index: index).candidates(keys[0], comparison, value)
    }
}

/// Comparisons of attributes.
struct AttributeLookup {
    let index: SearchIndex

    func candidates(
        _ name: String, _ comparison: PredicateComparison, _ value: PredicateValue
    ) throws -> DocumentCandidates? {
        if case .notEqual = comparison.comparison, value.isNull { return try found(name, "1", []) }
        switch value {
        case .integer, .real: return try numbers(name, comparison.comparison, value)
        case .date(let date): return try found(name, comparison.comparison, .int(date.seconds), isLoose: true)
        case .bool(let value) where comparison.comparison == .equal:
            return try found(name, "value = ?", [.int(value ? 1 : 0)])
        case .list(let bounds) where comparison.comparison == .between && bounds.count == 2:
            return try between(name, bounds[0], bounds[1])
        case .string(let text): return try texts(name, text, comparison)
        default: return nil
        }
    }

    private func numbers(_ name: String, _ comparison: ComparisonOperator, _ value: PredicateValue) throws
        -> DocumentCandidates?
    {
        guard let bound = Self.bound(value) else { return nil }
        return try found(name, comparison, bound, isLoose: false)
    }

    private func between(_ name: String, _ low: PredicateValue, _ high: PredicateValue) throws -> DocumentCandidates? {
        guard let low = Self.bound(low), let high = Self.bound(high) else { return nil }
        return try found(name, "value >= ? AND value <= ?", [low, high])
    }

    /// Numbers, and dates as whole seconds, which is what the index has of them.
    private static func bound(_ value: PredicateValue) -> SQLValue? {
        switch value {
        case .integer(let number): .int(number)
        case .real(let number) where number.isFinite: .real(number)
        case .date(let date): .int(date.seconds)
        default: nil
        }
    }

    private func found(
        _ name: String, _ comparison: ComparisonOperator, _ bound: SQLValue, isLoose: Bool
    ) throws -> DocumentCandidates? {
        let sign: String
        switch comparison {
        case .equal: sign = "="
        case .less: sign = isLoose ? "<=" : "<"
        case .lessOrEqual: sign = "<="
        case .greater: sign = isLoose ? ">=" : ">"
        case .greaterOrEqual: sign = ">="
        default: return nil
        }
        return try found(name, "value \(sign) ?", [bound])
    }

    private func texts(
        _ name: String, _ text: String, _ comparison: PredicateComparison
    ) throws -> DocumentCandidates? {
        guard let parts = FoldedParts(text, comparison) else { return nil }
        if comparison.comparison == .equal { return try found(name, "value = ?", [.text(parts.parts.joined())]) }
        let tests = parts.parts.map { _ in "instr(value, ?) > 0" }
        return try found(name, tests.isEmpty ? "1" : tests.joined(separator: " AND "), parts.parts.map { .text($0) })
    }

    private func found(_ name: String, _ test: String, _ values: [SQLValue]) throws -> DocumentCandidates {
        var result = DocumentCandidates()
        guard let key = try index.knownKey(of: name) else { return result }
        try index.connection.each("SELECT row FROM value WHERE attribute = ? AND \(test)", [.int(key)] + values) {
            result.maybe.insert($0.int(0))
            return true
        }
        return result
    }
}

/// What a comparison of text looks for, folded as indexes fold: a text fulfils the comparison only if all parts lie in it.
struct FoldedParts {
    var parts: [String]
    /// Where the one part is looked for, if it is one.
    var place: Place?
    /// The comparison looks at where words begin and end.
    var isWordBased: Bool

    enum Place { case anywhere, wholeWord, beginningOfWord }

    init?(_ text: String, _ comparison: PredicateComparison) {
        let options = comparison.options
        // U+FFFD may stand for bytes of a name that are no text.
        guard options.isSubset(of: [.caseInsensitive, .diacriticInsensitive, .wordBased]), !text.contains("\u{FFFD}")
        else { return nil }
        isWordBased = options.contains(.wordBased)
        let isWhole = options.contains(.caseInsensitive) && options.contains(.diacriticInsensitive)
        // What is equal with its case is equal without.
        guard isWhole || text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        var shape: [LikeText.Part] = [.text(text)]
        switch comparison.comparison {
        case .contains, .beginsWith, .endsWith, .equal: break
        case .like: shape = LikeText.parts(of: text)
        default: return nil
        }
        parts = shape.compactMap { if case .text(let text) = $0 { text.foldedForSearch } else { nil } }.filter {
            !$0.isEmpty
        }
        guard isWhole, parts.count == 1 else { return }
        place = Self.place(comparison.comparison, shape, isWordBased)
    }

    private static func place(
        _ comparison: ComparisonOperator, _ shape: [LikeText.Part], _ isWordBased: Bool
    ) -> Place? {
        switch (comparison, shape.count) {
        case (.contains, _): isWordBased ? .wholeWord : .anywhere
        case (.like, 1) where isWordBased: .wholeWord
        case (.like, 2) where isWordBased && shape[1] == .many: .beginningOfWord
        case (.like, 3) where shape[0] == .many && shape[2] == .many: .anywhere
        default: nil
        }
    }
}
