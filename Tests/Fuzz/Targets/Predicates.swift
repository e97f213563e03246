import Foundation

@testable import DrivePredicates

extension FuzzTarget {
    /// Predicate formats with two arguments.
    static let predicateFormats = FuzzTarget(
        name: "predicate-formats", run: Predicates.runFormat, seeds: { Predicates.texts(Predicates.formats) })
    /// Spotlight's raw queries.
    static let rawQueries = FuzzTarget(
        name: "raw-queries", run: Predicates.runRaw, seeds: { Predicates.texts(Predicates.raw) })
    /// Queries of words.
    static let wordQueries = FuzzTarget(
        name: "word-queries", run: Predicates.runWords, seeds: { Predicates.texts(Predicates.words) })
}

private enum Predicates {
    static let context = QueryContext(
        now: PredicateDate(seconds: 1_773_576_000, nanoseconds: 5), timeZone: .gmt, firstWeekday: 2)

    /// Arguments that need escaping or a cast when they are printed.
    private static let arguments: [PredicateValue] = [
        .dictionary(["a\"\\": [.real(.nan), .date(PredicateDate(seconds: -1, nanoseconds: 1))]]), .string("a.in"),
    ]

    static func runFormat(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = EvaluationLine.answer(to: text)
        for count in 0...arguments.count {
            let list = Array(arguments.prefix(count))
            guard let predicate = try? MetadataPredicate(format: text, arguments: list) else { continue }
            _ = try MetadataPredicate.lint(format: text, arguments: list)
            try check(predicate)
        }
    }

    static func runRaw(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = QueryText.detect(text)
        if let predicate = try? MetadataPredicate(raw: text, context) { try check(predicate) }
    }

    static func runWords(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        if let predicate = try? MetadataPredicate(words: text, context) { try check(predicate) }
    }

    /// What was read is printed as the same tree, and no item makes it trap.
    private static func check(_ predicate: MetadataPredicate) throws {
        let printed = predicate.predicateFormat
        // A short text may be a long one in full, and what is longer than a query may be is refused.
        guard printed.utf8.count <= PredicateLimits.length else { return }
        try require(try MetadataPredicate(format: printed) == predicate, "a predicate is printed as it was read")
        _ = predicate.unknownAttributes(in: .standard)
        guard printed.utf8.count < 4096 else { return }
        var evaluation = EvaluationContext(now: context.now)
        evaluation.patternTimeLimit = .milliseconds(5)
        _ = try? predicate.evaluate(item, evaluation)
    }

    private static let item: PredicateValue = .dictionary([
        "a": 1, "name": "Résumé.pdf", "tags": ["red", "blue"], "kMDItemFSName": "a b.txt",
        "kMDItemFSSize": .integer(.max),
        "kMDItemAuthors": ["Zoë"], "items": [.dictionary(["p": .integer(.min)])], "in": .real(.infinity),
    ])

    static func texts(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    static let formats = [
        "a == %@ AND NOT (%K BEGINSWITH[cd] 'x' OR name MATCHES '(a+)+\\\\d')",
        "ANY tags IN {'red', %@, -1.5e3, 0x1F, nil}",
        "SUBQUERY(items, $i, $i.p == 10 && $i.#size != $x).@count > 0",
        "TERNARY(a == 1, 'é', \"\\t\")[FIRST] LIKE[cw] '*\\*?'",
        "CAST(490594046.671135, 'NSDate') <= now() - 86400", "(a + -2) ** 3 / modulus:by:(7, ~b) BETWEEN {1, {2}}",
        "items.@distinctUnionOfObjects.p[LAST] UTI-CONFORMS-TO 'public.data'",
        "a == CAST({'k', CAST('AQI=', 'NSData')}, 'NSDictionary')",
        "{\"format\": \"a > %@\", \"args\": [{\"$date\": \"2026-01-01T00:00:00Z\"}], \"object\": {\"a\": [1, 2.5, true, null]}}",
        "#\"odd key\".b == -9223372036854775808 << 3 | 5", "a IN[n] b OR c <>[l] d AND e =< f",
    ]

    static let raw = [
        "kMDItemFSName == \"*.pdf\"cd && kMDItemFSSize > 1000", "InRange(kMDItemFSSize, 1, 1e6) || !(* == 'x\\*y'wc)",
        "kMDItemFSContentChangeDate >= $time.today(-7) && _kMDItemUserTags != R*",
        "a ==[cd] foo\\?* || b != $time.iso(2026-01-15T10:00:00.5+02:00)",
        "size>10 && name=*", "kMDItemAuthors != \"*\" && $time.now(-1)",
    ]

    static let words = [
        "kind:pdf modified:today size:>10mb tag:work,home -draft \"exact phrase\" budget | plan",
        "(a | -b) modified:2026-01..2026-06 pages:1..5",
        "created:<30d name:re*.pdf conflict:yes text:\"a\\\"b\" plan(2) *.txt", "modified:>=lastmonth size:1.5gib..",
        "http://x",
    ]
}
