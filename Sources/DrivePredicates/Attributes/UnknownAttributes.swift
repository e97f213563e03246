/// A name in a predicate that the table does not have, or that no item can have.
public struct UnknownAttribute: Hashable, Sendable, CustomStringConvertible {
    public let name: String
    /// What was probably meant, the most likely first.
    public let suggestions: [String]
    /// Apple has it, and nothing here tells it.
    public var isNeverSupplied = false

    /// The description tells what may be meant, or why nothing can be.
    public var isHinted: Bool { isNeverSupplied || !suggestions.isEmpty }

    public var description: String {
        if isNeverSupplied { return "no item has \(name): nothing on this system tells it" }
        return suggestions.isEmpty
            ? "there is no attribute \(name)"
            : "there is no attribute \(name); did you mean \(suggestions.joined(separator: " or "))?"
    }
}

extension MetadataPredicate {
    /// The attributes of the item that the predicate names, each once, in order: the first key of each path.
    public var attributeNames: [String] {
        var finder = AttributeFinder()
        finder.visit(self)
        return finder.names
    }

    /// The names among them that the table does not have, or no item can have. Evaluation treats such as nil.
    public func unknownAttributes(in table: AttributeTable) -> [UnknownAttribute] {
        attributeNames.compactMap { name in
            guard let attribute = table.named(name) else {
                return UnknownAttribute(name: name, suggestions: table.suggestions(for: name))
            }
            return attribute.isSupplied ? nil : UnknownAttribute(name: name, suggestions: [], isNeverSupplied: true)
        }
    }
}

private struct AttributeFinder {
    var names: [String] = []
    private var seen: Set<String> = []

    mutating func visit(_ predicate: MetadataPredicate) {
        switch predicate {
        case .constant: break
        case .and(let chain), .or(let chain): for predicate in chain { visit(predicate) }
        case .not(let predicate): visit(predicate)
        case .comparison(let comparison):
            visit(comparison.left)
            visit(comparison.right)
        }
    }

    private mutating func visit(_ expression: ValueExpression) {
        switch expression {
        case .constant, .item, .variable: break
        case .keyPath(let keys):
            guard let key = keys.first, key != "self", CollectionOperator(rawValue: key) == nil else { return }
            if seen.insert(key).inserted { names.append(key) }
        case .member(let base, _), .negated(let base), .cast(let base, _): visit(base)
        case .element(let base, let index):
            visit(base)
            if case .at(let place) = index { visit(place) }
        case .list(let values), .function(_, let values): for value in values { visit(value) }
        case .arithmetic(let left, _, let right):
            visit(left)
            visit(right)
        case .subquery(let collection, _, let predicate):
            visit(collection)
            visit(predicate)
        case .ternary(let condition, let first, let second):
            visit(condition)
            visit(first)
            visit(second)
        }
    }
}
