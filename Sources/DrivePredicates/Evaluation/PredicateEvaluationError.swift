/// Why a predicate has no answer for an item: what raises an exception with NSPredicate.
public struct PredicateEvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// An operator or function cannot take values of this kind.
        case wrongKind
        /// MATCHES was given no regular expression.
        case badPattern
        /// A regular expression took too long or too much memory.
        case patternLimit
        /// A variable has no value.
        case unboundVariable
    }

    public let kind: Kind
    public let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    static func wrongKind(_ name: String, _ value: PredicateValue, needs wanted: String) -> PredicateEvaluationError {
        PredicateEvaluationError(.wrongKind, "\(name) needs \(wanted), not \(value.kindName)")
    }
}
