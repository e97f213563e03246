import Testing

@testable import DrivePredicates

@Suite struct RoundTripTests {
    @Test func whatIsPrintedIsReadAsTheSameTree() throws {
        for seed in 0..<4000 {
            var random = RandomTrees(UInt64(seed))
            let tree = random.predicate(4)
            let text = tree.predicateFormat
            let read = try? MetadataPredicate(format: text)
            #expect(read == tree, "seed \(seed): \(text)")
        }
    }

    /// Whatever is compared with whatever: an answer or an error, the same each time, and never a trap.
    @Test func everyTreeHasAnAnswerForEveryItem() throws {
        var context = EvaluationContext.fixed
        context.patternTimeLimit = .seconds(10)
        context.variables = ["x": .list([1, "a"])]
        var answers: [String: Int] = [:]
        for seed in 0..<6000 {
            var random = RandomTrees(UInt64(seed) &+ 1 << 32)
            let tree = random.predicate(4)
            let item = random.seeded.below(6) == 0 ? random.value(3) : .dictionary(random.object(3))
            let result = Result { try tree.evaluate(item, context) }
            switch result {
            case .success(let holds): answers["\(holds)", default: 0] += 1
            case .failure(let error): answers["\(type(of: error))", default: 0] += 1
            }
            let again = try MetadataPredicate(format: tree.predicateFormat)
            #expect((try? again.evaluate(item, context)) == (try? result.get()), "seed \(seed)")
        }
        // A search that only fails would show nothing.
        #expect(answers["true", default: 0] > 500 && answers["false", default: 0] > 500, "\(answers)")
        #expect(Set(answers.keys).isSubset(of: ["true", "false", "PredicateEvaluationError"]), "\(answers)")
    }

    @Test(arguments: [
        "a == 1 AND (b == 2 OR c == 3)", "NOT (a == 1)", "(a == 1 OR b == 2) AND NOT (c == 3)",
        "ANY tags CONTAINS[cd] \"x\"", "#size > 3", "a.b.@count == 2", "(a.b).c == 2", "-(a) == -1",
        "(a + 1) * 2 == 4", "CAST(490594046.671135, \"NSDate\") == d", "CAST(-0.000000001, \"NSDate\") == d",
        "SUBQUERY(items, $i, $i.p == 10).@count > 0", "TERNARY(a == 1, b, c)[FIRST] == {1, x}",
        "a == CAST({\"k\", {1, 2}}, \"NSDictionary\")", "#\"odd key\" == CAST(\"AQI=\", \"NSData\")",
        "a == -9223372036854775808", "a == 1e+300", "(5).stringValue == \"5\"", "a LIKE[cdw] \"x*\"",
    ]) func canonicalTextIsPrintedAsItIs(text: String) throws {
        #expect(try MetadataPredicate(format: text).predicateFormat == text)
    }

    @Test func datesKeepTheirNanoseconds() throws {
        let date = PredicateDate(seconds: 1_790_000_000, nanoseconds: 123_456_789)
        let printed = try MetadataPredicate(format: "d == %@", arguments: [.date(date)]).predicateFormat
        #expect(printed == "d == CAST(811692800.123456789, \"NSDate\")")
        #expect(try MetadataPredicate(format: printed).evaluate(PredicateValue.dictionary(["d": .date(date)])))
    }
}
