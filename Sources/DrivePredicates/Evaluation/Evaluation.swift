/// One predicate over one item, by the two-valued logic of predicates: what cannot be compared because it is missing is
/// simply false, and NOT of it true.
struct Evaluation<Object: PredicateObject> {
    let object: Object
    let context: EvaluationContext
    var variables: [String: PredicateValue]

    func holds(_ node: PreparedNode) throws -> Bool {
        switch node {
        case .constant(let value): return value
        case .and(let chain): return try chain.allSatisfy { try holds($0) }
        case .or(let chain): return try chain.contains { try holds($0) }
        case .not(let node): return try !holds(node)
        case .comparison(let comparison): return try holds(comparison)
        }
    }

    private func holds(_ comparison: PreparedComparison) throws -> Bool {
        let subject = try value(comparison.subject)
        let test: ComparisonTest
        switch comparison.test {
        case .ready(let ready): test = ready
        case .perItem(let comparisonOperator, let right, let options):
            test = try ComparisonTest(comparisonOperator, try value(right), options, context)
        }
        switch comparison.modifier {
        case .direct: return try test.matches(subject)
        case .any: return try subject.elements.contains { try test.matches($0) }
        case .all: return try subject.elements.allSatisfy { try test.matches($0) }
        case .none: return try !subject.elements.contains { try test.matches($0) }
        }
    }

    func value(_ expression: PreparedExpression) throws -> PredicateValue {
        switch expression {
        case .constant(let value): return value
        case .item: return object.itemValue
        case .variable(let name):
            guard let value = variables[name] else {
                throw PredicateEvaluationError(.unboundVariable, "$\(name) has no value")
            }
            return value
        case .keyPath(let path): return try value(ofItem: path)
        case .member(let base, let path): return try KeyValues.value(of: path, in: try value(base))
        case .element(let base, let index): return try element(of: try value(base), index)
        case .list(let values): return .list(try values.map(value))
        case .negated(let operand): return try Arithmetic.negated(try value(operand))
        case .arithmetic(let left, let arithmetic, let right):
            return try Arithmetic.value(try value(left), arithmetic, try value(right))
        case .function(let function, let arguments):
            return try Functions.value(function, try arguments.map(value), context)
        case .subquery(let collection, let variable, let node):
            return try selection(from: try value(collection), variable, node)
        case .ternary(let condition, let first, let second):
            return try value(try holds(condition) ? first : second)
        case .cast(let operand, let type): return try Casting.value(try value(operand), as: type)
        }
    }

    private func value(ofItem path: PreparedPath) throws -> PredicateValue {
        guard let first = path.keys.first else { return try KeyValues.value(of: path, in: object.itemValue) }
        var value = object.value(forAttribute: first)
        if value.isNull, first == "self" { value = object.itemValue }
        if path.keys.count == 1, path.collecting == nil { return value }
        for key in path.keys.dropFirst() { value = KeyValues.value(of: key, in: value) }
        return try KeyValues.collected(path, value)
    }

    private func selection(from collection: PredicateValue, _ variable: String, _ node: PreparedNode) throws
        -> PredicateValue
    {
        var inner = self
        var found: [PredicateValue] = []
        for element in collection.elements {
            inner.variables[variable] = element
            if try inner.holds(node) { found.append(element) }
        }
        return .list(found)
    }

    /// An element that is not there is nil.
    private func element(of base: PredicateValue, _ index: PreparedIndex) throws -> PredicateValue {
        switch (base, index) {
        case (.null, _): return .null
        case (.list(let values), .first): return values.first ?? .null
        case (.list(let values), .last): return values.last ?? .null
        case (.list(let values), .size): return .integer(Int64(values.count))
        case (.dictionary(let values), .size): return .integer(Int64(values.count))
        case (.list(let values), .at(let place)):
            let place = try value(place)
            if place.isNull { return .null }
            guard let number = place.number else {
                throw PredicateEvaluationError.wrongKind("the index of a list", place, needs: "a number")
            }
            guard let exact = number.truncated.exactInteger, exact >= 0, exact < values.count else { return .null }
            return values[Int(exact)]
        case (.dictionary(let values), .at(let key)):
            switch try value(key) {
            case .null: return .null
            case .string(let key): return values[key] ?? .null
            case let other:
                throw PredicateEvaluationError.wrongKind("the index of a dictionary", other, needs: "a string")
            }
        default: throw PredicateEvaluationError.wrongKind("an index", base, needs: "a list or a dictionary")
        }
    }
}
