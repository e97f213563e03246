import Foundation

/// A comparison with its right side known: what can be done once for all left sides is done when it is made.
struct ComparisonTest: Sendable {
    let matches: @Sendable (PredicateValue) throws -> Bool

    init(
        _ comparison: ComparisonOperator, _ right: PredicateValue, _ options: ComparisonOptions,
        _ context: EvaluationContext
    ) throws {
        switch comparison {
        case .equal: matches = Self.equality(right, options)
        case .notEqual:
            let isEqual = Self.equality(right, options)
            matches = { value in !isEqual(value) }
        case .less: matches = Self.order(right, options, context, nils: false) { $0 == .ascending }
        case .lessOrEqual: matches = Self.order(right, options, context, nils: true) { $0 != .descending }
        case .greater: matches = Self.order(right, options, context, nils: false) { $0 == .descending }
        case .greaterOrEqual: matches = Self.order(right, options, context, nils: true) { $0 != .ascending }
        case .between: matches = try Self.between(right, options, context)
        case .within: matches = try Self.membership(in: right, options)
        case .contains: matches = try Self.containing(right, options)
        case .beginsWith, .endsWith, .like, .matches: matches = try Self.text(comparison, right, options, context)
        case .conformsToType, .equalsType: matches = try Self.type(comparison, right, context)
        }
    }

    private static func equality(_ right: PredicateValue, _ options: ComparisonOptions)
        -> @Sendable (PredicateValue) -> Bool
    {
        guard case .string(let wanted) = right else { return { ValueRelations.areEqual($0, right, options) } }
        let pattern = TextPattern(wanted, options)
        return { value in if case .string(let text) = value { pattern.equals(text) } else { false } }
    }

    /// nil is before and after nothing; it is the same as nil.
    private static func order(
        _ right: PredicateValue, _ options: ComparisonOptions, _ context: EvaluationContext, nils: Bool,
        _ holds: @escaping @Sendable (PredicateOrder) -> Bool
    ) -> @Sendable (PredicateValue) throws -> Bool {
        if right.isNull { return { nils && $0.isNull } }
        if case .string(let text) = right, !options.contains(.localeSensitive) {
            let pattern = TextPattern(text, options)
            return { value in
                if case .string(let text) = value { return holds(pattern.order(text)) }
                if value.isNull { return false }
                throw PredicateEvaluationError(.wrongKind, "\(value.kindName) and a string have no order")
            }
        }
        let locale = context.locale
        return { value in
            if value.isNull { return false }
            return try ValueRelations.order(value, right, options, locale).map(holds) ?? false
        }
    }

    private static func between(
        _ right: PredicateValue, _ options: ComparisonOptions, _ context: EvaluationContext
    ) throws -> @Sendable (PredicateValue) throws -> Bool {
        guard case .list(let bounds) = right else {
            throw PredicateEvaluationError.wrongKind("BETWEEN", right, needs: "a list of two bounds")
        }
        guard bounds.count == 2 else {
            throw PredicateEvaluationError(.wrongKind, "BETWEEN needs two bounds, not \(bounds.count)")
        }
        let isAbove = order(bounds[0], options, context, nils: true) { $0 != .ascending }
        let isBelow = order(bounds[1], options, context, nils: true) { $0 != .descending }
        return { value in
            if value.isNull { return false }
            return try isAbove(value) && isBelow(value)
        }
    }

    private static func type(_ comparison: ComparisonOperator, _ right: PredicateValue, _ context: EvaluationContext)
        throws -> @Sendable (PredicateValue) throws -> Bool
    {
        if right.isNull { return { _ in false } }
        guard case .string(let wanted) = right else {
            throw PredicateEvaluationError.wrongKind(comparison.rawValue, right, needs: "a type's name")
        }
        let conforms = context.conforms
        let isEqual = TextPattern(wanted, .caseInsensitive)
        return { value in
            switch value {
            case .null: return false
            case .string(let type): return comparison == .equalsType ? isEqual.equals(type) : conforms(type, wanted)
            default: throw PredicateEvaluationError.wrongKind(comparison.rawValue, value, needs: "a type's name")
            }
        }
    }
}
