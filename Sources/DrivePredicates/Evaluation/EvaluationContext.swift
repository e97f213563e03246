import Foundation

/// What a predicate needs to know besides the item.
public struct EvaluationContext: Sendable {
    /// What `now()` gives; one instant for all items.
    public var now: PredicateDate
    /// Values of `$name` that no SUBQUERY binds.
    public var variables: [String: PredicateValue]
    /// For option `l`.
    public var locale: Locale
    /// How long one MATCHES may take for one value, before it is an error.
    public var patternTimeLimit: Duration
    /// Whether the first type is the second or one of its kind, for UTI-CONFORMS-TO.
    public var conforms: @Sendable (_ type: String, _ other: String) -> Bool
    /// Numbers from 0 up to 1, for `random()`.
    public var random: @Sendable () -> Double

    public init(
        now: PredicateDate = PredicateDate(Date()), variables: [String: PredicateValue] = [:],
        locale: Locale = .current,
        patternTimeLimit: Duration = .milliseconds(500),
        conforms: @escaping @Sendable (String, String) -> Bool = { UniformTypes.conforms($0, to: $1) },
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.now = now
        self.variables = variables
        self.locale = locale
        self.patternTimeLimit = patternTimeLimit
        self.conforms = conforms
        self.random = random
    }
}
