import Foundation

/// What a predicate needs to know besides the item.
public struct EvaluationContext: Sendable {
    /// What `now()` gives; one instant for all items.
    public var now: PredicateDate
    /// Values of `$name` that no SUBQUERY binds.
    public var variables: [String: PredicateValue]
    /// For option `l`; the user's (`Locale.current`) where none is given, which is looked up when it is asked for.
    public var locale: Locale {
        get { givenLocale ?? .current }
        set { givenLocale = newValue }
    }
    /// How long one MATCHES may take for one value, before it is an error.
    public var patternTimeLimit: Duration
    /// Whether the first type is the second or one of its kind, for UTI-CONFORMS-TO.
    public var conforms: @Sendable (_ type: String, _ other: String) -> Bool
    /// Numbers from 0 up to 1, for `random()`.
    public var random: @Sendable () -> Double

    private var givenLocale: Locale?

    public init(
        now: PredicateDate = PredicateDate(Date()), variables: [String: PredicateValue] = [:],
        locale: Locale? = nil,
        patternTimeLimit: Duration = .milliseconds(500),
        conforms: @escaping @Sendable (String, String) -> Bool = { UniformTypes.conforms($0, to: $1) },
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.now = now
        self.variables = variables
        givenLocale = locale
        self.patternTimeLimit = patternTimeLimit
        self.conforms = conforms
        self.random = random
    }
}
