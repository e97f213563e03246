/// A predicate made ready for many items: patterns are compiled and texts folded once.
///
///     let prepared = try predicate.prepared()
///     for item in items where try prepared.evaluate(item) { print(item) }
public struct PreparedPredicate: Sendable {
    let root: PreparedNode
    let context: EvaluationContext

    /// Whether the predicate holds for the item; throws `PredicateEvaluationError`.
    public func evaluate(_ object: some PredicateObject) throws -> Bool {
        try Evaluation(object: object, context: context, variables: context.variables).holds(root)
    }
}

extension MetadataPredicate {
    /// Compiles what is constant; throws `PredicateEvaluationError` where a constant right side cannot be compared with.
    public func prepared(_ context: EvaluationContext = EvaluationContext()) throws -> PreparedPredicate {
        PreparedPredicate(root: try PreparedNode(self, context), context: context)
    }

    /// Whether the predicate holds for one item; for many items, `prepared` once is much faster.
    public func evaluate(_ object: some PredicateObject, _ context: EvaluationContext = EvaluationContext()) throws
        -> Bool
    {
        try prepared(context).evaluate(object)
    }
}

/// `MetadataPredicate`, prepared.
indirect enum PreparedNode: Sendable {
    case constant(Bool)
    case and([PreparedNode])
    case or([PreparedNode])
    case not(PreparedNode)
    case comparison(PreparedComparison)

    init(_ predicate: MetadataPredicate, _ context: EvaluationContext) throws {
        switch predicate {
        case .constant(let value): self = .constant(value)
        case .and(let chain): self = .and(try chain.map { try PreparedNode($0, context) })
        case .or(let chain): self = .or(try chain.map { try PreparedNode($0, context) })
        case .not(let predicate): self = .not(try PreparedNode(predicate, context))
        case .comparison(let comparison): self = .comparison(try PreparedComparison(comparison, context))
        }
    }
}

/// A comparison, with its test where the right side is constant.
struct PreparedComparison: Sendable {
    let modifier: ComparisonModifier
    /// What the test is applied to.
    let subject: PreparedExpression
    let test: Test

    enum Test: Sendable {
        case ready(ComparisonTest)
        case perItem(ComparisonOperator, PreparedExpression, ComparisonOptions)
    }

    init(_ comparison: PredicateComparison, _ context: EvaluationContext) throws {
        modifier = comparison.modifier
        let left = try PreparedExpression(comparison.left, context)
        let right = try PreparedExpression(comparison.right, context)
        switch (left, comparison.comparison, right) {
        case (_, let comparisonOperator, .constant(let value)):
            subject = left
            test = .ready(try ComparisonTest(comparisonOperator, value, comparison.options, context))
        case (.constant(.string(let wanted)), .within, _) where modifier == .direct:
            // The constant is on the left, so the mirrored operator can be prepared.
            subject = right
            test = .ready(try ComparisonTest(wantedIn: wanted, comparison.options))
        default:
            subject = left
            test = .perItem(comparison.comparison, right, comparison.options)
        }
    }
}

extension ComparisonTest {
    /// `'text' IN value` as a test of the value.
    fileprivate init(wantedIn wanted: String, _ options: ComparisonOptions) throws {
        let contains = try Self.containing(.string(wanted), options)
        matches = { value in
            switch value {
            case .null, .list, .dictionary, .string: return try contains(value)
            default: throw PredicateEvaluationError.wrongKind("IN", value, needs: "a list or a string")
            }
        }
    }
}
