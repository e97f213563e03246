/// What `attribute:value` means.
struct WordTerm {
    let attribute: MetadataAttribute
    /// nil is `attribute:value` without a sign.
    let comparison: ComparisonOperator?
    let word: String
    let isQuoted: Bool
    let context: QueryContext

    /// nil where the value has no meaning for the attribute.
    var predicate: MetadataPredicate? {
        if word == "*", comparison == nil, !isQuoted { return .comparison(attribute.comparison(.notEqual, .null)) }
        switch attribute.kind {
        case .string: return text
        case .number: return number(WordValues.number)
        case .size: return number(WordValues.size)
        case .date: return date
        case .boolean:
            guard comparison == nil || comparison == .equal else { return nil }
            if let conflictClass { return conflictClass }
            return WordValues.boolean(word).map { .comparison(attribute.comparison(.equal, .bool($0))) }
        }
    }

    var refusal: String {
        let name = attribute.aliases.first ?? attribute.name
        if let unknownKind {
            return "there is no kind \(unknownKind); kinds are \(KindWords.kinds.joined(separator: ", "))"
        }
        if !isPossible { return "\(name): is \(valueWords.joined(separator: ", ")), and not \(word)" }
        switch attribute.kind {
        case .string: return "\(name): is text, which has no order"
        case .number: return "\(name): takes a number: 5, >5, 5..10, the smaller one first"
        case .size: return "\(name): takes a size: >10mb, 1kib..1gb, the smaller one first"
        case .date: return "\(name): takes a time: today, yesterday, <30d, 2026-01, 2026-01..2026-06"
        case .boolean where attribute.name == Self.conflicts:
            return "\(name): is yes or no, or a class: \(ConflictWords.classes.joined(separator: ", "))"
        case .boolean: return "\(name): is yes or no"
        }
    }

    /// What was probably meant, of a value that has no meaning.
    var suggestion: String? {
        let meant = unknownKind.flatMap(KindWords.nearest) ?? (isPossible ? nil : nearestValue)
        return meant.map { "\(attribute.aliases.first ?? attribute.name):\($0)" }
    }

    private var nearestValue: String? { NearestNames.nearest(to: word.lowercased(), in: valueWords).first }

    /// As people write them: without the name of the attribute, which begins Apple's.
    var valueWords: [String] {
        let start = attribute.name.hasSuffix("Key") ? attribute.name.dropLast(3) : attribute.name[...]
        return attribute.values.map { $0.hasPrefix(start) ? $0.dropFirst(start.count).lowercased() : $0 }
    }

    private static let conflicts = "NSMetadataUbiquitousItemHasUnresolvedConflictsKey"

    /// `conflict:mergeable` asks for the class of the conflict.
    private var conflictClass: MetadataPredicate? {
        guard attribute.name == Self.conflicts, ConflictWords.classes.contains(word.lowercased()),
            let named = AttributeTable.standard.named("kDDItemConflictClass")
        else { return nil }
        return .comparison(named.comparison(.equal, .string(word.lowercased())))
    }

    /// The ends of `a..b`, `a..`, `..b`.
    private var ends: (low: String, high: String)? {
        guard comparison == nil, let dots = word.firstRange(of: "..") else { return nil }
        let low = String(word[..<dots.lowerBound])
        let high = String(word[dots.upperBound...])
        return low.isEmpty && high.isEmpty ? nil : (low, high)
    }

    private func number(_ read: (String) -> PredicateValue?) -> MetadataPredicate? {
        guard let ends else {
            return read(word).map { .comparison(attribute.comparison(comparison ?? .equal, $0)) }
        }
        let low = read(ends.low)
        let high = read(ends.high)
        guard (low != nil) != ends.low.isEmpty, (high != nil) != ends.high.isEmpty else { return nil }
        switch (low, high) {
        case (let low?, let high?):
            // Nothing lies between, which nobody asks for.
            guard let first = low.number, let second = high.number, second.order(first) != .ascending else {
                return nil
            }
            return .comparison(attribute.comparison(.between, .list([low, high])))
        case (let low?, nil): return .comparison(attribute.comparison(.greaterOrEqual, low))
        case (nil, let high?): return .comparison(attribute.comparison(.lessOrEqual, high))
        case (nil, nil): return nil
        }
    }

    private var date: MetadataPredicate? {
        if let ends { return dates(ends) }
        guard let time = WordTime(word, context) else { return nil }
        switch (time, comparison) {
        case (.ago(let instant), nil), (.ago(let instant), .less?): return at(.greater, instant)
        case (.ago(let instant), .lessOrEqual?): return at(.greaterOrEqual, instant)
        case (.ago(let instant), .greater?): return at(.less, instant)
        case (.ago(let instant), .greaterOrEqual?): return at(.lessOrEqual, instant)
        case (.ago, _): return nil
        case (.span(let start, _), .less?): return at(.less, start)
        case (.span(_, let end), .lessOrEqual?): return at(.less, end)
        case (.span(_, let end), .greater?): return at(.greaterOrEqual, end)
        case (.span(let start, _), .greaterOrEqual?): return at(.greaterOrEqual, start)
        case (.span(let start, let end), _): return .and([at(.greaterOrEqual, start), at(.less, end)])
        }
    }

    /// Both ends belong to a range; of two times ago the longer is the beginning, whichever comes first.
    private func dates(_ ends: (low: String, high: String)) -> MetadataPredicate? {
        var low = ends.low.isEmpty ? nil : WordTime(ends.low, context)
        var high = ends.high.isEmpty ? nil : WordTime(ends.high, context)
        guard (low != nil) != ends.low.isEmpty, (high != nil) != ends.high.isEmpty else { return nil }
        if case .ago(let first)? = low, case .ago(let second)? = high, second < first { (low, high) = (high, low) }
        if let low, let high, !high.reaches(low.start) { return nil }
        var tests = low.map { [at(.greaterOrEqual, $0.start)] } ?? []
        switch high {
        case .span(_, let end)?: tests.append(at(.less, end))
        case .ago(let instant)?: tests.append(at(.lessOrEqual, instant))
        case nil: break
        }
        return .all(tests)
    }

    private func at(_ comparison: ComparisonOperator, _ date: PredicateDate) -> MetadataPredicate {
        .comparison(attribute.comparison(comparison, .date(date)))
    }
}

extension MetadataAttribute {
    /// A comparison as words make them: over any value of several, without regard to case and marks in text.
    func comparison(_ comparison: ComparisonOperator, _ value: PredicateValue) -> PredicateComparison {
        var options: ComparisonOptions = []
        if kind == .string, !value.isNull { options = [.caseInsensitive, .diacriticInsensitive] }
        var value = value
        if name == RawAttribute.text, case .string(let text) = value {
            value = .string(WhiteSpace.collapsedInside(text))
        }
        return PredicateComparison(
            .keyPath([name]), comparison, .constant(value), modifier: isMultiValued ? .any : .direct, options: options)
    }
}
