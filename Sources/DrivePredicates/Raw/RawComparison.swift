/// An attribute of a raw query, with what the table knows of it.
struct RawAttribute {
    let name: String
    let kind: MetadataAttribute.Kind?
    /// Of an attribute that nobody knows it is not certain that it has one value.
    let isSingle: Bool

    init(_ name: String, _ table: AttributeTable) {
        let known = table.resolved(name)
        self.name = known?.name ?? name
        kind = known?.kind
        isSingle = known.map { !$0.isMultiValued } ?? false
    }

    init(_ attribute: MetadataAttribute) {
        name = attribute.name
        kind = attribute.kind
        isSingle = !attribute.isMultiValued
    }

    /// The text of a document, which nobody compares as a whole.
    static let text = "kMDItemTextContent"

    var modifier: ComparisonModifier { isSingle ? .direct : .any }

    /// The value as the attribute's kind has it: a quoted number is one for a number, seconds since 2001 are a date.
    func ordered(_ value: RawValue, _ context: QueryContext) -> PredicateValue? {
        switch (kind, value) {
        case (.string, _): return nil
        case (.date, .number(let number)):
            return number.number.flatMap { PredicateDate(number: $0) }.map { .date($0) }
        case (.date, .pattern(let text)): return PredicateDate(iso: text, timeZone: context.timeZone).map { .date($0) }
        case (.date, .date(let date)), (nil, .date(let date)): return .date(date)
        case (.boolean, .pattern(let text)): return WordValues.boolean(text).map { .bool($0) }
        case (.number, .pattern(let text)), (.size, .pattern(let text)):
            return Int64(text).map { .integer($0) } ?? Double(text).flatMap { $0.isFinite ? .real($0) : nil }
        case (_, .number(let number)): return number
        case (_, .date), (nil, .pattern): return nil
        }
    }
}

/// Why a comparison has no meaning.
struct RawRefusal: Error {
    let reason: String
}

/// A raw comparison, to be said in the tree: any value of several may match, a missing one never does, `==` and `!=` know
/// wildcards.
struct RawComparison {
    let comparison: ComparisonOperator
    let value: RawValue
    let options: ComparisonOptions

    func predicate(_ attribute: RawAttribute?, _ context: QueryContext) -> Result<MetadataPredicate, RawRefusal> {
        guard let attribute else { return ofAnyAttribute(context) }
        if attribute.name == RawAttribute.text, options != Self.textOptions {
            return RawComparison(comparison: comparison, value: value, options: Self.textOptions)
                .predicate(attribute, context)
        }
        guard comparison == .equal || comparison == .notEqual else {
            guard let value = attribute.ordered(value, context) else {
                return .failure(RawRefusal(reason: "\(comparison.rawValue) compares numbers and dates only"))
            }
            return .success(test(attribute, comparison, value, []))
        }
        if value == .pattern("*") { return .success(presence(attribute)) }
        if let ordered = attribute.ordered(value, context) { return .success(equality(attribute, .equal, ordered, [])) }
        guard let pattern = pattern(for: attribute) else {
            return .failure(RawRefusal(reason: "\(attribute.name) cannot be compared with a value of this kind"))
        }
        return .success(text(attribute, pattern))
    }

    /// What lies in a text is looked for as words, whatever modifiers stand behind it.
    private static let textOptions: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive, .wordBased]

    /// Text for attributes that are text, or may be.
    private func pattern(for attribute: RawAttribute) -> String? {
        guard attribute.kind == .string || attribute.kind == nil else { return nil }
        switch value {
        case .pattern(let pattern): return pattern
        case .number(let number): return attribute.kind == .string ? number.number.map { Casting.text($0) } : nil
        case .date: return nil
        }
    }

    private func text(_ attribute: RawAttribute, _ pattern: String) -> MetadataPredicate {
        let pattern = attribute.name == RawAttribute.text ? WhiteSpace.collapsedInside(pattern) : pattern
        let parts = LikeText.parts(of: pattern)
        let isPlain = parts.allSatisfy { if case .text = $0 { true } else { false } }
        guard isPlain else { return equality(attribute, .like, .string(pattern), options) }
        let literal = parts.map { if case .text(let text) = $0 { text } else { "" } }.joined()
        let comparison: ComparisonOperator = options.contains(.wordBased) ? .contains : .equal
        return equality(attribute, comparison, .string(literal), options)
    }

    private func presence(_ attribute: RawAttribute) -> MetadataPredicate {
        comparison == .equal ? test(attribute, .notEqual, .null, []) : .constant(false)
    }

    private func test(
        _ attribute: RawAttribute, _ comparison: ComparisonOperator, _ value: PredicateValue,
        _ options: ComparisonOptions
    ) -> MetadataPredicate {
        .comparison(
            PredicateComparison(
                .keyPath([attribute.name]), comparison, .constant(value), modifier: attribute.modifier,
                options: options))
    }

    /// `==`, or `!=` so that it never holds of a missing value.
    private func equality(
        _ attribute: RawAttribute, _ positive: ComparisonOperator, _ value: PredicateValue,
        _ options: ComparisonOptions
    ) -> MetadataPredicate {
        if comparison == .equal { return test(attribute, positive, value, options) }
        if attribute.isSingle {
            let isOther =
                positive == .equal
                ? test(attribute, .notEqual, value, options) : .not(test(attribute, positive, value, options))
            return .and([test(attribute, .notEqual, .null, []), isOther])
        }
        if positive == .equal { return test(attribute, .notEqual, value, options) }
        let one = MetadataPredicate.comparison(
            PredicateComparison(.variable("value"), positive, .constant(value), options: options))
        let others = ValueExpression.subquery(.keyPath([attribute.name]), variable: "value", .not(one))
        return .comparison(PredicateComparison(.member(others, ["@count"]), .greater, .constant(.integer(0))))
    }

    /// `*` stands for all attributes of the value's kind that items may have.
    private func ofAnyAttribute(_ context: QueryContext) -> Result<MetadataPredicate, RawRefusal> {
        guard comparison != .notEqual else {
            return .failure(RawRefusal(reason: "* != would hold of every item; write !(* == value)"))
        }
        var chain: [MetadataPredicate] = []
        for attribute in context.attributes.attributes where attribute.isSupplied && isOfKind(attribute.kind) {
            switch predicate(RawAttribute(attribute), context) {
            case .success(let predicate): chain.append(predicate)
            case .failure(let refusal): return .failure(refusal)
            }
        }
        return .success(.any(chain))
    }

    private func isOfKind(_ kind: MetadataAttribute.Kind) -> Bool {
        switch value {
        case .pattern: kind == .string
        case .number: kind == .number || kind == .size
        case .date: kind == .date
        }
    }
}

extension MetadataPredicate {
    /// Reads a query in Spotlight's raw syntax. Names may be aliases of the context's table.
    public init(raw query: String, _ context: QueryContext = QueryContext()) throws(PredicateSyntaxError) {
        var parser = try RawParser(query, context)
        self = try parser.parse()
    }

    /// What in a raw query may not mean what it seems to.
    public static func lint(raw query: String, _ context: QueryContext = QueryContext()) throws(PredicateSyntaxError)
        -> [PredicateWarning]
    {
        var parser = try RawParser(query, context)
        _ = try parser.parse()
        return parser.warnings
    }
}
