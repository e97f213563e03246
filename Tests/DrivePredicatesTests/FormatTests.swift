import Testing

@testable import DrivePredicates

@Suite struct FormatTests {
    private func printed(_ format: String, _ arguments: [PredicateValue] = []) throws -> String {
        try MetadataPredicate(format: format, arguments: arguments).predicateFormat
    }

    @Test func andBindsTighterThanOrAndNotTighterThanBoth() throws {
        #expect(try printed("NOT a == 1 AND b == 2 OR c == 3") == "(NOT (a == 1) AND b == 2) OR c == 3")
        #expect(try printed("a == 1 || b == 2 && !c == 3") == "a == 1 OR (b == 2 AND NOT (c == 3))")
    }

    @Test func keywordsHaveNoCaseAndSynonymsAreOne() throws {
        #expect(
            try printed("not (some a =< 1) aNd b <> NULL or c => no") == "(NOT (ANY a <= 1) AND b != nil) OR c >= NO")
        #expect(try printed("a uti-conforms-to[c] b") == "a UTI-CONFORMS-TO[c] b")
        #expect(try printed("a==1&&b!=2||c<3") == "(a == 1 AND b != 2) OR c < 3")
    }

    /// Words behind a dot and outside brackets are keys, also where they mean something elsewhere.
    @Test func reservedWordsCanBeKeys() throws {
        #expect(try printed("size > 3 AND first == last") == "#size > 3 AND #first == #last")
        #expect(try printed("a.in.and == #in.or") == "a.#in.#and == #in.#or")
        #expect(try printed("%K == 1", ["in.size"]) == "#in.#size == 1")
        #expect(answer("size == 3", ["size": 3]) == "true")
        #expect(answer("#IN == 3", ["IN": 3]) == "true")
    }

    /// An unquoted word on the right is a key, as on Apple's platforms.
    @Test func unquotedWordsAreKeys() {
        #expect(answer("name == Bob", ["name": "Bob"]) == "false")
        #expect(answer("name == Bob", ["name": "x", "Bob": "x"]) == "true")
    }

    @Test func conversionsTakeTheirArguments() throws {
        let format = "a == %d AND b == %5.2f AND c == %s AND %K == %lld AND e == %lu AND f == %@"
        #expect(
            try printed(format, [1.9, 2, "x", "d.e", 5, 6, ["y", .null]])
                == "a == 1 AND b == 2.0 AND c == \"x\" AND d.e == 5 AND e == 6 AND f == {\"y\", nil}")
        #expect(try printed("%K.%K[%d] == %@", ["a", "b", 0, "%@ ' \""]) == "a.b[0] == \"%@ ' \\\"\"")
    }

    @Test func stringsAreReadAsWritten() {
        #expect(answer("SELF == 'it\\'s'", of: "it's") == "true")
        #expect(answer("SELF == \"a\\tb\"", of: "a\tb") == "true")
        #expect(answer("SELF == 'a\\\\b'", of: "a\\b") == "true")
        #expect(answer("SELF == 'a\\qb'", of: "a\\qb") == "true")
        #expect(answer("SELF == '$x %K'", of: "$x %K") == "true")
        #expect(answer("SELF == '\u{301}'", of: "\u{301}") == "true")
    }

    @Test func parenthesesHoldPredicatesOrValues() throws {
        #expect(try printed("((a)) == ((1 + 2)) AND ((b == 1))") == "a == 1 + 2 AND b == 1")
        #expect(try printed("((a == 1) AND (b == 2)) AND c == 3") == "(a == 1 AND b == 2) AND c == 3")
        #expect(try printed("(a).b == 1") == "(a).b == 1")
        #expect(try printed("(SELF.g)[0] == 2") == "g[0] == 2")
    }

    @Test func textsThatMeanOneThingToUnicodeAreOneTree() throws {
        #expect(try MetadataPredicate(format: "a == 'é'") == MetadataPredicate(format: "a == 'e\u{301}'"))
    }

    @Test func linesOfJSONAreAnswered() {
        #expect(
            EvaluationLine.answer(
                to:
                    #"{"format": "a > %@", "args": [{"$date": "2026-01-01T00:00:00Z"}], "object": {"a": {"$date": "2026-01-01T00:00:00.000000001Z"}}}"#
            ) == "true")
        #expect(EvaluationLine.answer(to: #"{"format": "SELF / 2 == 3.5", "object": 7.0}"#) == "true")
        #expect(EvaluationLine.answer(to: #"{"format": "SELF / 2 == 3", "object": 7}"#) == "true")
        #expect(EvaluationLine.answer(to: #"{"format": "SELF[1] == 'x\u00e9\n'", "object": [1, "xé\n"]}"#) == "true")
        #expect(EvaluationLine.answer(to: #"{"format": "\q"}"#).hasSuffix("a string is malformed"))
        #expect(
            EvaluationLine.answer(to: #"{"format": "a ==", "object": {}}"#)
                == "error: column 5: the query ends too early")
        #expect(
            EvaluationLine.answer(to: #"{"format": "a BETWEEN {1}", "object": {}}"#)
                == "error: BETWEEN needs two bounds, not 1")
        #expect(EvaluationLine.answer(to: "[1]") == "error: the line is no JSON object")
        #expect(EvaluationLine.answer(to: "{\"format\": 1}").hasPrefix("error:"))
        #expect(EvaluationLine.answer(to: String(repeating: "[", count: 100_000)) == "error: JSON, byte 201: too deep")
    }
}
