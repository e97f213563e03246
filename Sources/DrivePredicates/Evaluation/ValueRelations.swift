import Foundation

/// What equality and order between values mean in predicates.
enum ValueRelations {
    /// nil equals nil alone, numbers are equal by value, strings as the options say, values of different kinds never.
    static func areEqual(_ a: PredicateValue, _ b: PredicateValue, _ options: ComparisonOptions) -> Bool {
        if let a = a.number, let b = b.number { return a.order(b) == .same }
        switch (a, b) {
        case (.null, .null): return true
        case (.string(let a), .string(let b)):
            return options.contains(.normalized)
                ? a.utf8.elementsEqual(b.utf8)
                : a == b
                    || (!options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
                        && TextFolding.folded(a, options) == TextFolding.folded(b, options))
        case (.date(let a), .date(let b)): return a == b
        case (.data(let a), .data(let b)): return a == b
        case (.list(let a), .list(let b)):
            return a.count == b.count && zip(a, b).allSatisfy { areEqual($0, $1, options) }
        case (.dictionary(let a), .dictionary(let b)):
            return a.count == b.count
                && a.allSatisfy { key, value in b[key].map { areEqual(value, $0, options) } ?? false }
        default: return false
        }
    }

    /// The order of two values that are not nil; nil with NaN.
    static func order(
        _ a: PredicateValue, _ b: PredicateValue, _ options: ComparisonOptions, _ locale: Locale
    ) throws -> PredicateOrder? {
        if let a = a.number, let b = b.number { return a.order(b) }
        switch (a, b) {
        case (.string(let a), .string(let b)):
            return options.contains(.localeSensitive) && !options.contains(.normalized)
                ? localOrder(a, b, options, locale) : TextPattern(b, options).order(a)
        case (.date(let a), .date(let b)): return a < b ? .ascending : a == b ? .same : .descending
        case (.data(let a), .data(let b)):
            return a == b ? .same : a.lexicographicallyPrecedes(b) ? .ascending : .descending
        default:
            throw PredicateEvaluationError(.wrongKind, "\(a.kindName) and \(b.kindName) have no order")
        }
    }

    static func localOrder(
        _ a: String, _ b: String, _ options: ComparisonOptions, _ locale: Locale
    ) -> PredicateOrder {
        var comparing: String.CompareOptions = []
        if options.contains(.caseInsensitive) { comparing.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { comparing.insert(.diacriticInsensitive) }
        switch a.compare(b, options: comparing, range: nil, locale: locale) {
        case .orderedAscending: return .ascending
        case .orderedSame: return .same
        case .orderedDescending: return .descending
        }
    }
}

extension PredicateValue {
    /// Whether `==` with these options holds between the two in a predicate.
    public func isEqual(to other: PredicateValue, options: ComparisonOptions = []) -> Bool {
        ValueRelations.areEqual(self, other, options)
    }
}
