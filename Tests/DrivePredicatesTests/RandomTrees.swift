@testable import DrivePredicates

/// Trees as the parser makes them, and items for them, as functions of a seed.
struct RandomTrees {
    var seeded: Seeded

    init(_ seed: UInt64) { seeded = Seeded(seed) }

    private static let keys = ["a", "name", "tags", "items", "p", "size", "IN", "has space", "date", "é", "@x", "self"]
    private static let texts = [
        "", "a", "Résumé.pdf", "e\u{301}", "*", "a\\*b?", "\"quoted\" 'too'", "line\nbreak\t", "\\", "\\d+(", "(a+)+$",
        "ß", "\u{301}x", "日本語", "FileWindow", "👩‍👧", "12", "NaN", "2026-01-01",
    ]
    private static let integers: [Int64] = [0, 1, -1, 2, 7, 64, .max, .min, .max - 1, 1 << 53, 1 << 40]
    private static let reals: [Double] = [
        0, -0.5, 1, 1.5, 1e300, -1e300, .leastNonzeroMagnitude, .nan, .infinity, -.infinity, 0x1p63, 0x1p53,
    ]

    mutating func predicate(_ depth: Int) -> MetadataPredicate {
        switch seeded.below(depth > 0 ? 9 : 6) {
        case 0: return .constant(seeded.below(2) == 0)
        case 6: return .not(predicate(depth - 1))
        case 7: return .and(chain(depth))
        case 8: return .or(chain(depth))
        default: return .comparison(comparison(depth - 1))
        }
    }

    private mutating func chain(_ depth: Int) -> [MetadataPredicate] {
        (0..<2 + seeded.below(3)).map { _ in predicate(depth - 1) }
    }

    private mutating func comparison(_ depth: Int) -> PredicateComparison {
        let comparison = seeded.pick(ComparisonOperator.allCases)
        var options = ComparisonOptions(rawValue: seeded.below(2) == 0 ? 0 : UInt8(seeded.below(32)))
        if !comparison.canMatchWords { options.remove(.wordBased) }
        return PredicateComparison(
            expression(depth), comparison, expression(depth), modifier: seeded.pick(ComparisonModifier.allCases),
            options: options)
    }

    private mutating func expression(_ depth: Int) -> ValueExpression {
        switch seeded.below(depth > 0 ? 14 : 5) {
        case 0, 1: return .constant(value(2))
        case 2, 3: return .keyPath(path())
        case 4: return seeded.below(3) == 0 ? .item : .variable("x")
        case 5: return member(expression(depth - 1))
        case 6: return .element(expression(depth - 1), index(depth - 1))
        case 7: return .list([.keyPath(path())] + (0..<seeded.below(3)).map { _ in expression(depth - 1) })
        case 8: return .negated(expression(depth - 1))
        case 9, 10:
            return .arithmetic(
                expression(depth - 1), seeded.pick(ArithmeticOperator.allCases), expression(depth - 1))
        case 11: return function(depth - 1)
        case 12:
            return seeded.below(2) == 0
                ? .subquery(expression(depth - 1), variable: "x", predicate(depth - 1))
                : .ternary(predicate(depth - 1), expression(depth - 1), expression(depth - 1))
        default: return .makeCast(expression(depth - 1), seeded.pick(CastType.allCases))
        }
    }

    /// As the parser joins keys.
    private mutating func member(_ base: ValueExpression) -> ValueExpression {
        let keys = path()
        if case .item = base { return .keyPath(keys) }
        return .member(base, keys)
    }

    private mutating func index(_ depth: Int) -> ElementIndex {
        switch seeded.below(4) {
        case 0: .first
        case 1: .last
        case 2: .size
        default: .at(expression(depth))
        }
    }

    private mutating func function(_ depth: Int) -> ValueExpression {
        let function = seeded.pick(PredicateFunction.allCases)
        let count = min(function.arity.upperBound, function.arity.lowerBound + seeded.below(2))
        return .function(function, (0..<count).map { _ in expression(depth) })
    }

    private mutating func path() -> [String] {
        var keys = (0..<1 + seeded.below(2)).map { _ in seeded.pick(Self.keys) }
        if seeded.below(5) == 0 {
            keys.insert(seeded.pick(CollectionOperator.allCases).rawValue, at: seeded.below(keys.count + 1))
        }
        return keys
    }

    mutating func value(_ depth: Int) -> PredicateValue {
        switch seeded.below(depth > 0 ? 9 : 7) {
        case 0: .null
        case 1: .bool(seeded.below(2) == 0)
        case 2: .integer(seeded.pick(Self.integers))
        case 3: .real(seeded.pick(Self.reals))
        case 4: .string(seeded.pick(Self.texts))
        case 5: .date(date())
        case 6: .data((0..<seeded.below(4)).map { _ in UInt8(seeded.below(256)) })
        case 7: .list((0..<seeded.below(4)).map { _ in value(depth - 1) })
        default: .dictionary(object(depth - 1))
        }
    }

    mutating func object(_ depth: Int) -> [String: PredicateValue] {
        Dictionary(
            (0..<seeded.below(6)).map { _ in (seeded.pick(Self.keys), value(depth)) }, uniquingKeysWith: { a, _ in a })
    }

    private mutating func date() -> PredicateDate {
        let far = seeded.below(4) == 0 ? PredicateDate.furthest : 4_000_000_000
        return PredicateDate(
            seconds: Int64.random(in: -far...far, using: &seeded),
            nanoseconds: seeded.below(2) == 0 ? 0 : Int32(seeded.below(1_000_000_000)))
    }
}
