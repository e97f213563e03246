import Testing

@testable import DriveImporters
@testable import DriveImporting

/// What people write between two lines of dashes.
@Suite struct FrontMatterTests {
    private func read(_ lines: String) throws -> ImportedMetadata {
        try imported("---\n\(lines)\n---\n# The heading\n", named: "a.md")
    }

    private static let titles: [(written: String, title: String)] = [
        ("title: Real title # a comment", "Real title"),
        ("title: C# in depth", "C# in depth"),
        ("title: Part 1: the beginning", "Part 1: the beginning"),
        ("title: 'It''s mine' # a comment", "It's mine"),
        ("title: 'tis the season", "'tis the season"),
        ("title: \"Say \\\"yes\\\" # to \\u00E9\"", "Say \"yes\" # to é"),
        ("title: \"One\" and two", "\"One\" and two"),
        ("title: >\n  Folded\n  over lines\nother: x", "Folded over lines"),
        ("title: |- # kept\n  Literal # text\n  of two lines", "Literal # text of two lines"),
        ("title: A long one\n  that goes on", "A long one that goes on"),
        ("title:\n  On the next line", "On the next line"),
        ("title: > or less", "> or less"),
        ("title:", "The heading"),
        ("title:\n  main: Nothing that is known", "The heading"),
        ("# title: a comment\nother: x", "The heading"),
    ]

    @Test(arguments: titles.indices) func titlesAreReadAsYAML(index: Int) throws {
        let (written, title) = Self.titles[index]
        #expect(try read(written).string(.title) == title, "\(written)")
    }

    private static let authors: [(written: String, names: [String])] = [
        ("author: Ann One", ["Ann One"]),
        ("author: One, Ann", ["One, Ann"]),
        ("author: [Ann One, \"Bob, Two\"]", ["Ann One", "Bob, Two"]),
        ("author: [Ann O'Neil, 'Bob''s, Two'] # both", ["Ann O'Neil", "Bob's, Two"]),
        ("author:\n  - Ann One # first\n  # none\n  - 'Bob: Two'", ["Ann One", "Bob: Two"]),
        ("author:\n- Ann One\n- {name: Bob Two}", ["Ann One", "Bob Two"]),
        ("author:\n  name: Ann One\n  email: ann@example.org", ["Ann One"]),
        (
            "authors:\n  - email: ann@example.org\n    name: Ann One\n    of:\n      name: A house\n  - name: Bob",
            ["Ann One", "Bob"]
        ),
        ("authors: [{name: \"One, Ann\", email: a@b}, {name: Bob}]", ["One, Ann", "Bob"]),
        ("author: {name: Ann One}", ["Ann One"]),
        ("author: [Ann,\n  Bob,\n]", ["Ann", "Bob"]),
    ]

    @Test(arguments: authors.indices) func authorsAreReadAsYAML(index: Int) throws {
        let (written, names) = Self.authors[index]
        #expect(try read(written).strings(.authors) == names, "\(written)")
    }

    private static let keywords: [(written: String, words: [String])] = [
        ("tags: foo, bar # both", ["foo", "bar"]),
        ("tags: foo bar", ["foo bar"]),
        ("keywords: \"foo, bar\"", ["foo, bar"]),
        ("tags: [foo, 'a, b', \"c\"]", ["foo", "a, b", "c"]),
        ("tags:\n  - foo, bar\n  - baz", ["foo, bar", "baz"]),
    ]

    @Test(arguments: keywords.indices) func keywordsMayBePartedByCommas(index: Int) throws {
        let (written, words) = Self.keywords[index]
        #expect(try read(written).strings(.keywords) == words, "\(written)")
    }

    @Test func daysThatAMonthLacksAreNoDates() throws {
        #expect(try read("date: 2026-02-30").date(.contentCreationDate) == nil)
        #expect(try read("date: 2026-01-02T00:00:00Z # new").date(.contentCreationDate)?.seconds == 1_767_312_000)
        for (text, isDate) in [
            ("2026-02-29", false), ("2024-02-29", true), ("1900-02-29", false), ("2000-02-29", true),
            ("2026-04-31", false), ("2026-12-31", true), ("2026-01-00", false),
        ] {
            #expect((DateText.parse(text) != nil) == isDate, "\(text)")
        }
    }

    /// Whatever it is, it ends.
    @Test(arguments: [
        "title: [", "title: \"", "title: '", "title: {a", "-\n- x", "author: [[[", "tags: [,,]", "author:\n  -", ":",
        ": x",
    ])
    func whatIsNoYAMLIsReadAllTheSame(written: String) throws {
        #expect(try read(written).text?.hasPrefix("---\n") == true)
    }
}
