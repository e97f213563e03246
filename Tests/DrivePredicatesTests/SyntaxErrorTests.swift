import Testing

@testable import DrivePredicates

@Suite struct SyntaxErrorTests {
    @Test(arguments: [
        ("name", 5, "operator is missing"), ("name BEGINWITH 'a'", 6, "operator is needed"), ("", 1, "too early"),
        ("a == ", 6, "too early"), ("a == 1 AND", 11, "too early"), ("(a == 1", 8, ") is missing"),
        ("a == 1)", 7, "cannot stand here"), ("a == 'x", 6, "no closing quote"), ("a ==[x] 'b'", 6, "no option"),
        ("a ==[cx] 'b'", 7, "no option"), ("a == 1 == 2", 8, "follow one another"), ("é == ü ==", 8, "follow"),
        ("a.@foo == 1", 3, "no collection operator"), ("a.@sum.@count == 1", 8, "parentheses"),
        ("foo(a) == 1", 1, "no function"), ("FUNCTION(a, 'b') == 1", 1, "not supported"),
        ("FETCH == 1", 1, "not supported"), ("ANYKEY == 1", 1, "not supported"), ("CI == 1", 1, "not supported"),
        ("$a := 1", 4, "assignment"), ("CAST(a, 'Foo') == 1", 9, "CAST makes"), ("a == %q", 6, "letter"),
        ("a == 1.5.3", 6, "no number"), ("a == 1 .5", 8, "cannot stand"), ("a == 12ab", 6, "no number"),
        ("a ? b", 3, "no meaning"),
        ("a NOT IN b", 3, "before a whole"), ("ANY a", 6, "an operator is missing"), ("a IN {1, 2", 11, "} is missing"),
        ("SUBQUERY(a, x, TRUEPREDICATE).@count == 1", 13, "variable"), ("1 + (a == 2) == 3", 5, "value is needed"),
        ("NOT a + 1", 10, "operator is missing"), ("sum() == 1", 1, "0 arguments"), ("a == 0xZZ", 6, "no number"),
        ("a ==[w] 'b'", 6, "option w"), ("a == 1 b == 2", 8, "cannot stand"), ("a == 5%%", 7, "percent"),
        ("a == “b”", 6, "no meaning"), ("1e999 == a", 1, "no number"), ("a[] == 1", 3, "cannot stand"),
        ("{1,} == a", 4, "cannot stand"), ("a..b == 1", 3, "key is missing"),
    ]) func errorsNameTheirColumn(format: String, column: Int, part: String) throws {
        let error = try #require(fault(format), "\(format)")
        #expect(error.column == column, "\(error)")
        #expect(error.message.contains(part), "\(error)")
    }

    @Test(arguments: [
        ("name BEGINWITH 'a'", "BEGINSWITH"), ("name CONTANS 'a'", "CONTAINS"), ("a == 1 ADN b == 2", "AND"),
        ("lenght(a) == 1", "length"), ("a.@cuont == 1", "@count"), ("flag", "flag == YES"), ("a UTI-EQUAL 'b'", nil),
        ("CI == 1", "#CI, if it is an attribute"), ("a ZZZZ b", nil),
    ]) func errorsSuggest(format: String, suggestion: String?) throws {
        #expect(try #require(fault(format)).suggestion == suggestion)
    }

    @Test func theDescriptionShowsTheColumnUnderTheText() throws {
        let error = try #require(fault("name BEGINWITH 'a'"))
        #expect(
            error.description == """
                column 6: an operator is needed here
                  name BEGINWITH 'a'
                       ^
                Did you mean BEGINSWITH?
                """)
    }

    @Test func theCaretStaysUnderTheColumnOfATextThatIsShownOtherwise() throws {
        let error = try #require(fault("'\u{1B}' == name BEGINWITH 'a'"))
        let lines = error.text { $0.map { $0 == "\u{1B}" ? "\\x1b" : String($0) }.joined() }.split(separator: "\n")
        #expect(lines.count == 4, "\(lines)")
        #expect(lines[1] == "  '\\x1b' == name BEGINWITH 'a'")
        #expect(lines[1].dropFirst(lines[2].count - 1).hasPrefix("BEGINWITH"), "\(lines)")
    }

    @Test func longTextIsCutAroundTheColumn() throws {
        let format =
            String(repeating: "a == 1 OR ", count: 100) + "b BEGINWITH 'x'"
            + String(repeating: " OR a == 1", count: 100)
        let error = try #require(fault(format))
        let lines = error.description.split(separator: "\n")
        #expect(error.column == 1003)
        #expect(lines[1].hasPrefix("  …") && lines[1].hasSuffix("…") && lines[1].count < 130)
        #expect(lines[2].hasSuffix("^"))
        #expect(lines[1].dropFirst(lines[2].count - 1).hasPrefix("BEGINWITH"))
    }

    @Test func argumentsAreCounted() throws {
        #expect(try #require(fault("a == %@ AND b == %d", [1])).column == 18)
        #expect(try #require(fault("a == %@", [1, 2])).message == "there are 2 arguments for 1 placeholders")
        #expect(fault("a == %@", [1]) == nil)
        #expect(try #require(fault("a == %d", ["x"])).message.contains("takes a number"))
        #expect(try #require(fault("%K == 1", [5])).message.contains("key path"))
        #expect(try #require(fault("%K == 1", ["a..b"])).message.contains("no key path"))
        #expect(try #require(fault("%K == 1", ["a.@sum.@count"])).message.contains("no key path"))
    }

    /// What stands in quotes is text; a case of GNUstep has an argument for it all the same.
    @Test func placeholdersInQuotesAreText() throws {
        #expect(answer("SELF == '%@'", ["x"], of: "%@") == "true")
        let warnings = try MetadataPredicate.lint(format: "SELF == '%@'", arguments: ["x"])
        #expect(warnings.map(\.column) == [9])
    }

    @Test(arguments: [
        ("a == 1 OR b == 2 AND c == 3", [8]), ("a == 1 AND b == 2 OR c == 3", [19]),
        ("(a == 1 AND b == 2) OR c == 3", []),
        ("a == 1 OR (b == 2 AND c == 3)", []), ("a == 1 AND b == 2 AND c == 3", []),
        ("NOT (a == 1 OR b == 2 && c == 3)", [13]),
    ]) func mixedChainsAreWarnedOf(format: String, columns: [Int]) throws {
        #expect(try MetadataPredicate.lint(format: format).map(\.column) == columns)
    }

    @Test func unknownAttributesAreNamedWithTheNearest() throws {
        let predicate = try MetadataPredicate(
            format:
                "kMDItemFSNam == 'a' AND size > 3 AND kMDItemPath.lastPathComponent == 'b' AND SUBQUERY(_kMDItemUserTags, $t, $t.x == xyzzy).@count > 0"
        )
        let unknown = predicate.unknownAttributes(in: .standard)
        #expect(unknown.map(\.name) == ["kMDItemFSNam", "size", "xyzzy"])
        #expect(unknown[0].suggestions.first == "kMDItemFSName")
        #expect(unknown[1].suggestions == ["kMDItemFSSize"])
        #expect(unknown[2].suggestions.isEmpty)
        #expect(unknown[0].description.contains("did you mean kMDItemFSName"))
    }
}
