import Synchronization
import Testing

@testable import DrivePredicates

@Suite struct PreparedTests {
    /// An item that counts what it is asked for.
    private final class Asked: PredicateObject {
        let names = Mutex<[String]>([])
        func value(forAttribute name: String) -> PredicateValue {
            names.withLock { $0.append(name) }
            return name == "a" ? 1 : .null
        }
    }

    @Test func attributesAreReadOnlyWhenTheirTurnComes() throws {
        let item = Asked()
        #expect(try MetadataPredicate(format: "a == 1 OR b == 2").evaluate(item))
        #expect(try !MetadataPredicate(format: "a == 2 AND c == 2").evaluate(item))
        #expect(item.names.withLock { $0 } == ["a", "a"])
    }

    @Test func oneInstantIsNowForAllItems() throws {
        let prepared = try MetadataPredicate(format: "now() == %@", arguments: [.date(utc("2026-03-15T12:00:00Z"))])
            .prepared(.fixed)
        #expect(try prepared.evaluate(PredicateValue.null) && prepared.evaluate(PredicateValue.null))
    }

    /// What a constant right side cannot be is known before the first item.
    @Test func badPatternsFailWhenPrepared() throws {
        let predicate = try MetadataPredicate(format: "a MATCHES '(('")
        #expect(throws: PredicateEvaluationError.self) { try predicate.prepared() }
        #expect(throws: PredicateEvaluationError.self) { try MetadataPredicate(format: "a BETWEEN {1}").prepared() }
    }

    /// Prepared or made for each item, a test says the same: the right side is an attribute in one and constant in the other.
    @Test func constantAndVariableRightSidesAgree() throws {
        var compared = 0
        for seed in 0..<3000 {
            var random = RandomTrees(UInt64(seed))
            let (left, right) = (random.value(2), random.value(2))
            let comparison = random.seeded.pick(ComparisonOperator.allCases)
            let modifier = random.seeded.pick(ComparisonModifier.allCases)
            var options = ComparisonOptions(rawValue: UInt8(random.seeded.below(16)))
            if comparison.canMatchWords, random.seeded.below(2) == 0 { options.insert(.wordBased) }
            func answer(_ left: ValueExpression, _ right: ValueExpression, _ item: PredicateValue) -> Bool? {
                let tree = MetadataPredicate.comparison(
                    PredicateComparison(left, comparison, right, modifier: modifier, options: options))
                return try? tree.evaluate(item, .fixed)
            }
            let item = PredicateValue.dictionary(["l": left, "r": right])
            let both = answer(.keyPath(["l"]), .keyPath(["r"]), item)
            // A bad right side is found earlier where it is constant, also when no element would be compared with it.
            guard let constant = answer(.keyPath(["l"]), .constant(right), item) else { continue }
            #expect(both == constant, "seed \(seed)")
            #expect(answer(.constant(left), .constant(right), item) == constant, "seed \(seed)")
            #expect(answer(.constant(left), .keyPath(["r"]), item) == constant, "seed \(seed)")
            compared += 1
        }
        #expect(compared > 900)
    }
}
