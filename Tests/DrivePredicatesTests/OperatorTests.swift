import Testing

@testable import DrivePredicates

@Suite struct OperatorTests {
    static let object: [String: PredicateValue] = [
        "a": 1, "r": 2.5, "s": "Résumé.pdf", "f": true, "tags": ["red", "blue"], "empty": [],
        "h": .dictionary(["x": 1, "y": "z"]), "d": .date(utc("2026-01-15T10:00:00Z")),
        "items": [.dictionary(["p": 10, "n": "a"]), .dictionary(["p": 20, "n": "b"]), .dictionary(["n": "c"])],
        "nested": [[1, 2], [2, 3]], "big": .integer(.max), "null": .null,
    ]

    /// What `==` holds between, asked without a predicate.
    @Test func equalityCanBeAskedForByItself() {
        #expect(PredicateValue.integer(1).isEqual(to: .real(1)))
        #expect(!PredicateValue.string("Résumé").isEqual(to: "resume"))
        let folding: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
        #expect(PredicateValue.string("Résumé").isEqual(to: "resume", options: folding))
        #expect(PredicateValue.null.isEqual(to: .null))
        #expect(!PredicateValue.null.isEqual(to: 1))
    }

    /// nil on either side of every operator.
    @Test(arguments: [
        ("missing == nil", "true"), ("missing != nil", "false"), ("missing == 1", "false"), ("missing != 1", "true"),
        ("1 == missing", "false"), ("missing < 1", "false"), ("missing <= 1", "false"), ("1 < missing", "false"),
        ("missing < nil", "false"), ("missing <= nil", "true"), ("missing >= missing", "true"),
        ("missing > missing", "false"), ("missing BETWEEN {1, 2}", "false"), ("1 BETWEEN {missing, 2}", "false"),
        ("missing IN {1}", "false"), ("missing IN {nil}", "true"), ("1 IN missing", "false"),
        ("'a' IN missing", "false"),
        ("missing CONTAINS 'a'", "false"), ("s CONTAINS missing", "false"), ("tags CONTAINS missing", "false"),
        ("missing BEGINSWITH 'a'", "false"), ("s BEGINSWITH missing", "false"), ("missing ENDSWITH 'a'", "false"),
        ("missing LIKE '*'", "false"), ("s LIKE missing", "false"), ("missing MATCHES '.*'", "false"),
        ("s MATCHES missing", "false"), ("missing UTI-CONFORMS-TO 'public.item'", "false"),
        ("'public.text' UTI-EQUALS missing", "false"), ("NOT missing BEGINSWITH 'a'", "true"),
        ("ANY missing == 1", "false"), ("ALL missing == 1", "true"), ("NONE missing == 1", "true"),
        ("ANY empty == 1", "false"), ("SOME missing == nil", "false"), ("null == nil", "true"),
        ("missing[0] == nil", "true"), ("missing.@count == nil", "true"), ("missing + 1 == nil", "true"),
        ("-(missing) == nil", "true"), ("CAST(missing, 'NSDate') == nil", "true"), ("tags[missing] == nil", "true"),
        ("SUBQUERY(missing, $x, TRUEPREDICATE).@count == 0", "true"), ("TERNARY(missing == 1, 1, 2) == 2", "true"),
    ]) func nilIsNeverAnErrorByItself(format: String, expected: String) {
        #expect(answer(format, Self.object) == expected)
    }

    @Test(arguments: [
        "a BETWEEN {1}", "a BETWEEN {1, 2, 3}", "a BETWEEN 5", "a BETWEEN missing", "s < 5", "5 < s", "d < 5",
        "tags < 'a'", "a BEGINSWITH 'x'",
        "tags LIKE 'r*'", "s LIKE 5", "s MATCHES 5", "a CONTAINS 1", "s CONTAINS 5", "5 IN s", "1 IN 5", "s + 1 == 2",
        "-(s) == 1", "s[0] == 'R'", "h[0] == 1", "tags['x'] == 1", "s.@count == 1", "tags.@sum.self == 1",
        "sum(tags) == 1", "sqrt(s) == 1", "uppercase(a) == 'A'", "a & 1.5 == 1", "a UTI-CONFORMS-TO 'public.item'",
        "CAST(tags, 'NSDate') == 1", "length(a) == 1", "random(0) == 1", "max({1, 'a'}) == 1",
        "distanceToLocation:fromLocation:(a, a) == 0", "onesComplement(1.5) == 1",
    ]) func whatRaisesOnAppleIsAnError(format: String) {
        #expect(answer(format, Self.object) == "error wrongKind")
    }

    @Test func unboundVariablesAreErrors() {
        #expect(answer("$x == 1") == "error unboundVariable")
        var context = EvaluationContext.fixed
        context.variables = ["x": 1]
        #expect(answer("$x == 1", of: .null, context) == "true")
        #expect(answer("SUBQUERY({5, 6}, $x, $x == 5).@count == $x", of: .null, context) == "true")
    }

    @Test(arguments: [
        ("big == 9223372036854775807", "true"), ("big == 9223372036854775808", "false"),
        ("big == 9223372036854775807.0", "false"), ("9007199254740993 == 9007199254740992.0", "false"),
        ("9007199254740993 > 9007199254740992.0", "true"), ("f == 1", "true"), ("f == 1.0", "true"), ("f > 0", "true"),
        ("a == '1'", "false"), ("1 == 1.0", "true"), ("a == TRUE", "true"), ("r BETWEEN {2, 3}", "true"),
        ("1.5 > 1", "true"), ("-1.5 < -1", "true"), ("d == 5", "false"), ("{1, 2} == {1.0, 2}", "true"),
        ("{1, 2} == {2, 1}", "false"), ("h == h", "true"), ("sqrt(-1) == sqrt(-1)", "false"),
        ("sqrt(-1) != 1", "true"), ("sqrt(-1) <= 1", "false"), ("CAST('inf', 'NSNumber') > 1e308", "true"),
    ]) func valuesCompareByWhatTheyAre(format: String, expected: String) {
        #expect(answer(format, Self.object) == expected)
    }

    @Test(arguments: [
        ("s ==[cd] 'RESUME.PDF'", "true"), ("s ==[c] 'RÉSUMÉ.PDF'", "true"), ("s ==[d] 'Resume.pdf'", "true"),
        ("s == 'Re\u{301}sume\u{301}.pdf'", "true"), ("s ==[n] 'Re\u{301}sume\u{301}.pdf'", "false"),
        ("s ==[ncd] 'resume.pdf'", "false"), ("s BEGINSWITH[cd] 'RES'", "true"), ("s ENDSWITH[c] '.PDF'", "true"),
        ("s CONTAINS[d] 'sume.'", "true"), ("s CONTAINS 'SUM'", "false"), ("'straße' ==[c] 'STRASSE'", "true"),
        ("'Å' ==[cd] 'a'", "true"), ("'a' <[c] 'B'", "true"), ("'a' < 'B'", "false"), ("'é' <[l] 'f'", "true"),
        ("'é' < 'f'", "false"), ("'b' >[cl] 'A'", "true"), ("s LIKE[cd] 'r?sum?.*'", "true"),
        ("'a*b' LIKE 'a\\*b'", "true"),
        ("'axb' LIKE 'a\\*b'", "false"), ("'' LIKE ''", "true"), ("'' LIKE '*'", "true"), ("'a' LIKE ''", "false"),
        ("'' LIKE '?'", "false"), ("'日本' LIKE '??'", "true"), ("'a\nb' LIKE 'a*b'", "true"),
        ("'a' LIKE '**a**'", "true"),
        ("'e\u{301}' LIKE '?'", "true"), ("'ab' MATCHES 'a|ab'", "true"), ("'abc' MATCHES 'a|ab'", "false"),
        ("'a)b' MATCHES '\\Qa)b'", "true"), ("'a' MATCHES '(?x) a # rest'", "true"), ("'É' MATCHES[cd] 'e'", "true"),
        ("'a' MATCHES ''", "false"), ("'' MATCHES ''", "true"), ("'a1' MATCHES '\\w\\d'", "true"),
        ("'a1' MATCHES '\\\\w\\\\d'", "true"), ("'A' IN[c] {'a'}", "true"), ("'A' IN[c] tags", "false"),
        ("'RED' IN[c] tags", "true"), ("tags CONTAINS[c] 'RED'", "true"), ("'é' IN[cd] {1, 'E'}", "true"),
        ("s UTI-EQUALS s", "true"), ("'com.adobe.pdf' UTI-CONFORMS-TO 'public.data'", "true"),
        ("'com.adobe.pdf' UTI-CONFORMS-TO 'PUBLIC.item'", "true"),
        ("'public.png' UTI-CONFORMS-TO 'public.text'", "false"),
        ("'x.y' UTI-CONFORMS-TO 'X.Y'", "true"), ("'public.PNG' UTI-EQUALS 'public.png'", "true"),
    ]) func textIsComparedAsTheOptionsSay(format: String, expected: String) {
        #expect(answer(format, Self.object) == expected)
    }

    @Test(arguments: [
        ("'I love Paris' CONTAINS[cw] 'paris'", "true"), ("'paris-france.jpg' CONTAINS[cw] 'Paris'", "true"),
        ("'Comparison' CONTAINS[cw] 'Paris'", "false"), ("'FileWindow' CONTAINS[w] 'Window'", "true"),
        ("'Filewindow' CONTAINS[w] 'window'", "false"), ("'parisian' LIKE[w] 'paris*'", "true"),
        ("'the parisian way' LIKE[w] 'paris*'", "true"), ("'comparis' LIKE[w] 'paris*'", "false"),
        ("'Paris, Texas' BEGINSWITH[w] 'Paris'", "true"), ("'Parisian' BEGINSWITH[w] 'Paris'", "false"),
        ("'my draft' ENDSWITH[w] 'draft'", "true"), ("'mydraft' ENDSWITH[w] 'draft'", "false"),
        ("'über alles' CONTAINS[cdw] 'UBER'", "true"), ("'日本語' CONTAINS[w] '本'", "true"),
        ("'a.b' CONTAINS[w] '.'", "true"), ("'x1' CONTAINS[w] 'x'", "false"),
    ]) func wordsBeginAndEndWhereTheyDo(format: String, expected: String) {
        #expect(answer(format, Self.object) == expected)
    }

    @Test(arguments: [
        ("ANY tags == 'red'", "true"), ("ALL tags == 'red'", "false"), ("NONE tags == 'green'", "true"),
        ("ANY a == 1", "true"), ("ANY {1, 2} == 2", "true"), ("ANY items.p == 20", "true"),
        ("ALL items.n != 'z'", "true"),
        ("ANY items.p == nil", "true"), ("items.@count == 3", "true"), ("items.@sum.p == 30", "true"),
        ("items.@avg.p == 10", "true"), ("items.@max.p == 20", "true"), ("items.@min.p == 10", "true"),
        ("items.@unionOfObjects.p.@count == 2", "syntax error"), ("(items.@unionOfObjects.p).@count == 2", "true"),
        ("(nested.@unionOfArrays.self).@count == 4", "true"),
        ("(nested.@distinctUnionOfArrays.self).@count == 3", "true"),
        ("(items.@distinctUnionOfObjects.n) == {'a', 'b', 'c'}", "true"), ("empty.@sum.self == 0", "true"),
        ("empty.@max.self == nil", "true"), ("empty.@avg.self == 0", "true"), ("tags[FIRST] == 'red'", "true"),
        ("tags[LAST] == 'blue'", "true"), ("tags[SIZE] == 2", "true"), ("tags[size] == 2", "true"),
        ("tags[1] == 'blue'", "true"),
        ("tags[2] == nil", "true"), ("tags[-1] == nil", "true"), ("h['x'] == 1", "true"), ("h[SIZE] == 2", "true"),
        ("h['none'] == nil", "true"), ("'z' IN h", "true"), ("h CONTAINS 1", "true"), ("s.length == 10", "true"),
        ("s.pathExtension == 'pdf'", "true"), ("SELF.a == a", "true"), ("SELF.self.a == 1", "true"),
        ("ANY tags.length > 3", "true"), ("SUBQUERY(items, $i, $i.p == 10 AND $i.n == 'a').@count == 1", "true"),
        ("SUBQUERY(tags, $t, $t BEGINSWITH 'r')[0] == 'red'", "true"),
        ("SUBQUERY(items, $i, $i.p == a).@count == 0", "true"),
        ("ANY SUBQUERY(items, $i, $i.p > 10).n == 'b'", "true"), ("TERNARY(a == 1, 'x', 'y') == 'x'", "true"),
    ]) func collectionsAreGoneOver(format: String, expected: String) {
        #expect(answer(format, Self.object) == expected)
    }

    @Test func selfMayBeAnything() {
        #expect(answer("SELF > 3", of: 5) == "true")
        #expect(answer("SELF[SIZE] == 2 AND SELF CONTAINS 'x'", of: ["x", "y"]) == "true")
        #expect(answer("@count == 2", of: ["x", "y"]) == "true")
        #expect(answer("length == 3", of: "abc") == "true")
        #expect(answer("ANY p == 2", of: [.dictionary(["p": 1]), .dictionary(["p": 2])]) == "true")
    }
}
