import Testing

@testable import DrivePredicates

/// Texts that would exhaust a stack or a machine.
@Suite struct LimitTests {
    private static let many = 100_000

    @Test(arguments: ["(", "{", "a[", "-(", "NOT (", "sum(", "SUBQUERY(", "CAST(", "TERNARY(", "1+(", "~(", "a.b[("])
    func deepBracketsAreRefused(opening: String) throws {
        let count = min(Self.many, 250_000 / opening.utf8.count)
        let error = try #require(fault(String(repeating: opening, count: count)))
        #expect(error.message.contains("deep"), "\(error.message)")
    }

    @Test(arguments: ["NOT ", "!", "!!", "-", "~"]) func longChainsOfSignsAreRefused(sign: String) throws {
        let count = min(Self.many, 250_000 / sign.utf8.count)
        let error = try #require(fault(String(repeating: sign, count: count) + "a == 1"))
        #expect(error.message.contains("deep"), "\(error.message)")
    }

    @Test(arguments: [" + 1", " * 1", " ** 1", " - 1", " | 1"]) func longArithmeticIsRefused(next: String) throws {
        let error = try #require(fault("1" + String(repeating: next, count: 30_000) + " == 1"))
        #expect(error.message.contains("deep"))
    }

    /// Height adds up over levels that are each small.
    @Test func nestedChainsAreMeasuredTogether() throws {
        var text = "1"
        for _ in 0..<50 { text = "(\(text) + 1 + 1 + 1 + 1 + 1)" }
        #expect(try #require(fault(text + " == 1")).message.contains("deep"))
    }

    @Test(arguments: [" AND a == 1", " OR a == 1", " && NOT a == 1"]) func longChainsAreFlat(next: String) throws {
        let predicate = try MetadataPredicate(format: "a == 1" + String(repeating: next, count: 15_000))
        #expect(try MetadataPredicate(format: predicate.predicateFormat) == predicate)
        #expect(try predicate.evaluate(PredicateValue.dictionary(["a": 1])) == !next.contains("NOT"))
    }

    @Test func longListsAreFine() throws {
        let predicate = try MetadataPredicate(format: "a IN {" + String(repeating: "'x', ", count: 40_000) + "'y'}")
        #expect(try predicate.evaluate(PredicateValue.dictionary(["a": "y"])))
    }

    @Test func whatIsAllowedCanBePrintedAndReadAgain() throws {
        for opening in ["(", "NOT (", "-("] {
            var accepted = 0
            for depth in 150...260 {
                let end =
                    opening == "-("
                    ? "1\(String(repeating: ")", count: depth)) == 1" : "a == 1\(String(repeating: ")", count: depth))"
                guard let predicate = try? MetadataPredicate(format: String(repeating: opening, count: depth) + end)
                else { break }
                #expect(try MetadataPredicate(format: predicate.predicateFormat) == predicate)
                accepted = depth
            }
            #expect(accepted >= 190)
        }
    }

    @Test func longTextIsRefused() throws {
        let long = String(repeating: " ", count: 300_000) + "a == 1"
        #expect(try #require(fault(long)).message.contains("bytes"))
        #expect(try #require(rawFault(long)).message.contains("bytes"))
        #expect(try #require(wordsFault(long)).message.contains("bytes"))
    }

    @Test func rawAndWordsAreLimitedToo() throws {
        #expect(try #require(rawFault(String(repeating: "(", count: Self.many))).message.contains("deep"))
        #expect(try #require(wordsFault(String(repeating: "(", count: Self.many))).message.contains("deep"))
        #expect(try #require(wordsFault(String(repeating: "-(", count: Self.many))).message.contains("deep"))
        let negated = try MetadataPredicate(raw: String(repeating: "!", count: Self.many + 1) + "a == 1", .fixed())
        #expect(negated.predicateFormat == "NOT (ANY a == 1)")
        let level = "!(b == 1 || c == 1 && "
        let deep = String(repeating: level, count: 59) + "name != \"*.a\"" + String(repeating: ")", count: 59)
        let predicate = try MetadataPredicate(raw: deep, .fixed())
        #expect(try MetadataPredicate(format: predicate.predicateFormat) == predicate)
        let words = String(repeating: "-(a b | ", count: 59) + "c" + String(repeating: ")", count: 59)
        let lowered = try MetadataPredicate(words: words, .fixed())
        #expect(try MetadataPredicate(format: lowered.predicateFormat) == lowered)
    }

    @Test func detectionIsLinear() {
        #expect(QueryText.detect(String(repeating: "'\\", count: Self.many)) == .words)
        #expect(QueryText.detect(String(repeating: "inrange ", count: Self.many)) == .words)
    }

    @Test func aRegularExpressionRunsUnderALimit() throws {
        let item = PredicateValue.string(String(repeating: "a", count: 60))
        #expect(answer("SELF MATCHES %@", ["(a+)+b"], of: item) == "error patternLimit")
        #expect(answer("SELF MATCHES %@", ["(a+)+"], of: item) == "true")
        #expect(answer("SELF MATCHES %@", ["(("], of: item) == "error badPattern")
        // On a fast machine, and with all the time there is, ICU gives up by itself.
        var patient = EvaluationContext.fixed
        patient.patternTimeLimit = .seconds(600)
        #expect(answer("SELF MATCHES %@", ["(a+)+b"], of: item, patient) == "error patternLimit")
        #expect(answer("SELF MATCHES %@", ["(a)(?:\\1)*|b()c"], of: item, patient) == "true")
        #expect(answer("SELF MATCHES %@", ["(?x) a+ # to the end"], of: item, patient) == "true")
        #expect(answer("SELF MATCHES %@", ["a|aa"], of: item, patient) == "false")
    }

    /// ICU gives up where it would need much memory, which is no answer.
    @Test func aRegularExpressionThatNeedsTooMuchIsAnError() {
        let long = PredicateValue.string(String(repeating: "a", count: 5_000_000))
        var patient = EvaluationContext.fixed
        patient.patternTimeLimit = .seconds(600)
        #expect(answer("SELF MATCHES %@", ["(.|\\n)*"], of: long, patient) == "error patternLimit")
        let short = PredicateValue.string(String(repeating: "a", count: 10_000))
        #expect(answer("SELF MATCHES %@", ["(.|\\n)*"], of: short, patient) == "true")
    }

    /// A pattern with many stars would take exponential time with plain recursion.
    @Test func likeIsFast() throws {
        let pattern = String(repeating: "*a", count: 200) + "b"
        let text = String(repeating: "a", count: 5000)
        #expect(answer("SELF LIKE %@", [.string(pattern)], of: .string(text)) == "false")
        #expect(answer("SELF LIKE[w] %@", [.string(pattern)], of: .string(text)) == "false")
    }
}
