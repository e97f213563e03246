import Testing

@testable import DrivePredicates

@Suite struct RawTests {
    private func printed(_ query: String, _ context: QueryContext = .fixed()) throws -> String {
        let predicate = try MetadataPredicate(raw: query, context)
        #expect(try MetadataPredicate(format: predicate.predicateFormat) == predicate)
        return predicate.predicateFormat
    }

    private static let item: PredicateValue = .dictionary([
        "kMDItemFSName": "Résumé 2026.pdf", "kMDItemFSSize": 1000, "kMDItemAuthors": ["Zoë", "Steve"],
        "kMDItemFSContentChangeDate": .date(utc("2026-03-14T10:00:00Z")), "kMDItemTextContent": "I love Paris",
        "kMDItemTitle": "a*b", "custom": ["x", "y"], "NSMetadataUbiquitousItemIsUploadedKey": true,
    ])

    @Test(arguments: [
        ("kMDItemFSName == \"*.pdf\"", true), ("kMDItemFSName == '*.PDF'c", true),
        ("kMDItemFSName == \"*.PDF\"", false),
        ("kMDItemFSName == resume*cd", false), ("kMDItemFSName == \"resume*\"cd", true),
        ("kMDItemFSName ==[cd] resume*", true),
        ("kMDItemFSName=*.pdf", true), ("kMDItemFSName != \"*.txt\"", true), ("kMDItemFSName != \"*.pdf\"", false),
        ("kMDItemSubject != 'x'", false), ("kMDItemSubject != '*x*'", false), ("!(kMDItemSubject == 'x')", true),
        ("kMDItemAuthors == 'Steve'", true), ("kMDItemAuthors == 'S*'", true), ("kMDItemAuthors != 'Steve'", true),
        ("kMDItemAuthors != 'S*'", true), ("kMDItemAuthors != '*e*'", true), ("kMDItemAuthors != '*'", false),
        ("kMDItemPublishers != 'x'", false), ("kMDItemPublishers != 'x*'", false), ("custom == y", true),
        ("custom != y", true),
        ("custom == 'z'", false), ("other != 'z'", false), ("kMDItemAuthors == *", true),
        ("kMDItemSubject == '*'", false),
        ("kMDItemFSSize > 999", true), ("kMDItemFSSize < \"1001\"", true),
        ("kMDItemFSSize >= 1000 && kMDItemFSSize <= 1e3", true),
        ("kMDItemFSSize != 5", true), ("kMDItemNumberOfPages != 5", false), ("kMDItemNumberOfPages < 5", false),
        ("InRange(kMDItemFSSize, 1, 1000)", true), ("InRange(kMDItemFSSize,1001,2000)", false),
        ("InRange(kMDItemFSContentChangeDate, $time.today(-1), $time.today)", true),
        ("kMDItemFSContentChangeDate >= $time.yesterday && kMDItemFSContentChangeDate < $time.today", true),
        ("kMDItemFSContentChangeDate > $time.now(-3600)", false), ("kMDItemFSContentChangeDate > 0", true),
        ("kMDItemFSContentChangeDate == $time.iso(2026-03-14T10:00:00Z)", true),
        ("kMDItemFSContentChangeDate > 2026-03-14", true),
        ("kMDItemTextContent == \"paris\"wc", true), ("kMDItemTextContent == \"pari\"wc", false),
        ("kMDItemTextContent == \"pari*\"[cw]", true), ("kMDItemTextContent = '*love*'", true),
        ("kMDItemTitle == 'a\\*b'", true),
        ("kMDItemTitle == 'a\\*c'", false), ("kMDItemTitle == 'a\\?b'", false), ("kMDItemTitle == a\\*b", true),
        ("* == '*Paris*'", true), ("* == 'Steve'", true), ("* == 1000", true), ("* == nothing", false),
        ("* > $time.yesterday", true), ("!(* == nothing)", true),
        ("kMDItemFSSize == 1 || kMDItemFSSize == 1000 && kMDItemTitle == a*", true),
        ("(kMDItemFSSize == 1 || kMDItemFSSize == 1000) && !(kMDItemTitle == b*)", true), ("name == *.pdf", true),
        ("size>1", true),
        ("NSMetadataUbiquitousItemIsUploadedKey == true", true), ("NSMetadataUbiquitousItemIsUploadedKey == 1", true),
        ("NSMetadataUbiquitousItemIsUploadedKey != yes", false), ("kMDItemFSName == 2026", false),
    ]) func rawQueriesHold(query: String, expected: Bool) throws {
        let predicate = try MetadataPredicate(raw: query, .fixed())
        #expect(try predicate.evaluate(Self.item, .fixed) == expected, "\(predicate)")
        #expect(try MetadataPredicate(format: predicate.predicateFormat) == predicate)
    }

    /// What no item has is not asked for: the command line refuses to ask it.
    @Test(arguments: ["* == '*Paris*'", "* == 1000", "* > 5", "* > $time.yesterday"])
    func anyAttributeIsOneThatItemsMayHave(query: String) throws {
        let predicate = try MetadataPredicate(raw: query, .fixed())
        #expect(predicate.unknownAttributes(in: .standard).isEmpty && predicate.attributeNames.count > 5)
    }

    @Test func rawIsLoweredToPlainPredicates() throws {
        #expect(try printed("kMDItemFSName == 'a*'cd") == "kMDItemFSName LIKE[cd] \"a*\"")
        #expect(try printed("kMDItemFSName == 'a'") == "kMDItemFSName == \"a\"")
        #expect(try printed("kMDItemFSName != 'a*'") == "kMDItemFSName != nil AND NOT (kMDItemFSName LIKE \"a*\")")
        #expect(try printed("_kMDItemUserTags == Red") == "ANY _kMDItemUserTags == \"Red\"")
        #expect(
            try printed("_kMDItemUserTags != R*")
                == "SUBQUERY(_kMDItemUserTags, $value, NOT ($value LIKE \"R*\")).@count > 0")
        #expect(try printed("kMDItemFSName == 'x'w") == "kMDItemFSName CONTAINS[w] \"x\"")
        #expect(try printed("a == 1 && b == 2 || c == 3") == "(ANY a == 1 AND ANY b == 2) OR ANY c == 3")
        #expect(try MetadataPredicate.lint(raw: "a == 1 || b == 2 && c == 3", .fixed()).map(\.column) == [8])
        #expect(try MetadataPredicate.lint(raw: "a == 1 || (b == 2 && c == 3)", .fixed()).isEmpty)
    }

    @Test(arguments: [
        ("kMDItemFSName", 14, "comparison"), ("kMDItemFSName ==", 17, "value is missing"),
        ("== 'x'", 1, "attribute is needed"),
        ("a == 'x", 6, "closing quote"), ("a == 'x'q", 9, "no modifier"), ("a == 1 b == 2", 8, "&& or ||"),
        ("(a == 1", 8, ") is missing"), ("a == 1)", 7, "&& or ||"), ("a == $time.foo", 6, "no $time.foo"),
        ("a == $x", 6, "$time."),
        ("a == $time.today(x)", 20, "whole number"), ("a == $time.today(999999999)", 6, "out of reach"),
        ("a == $time.this_year(-9223372036854775808)", 6, "out of reach"),
        ("a == $time.iso(2026-13-01)", 6, "a date as"), ("InRange(a, 1)", 13, ", is missing"),
        ("InRange(kMDItemFSName, a, b)", 9, "numbers and dates"), ("kMDItemFSName < 'b'", 15, "numbers and dates"),
        ("* != 'x'", 3, "every item"), ("kMDItemFSSize == 'big'", 15, "this kind"), ("", 1, "too early"),
        ("a == 1 &&", 10, "too early"),
    ]) func errorsNameTheirColumn(query: String, column: Int, part: String) throws {
        let error = try #require(rawFault(query), "\(query)")
        #expect(error.column == column, "\(error)")
        #expect(error.message.contains(part), "\(error)")
    }

    @Test func errorsSuggest() throws {
        #expect(try #require(rawFault("a == 1 AND b == 2")).suggestion == "&&")
        #expect(try #require(rawFault("a == $time.toady")).suggestion == "$time.today")
    }

    @Test(arguments: [
        ("kind:pdf budget", QueryText.words), ("kMDItemFSName == 'x'", .raw), ("InRange(a, 1, 2)", .raw),
        ("inrange (a,1,2)", .raw),
        ("size:>10mb", .words), ("size:>=10mb modified:<30d", .words), ("size > 10", .raw), ("\"a == b\"", .words),
        ("'a == b'", .words),
        ("don't stop", .words), ("don't a == 'x'", .raw), ("a=b", .raw), ("a != b", .raw), ("hello!", .words),
        ("-draft \"x=1\" plan", .words),
        ("InRange", .words), ("MyInRange(a)", .words), ("\"a\\\" == b\"", .words), ("", .words), ("a:b == c", .raw),
    ]) func detectionFollowsTheSigns(query: String, expected: QueryText) {
        #expect(QueryText.detect(query) == expected)
    }

    @Test func detectedQueriesAreRead() throws {
        #expect(try QueryText.predicate("size > 10", .fixed()).predicateFormat == "kMDItemFSSize > 10")
        #expect(try QueryText.predicate("size:>10", .fixed()).predicateFormat == "kMDItemFSSize > 10")
    }
}
