/// `ValueExpression` with the predicates in it prepared.
indirect enum PreparedExpression: Sendable {
    case constant(PredicateValue)
    case item
    case variable(String)
    case keyPath(PreparedPath)
    case member(PreparedExpression, PreparedPath)
    case element(PreparedExpression, PreparedIndex)
    case list([PreparedExpression])
    case negated(PreparedExpression)
    case arithmetic(PreparedExpression, ArithmeticOperator, PreparedExpression)
    case function(PredicateFunction, [PreparedExpression])
    case subquery(PreparedExpression, variable: String, PreparedNode)
    case ternary(PreparedNode, PreparedExpression, PreparedExpression)
    case cast(PreparedExpression, CastType)

    init(_ expression: ValueExpression, _ context: EvaluationContext) throws {
        func prepared(_ expression: ValueExpression) throws -> PreparedExpression {
            try PreparedExpression(expression, context)
        }
        switch expression {
        case .constant(let value): self = .constant(value)
        case .item: self = .item
        case .variable(let name): self = .variable(name)
        case .keyPath(let keys): self = .keyPath(PreparedPath(keys))
        case .member(let base, let keys): self = .member(try prepared(base), PreparedPath(keys))
        case .element(let base, let index): self = .element(try prepared(base), try PreparedIndex(index, context))
        case .list(let values): self = .list(try values.map(prepared))
        case .negated(let value): self = .negated(try prepared(value))
        case .arithmetic(let left, let arithmetic, let right):
            self = .arithmetic(try prepared(left), arithmetic, try prepared(right))
        case .function(let function, let arguments): self = .function(function, try arguments.map(prepared))
        case .subquery(let collection, let variable, let predicate):
            self = .subquery(try prepared(collection), variable: variable, try PreparedNode(predicate, context))
        case .ternary(let condition, let first, let second):
            self = .ternary(try PreparedNode(condition, context), try prepared(first), try prepared(second))
        case .cast(let value, let type): self = .cast(try prepared(value), type)
        }
    }
}

/// `ElementIndex`, prepared.
enum PreparedIndex: Sendable {
    case first, last, size
    case at(PreparedExpression)

    init(_ index: ElementIndex, _ context: EvaluationContext) throws {
        switch index {
        case .first: self = .first
        case .last: self = .last
        case .size: self = .size
        case .at(let expression): self = .at(try PreparedExpression(expression, context))
        }
    }
}

/// A key path cut at its collection operator, which takes all keys behind it.
struct PreparedPath: Sendable {
    let keys: [String]
    let collecting: CollectionOperator?
    let rest: [String]

    init(_ path: [String]) {
        let place = path.firstIndex { CollectionOperator(rawValue: $0) != nil } ?? path.count
        keys = Array(path[..<place])
        collecting = place < path.count ? CollectionOperator(rawValue: path[place]) : nil
        rest = Array(path[min(place + 1, path.count)...])
    }
}
