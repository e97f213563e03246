extension ComparisonTest {
    typealias Match = @Sendable (PredicateValue) throws -> Bool

    /// BEGINSWITH, ENDSWITH, LIKE, MATCHES: a missing side matches nothing, any other that is no string is an error.
    static func text(
        _ comparison: ComparisonOperator, _ right: PredicateValue, _ options: ComparisonOptions,
        _ context: EvaluationContext
    ) throws -> Match {
        let name = comparison.rawValue
        if right.isNull { return { _ in false } }
        guard case .string(let wanted) = right else {
            return { value in
                if value.isNull { return false }
                throw PredicateEvaluationError.wrongKind(name, right, needs: "a string on its right")
            }
        }
        let finds = try finder(comparison, wanted, options, context)
        return { value in
            switch value {
            case .null: return false
            case .string(let text): return try finds(text)
            case .list: throw PredicateEvaluationError.wrongKind(name, value, needs: "a string (or ANY before it)")
            default: throw PredicateEvaluationError.wrongKind(name, value, needs: "a string")
            }
        }
    }

    private static func finder(
        _ comparison: ComparisonOperator, _ wanted: String, _ options: ComparisonOptions, _ context: EvaluationContext
    ) throws -> @Sendable (String) throws -> Bool {
        if options.contains(.wordBased), comparison.canMatchWords {
            let parts = comparison == .like ? LikeText.parts(of: wanted) : [.text(wanted)]
            let pattern = WordPattern(
                parts, options, isAtStart: comparison == .beginsWith, isAtEnd: comparison == .endsWith)
            return { pattern.matches($0) }
        }
        switch comparison {
        case .matches:
            let pattern = try RegularPattern(wanted, options, limit: context.patternTimeLimit)
            return { try pattern.matches($0) }
        case .like:
            let pattern = LikePattern(wanted, options)
            return { pattern.matches($0) }
        case .beginsWith:
            let pattern = TextPattern(wanted, options)
            return { pattern.begins($0) }
        case .endsWith:
            let pattern = TextPattern(wanted, options)
            return { pattern.ends($0) }
        default:
            let pattern = TextPattern(wanted, options)
            return { pattern.isContained(in: $0) }
        }
    }

    /// CONTAINS: text in text, or a value among those of a list or dictionary.
    static func containing(_ right: PredicateValue, _ options: ComparisonOptions) throws -> Match {
        let isMember = try ComparisonTest(.equal, right, options, .empty).matches
        var isPart: (@Sendable (String) throws -> Bool)?
        if case .string(let wanted) = right { isPart = try finder(.contains, wanted, options, .empty) }
        return { [isPart] value in
            switch value {
            case .null: return false
            case .list(let values): return try values.contains(where: isMember)
            case .dictionary(let values): return try values.values.contains(where: isMember)
            case .string(let text):
                if right.isNull { return false }
                if let isPart { return try isPart(text) }
                throw PredicateEvaluationError.wrongKind("CONTAINS", right, needs: "a string to look for in a string")
            default: throw PredicateEvaluationError.wrongKind("CONTAINS", value, needs: "a string or a list")
            }
        }
    }

    /// IN: the mirror of CONTAINS.
    static func membership(in right: PredicateValue, _ options: ComparisonOptions) throws -> Match {
        switch right {
        case .null: return { _ in false }
        case .list(let values): return try membership(among: values, options)
        case .dictionary(let values): return try membership(among: Array(values.values), options)
        case .string(let text):
            return { value in
                switch value {
                case .null: return false
                case .string(let wanted): return try finder(.contains, wanted, options, .empty)(text)
                default:
                    throw PredicateEvaluationError.wrongKind("IN", value, needs: "a string to look for in a string")
                }
            }
        default: throw PredicateEvaluationError.wrongKind("IN", right, needs: "a list or a string")
        }
    }

    /// Lists may be long: strings are looked up, only other values are compared one by one.
    private static func membership(among values: [PredicateValue], _ options: ComparisonOptions) throws -> Match {
        // Of bytes: to hash a string puts its marks in order.
        var strings: Set<[UInt8]> = []
        var others: [PredicateValue] = []
        for value in values {
            if case .string(let text) = value, !options.contains(.normalized) {
                strings.insert(Array(TextFolding.folded(text, options).utf8))
            } else {
                others.append(value)
            }
        }
        return { [strings, others] value in
            if case .string(let text) = value, strings.contains(Array(TextFolding.folded(text, options).utf8)) {
                return true
            }
            return others.contains { ValueRelations.areEqual(value, $0, options) }
        }
    }
}

extension EvaluationContext {
    /// For tests that ask the context nothing.
    static let empty = EvaluationContext(now: PredicateDate(seconds: 0))
}
