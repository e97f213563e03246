import Testing

@testable import DrivePredicates

@Suite struct WordsTests {
    private func printed(_ query: String, _ context: QueryContext = .fixed()) throws -> String {
        let predicate = try MetadataPredicate(words: query, context)
        #expect(try MetadataPredicate(format: predicate.predicateFormat) == predicate)
        return predicate.predicateFormat
    }

    private func either(_ word: String) -> String {
        "kMDItemFSName CONTAINS[cd] \"\(word)\" OR kMDItemTextContent CONTAINS[cd] \"\(word)\""
    }

    @Test func bareWordsAreInNameOrText() throws {
        #expect(try printed("budget") == either("budget"))
        #expect(try printed("budget plan") == "(\(either("budget"))) AND (\(either("plan")))")
        #expect(try printed("\"exact phrase\"") == either("exact phrase"))
        #expect(try printed("-draft") == "NOT (\(either("draft")))")
        #expect(try printed("*.pdf") == "kMDItemFSName LIKE[cd] \"*.pdf\"")
        #expect(try printed("a - b") == "(\(either("a"))) AND (\(either("-"))) AND (\(either("b")))")
        #expect(try printed("plan(2)") == either("plan(2)"))
        #expect(try printed("what?") == either("what?"))
    }

    /// `|` joins its neighbours only.
    @Test func alternativesBindTighterThanSpace() throws {
        #expect(
            try printed("kind:pdf budget | plan")
                == "kMDItemKind ==[cd] \"pdf\" AND ((\(either("budget"))) OR (\(either("plan"))))")
        #expect(try printed("(ext:a ext:b) | -ext:c").hasSuffix("OR NOT (kDDItemExtension ==[cd] \"c\")"))
    }

    @Test(arguments: [
        ("name:report", "kMDItemFSName CONTAINS[cd] \"report\""),
        ("NAME:report", "kMDItemFSName CONTAINS[cd] \"report\""),
        ("name:\"my report\"", "kMDItemFSName CONTAINS[cd] \"my report\""),
        ("name:=a.txt", "kMDItemFSName ==[cd] \"a.txt\""),
        ("name:re*.pdf", "kMDItemFSName LIKE[cd] \"re*.pdf\""), ("name:\"*\"", "kMDItemFSName CONTAINS[cd] \"*\""),
        ("kMDItemFSName:x", "kMDItemFSName CONTAINS[cd] \"x\""), ("tag:work", "ANY _kMDItemUserTags ==[cd] \"work\""),
        ("tag:work,home", "ANY _kMDItemUserTags ==[cd] \"work\" OR ANY _kMDItemUserTags ==[cd] \"home\""),
        ("-tag:work", "NOT (ANY _kMDItemUserTags ==[cd] \"work\")"), ("tag:*", "ANY _kMDItemUserTags != nil"),
        ("kind:photos", "kMDItemKind ==[cd] \"image\""), ("author:zoe", "ANY kMDItemAuthors CONTAINS[cd] \"zoe\""),
        ("text:a,b", "kMDItemTextContent CONTAINS[cd] \"a,b\""), ("size:>10mb", "kMDItemFSSize > 10000000"),
        ("size:<=1.5kib", "kMDItemFSSize <= 1536"), ("size:1k..1m", "kMDItemFSSize BETWEEN {1000, 1000000}"),
        ("size:1k..", "kMDItemFSSize >= 1000"), ("size:..1k", "kMDItemFSSize <= 1000"),
        ("size:0", "kMDItemFSSize == 0"),
        ("pages:>10", "kMDItemNumberOfPages > 10"), ("pages:1.5..3", "kMDItemNumberOfPages BETWEEN {1.5, 3}"),
        ("latitude:-5", "kMDItemLatitude == -5"),
        ("conflict:yes", "NSMetadataUbiquitousItemHasUnresolvedConflictsKey == YES"),
        ("uploaded:no", "NSMetadataUbiquitousItemIsUploadedKey == NO"),
        ("sync:waiting", "kDDItemSyncState ==[cd] \"waiting\""), ("ext:pdf", "kDDItemExtension ==[cd] \"pdf\""),
        ("ext:.pdf", "kDDItemExtension ==[cd] \"pdf\""),
        ("ext:tar.gz", "kDDItemExtension ==[cd] \"gz\" AND kMDItemFSName ENDSWITH[cd] \".tar.gz\""),
        ("ext:.tar.g*", "kDDItemExtension LIKE[cd] \"g*\" AND kMDItemFSName LIKE[cd] \"*.tar.g*\""),
        ("kind:Évents", "kMDItemKind ==[cd] \"event\""), ("kind:im*", "kMDItemKind LIKE[cd] \"im*\""),
    ]) func keysNameAttributes(query: String, expected: String) throws {
        #expect(try printed(query) == expected)
    }

    /// A part of one is a part of others: `downloaded` of what is not, `downloading` of the name that all begin with.
    @Test func oneOfFewValuesIsMeantAsAWhole() throws {
        let key = "NSMetadataUbiquitousItemDownloadingStatus"
        let downloaded = "\(key)Key ==[cd] \"\(key)Downloaded\""
        for word in ["downloaded", "Downloaded", "=downloaded", "\"downloaded\"", "\(key)Downloaded"] {
            #expect(try printed("status:\(word)") == downloaded, "\(word)")
        }
        #expect(try printed("-status:downloaded") == "NOT (\(downloaded))")
        #expect(try printed("status:current,downloaded") == "\(key)Key ==[cd] \"\(key)Current\" OR \(downloaded)")
        #expect(try printed("conflictclass:Binary") == "kDDItemConflictClass ==[cd] \"binary\"")
        for word in ["downloading", "download", "ing", "item", key, "\"\""] {
            let message = wordsFault("status:\(word)")?.message ?? ""
            #expect(message.contains("status: is current, downloaded, notdownloaded"), "\(word): \(message)")
        }
        let item = PredicateValue.dictionary(["\(key)Key": .string("\(key)NotDownloaded")])
        for (query, expected) in [("status:downloaded", false), ("status:notdownloaded", true), ("status:not*", false)]
        {
            #expect(try MetadataPredicate(words: query, .fixed()).evaluate(item) == expected, "\(query)")
        }
    }

    private func dates(_ query: String, _ context: QueryContext = .fixed()) throws -> String {
        var text = try printed(query, context).replacing("kMDItemFSContentChangeDate ", with: "")
        while let cast = text.firstMatch(of: /CAST\((-?[0-9.]+), "NSDate"\)/) {
            text.replaceSubrange(cast.range, with: PredicateDate(decimal: String(cast.output.1))?.iso ?? "?")
        }
        return text
    }

    @Test(arguments: [
        ("modified:today", ">= 2026-03-15T00:00:00Z AND < 2026-03-16T00:00:00Z"),
        ("date:yesterday", ">= 2026-03-14T00:00:00Z AND < 2026-03-15T00:00:00Z"),
        ("modified:this-week", ">= 2026-03-09T00:00:00Z AND < 2026-03-16T00:00:00Z"),
        ("modified:lastmonth", ">= 2026-02-01T00:00:00Z AND < 2026-03-01T00:00:00Z"),
        ("modified:year", ">= 2026-01-01T00:00:00Z AND < 2027-01-01T00:00:00Z"),
        ("modified:<30d", "> 2026-02-13T12:00:00Z"),
        ("modified:30d", "> 2026-02-13T12:00:00Z"), ("modified:>1y", "< 2025-03-15T12:00:00Z"),
        ("modified:<=2h", ">= 2026-03-15T10:00:00Z"),
        ("modified:<1m", "> 2026-02-15T12:00:00Z"), ("modified:<90min", "> 2026-03-15T10:30:00Z"),
        ("modified:<2w", "> 2026-03-01T12:00:00Z"),
        ("modified:2026-01..2026-06", ">= 2026-01-01T00:00:00Z AND < 2026-07-01T00:00:00Z"),
        ("modified:2025", ">= 2025-01-01T00:00:00Z AND < 2026-01-01T00:00:00Z"),
        ("modified:2025-12", ">= 2025-12-01T00:00:00Z AND < 2026-01-01T00:00:00Z"),
        ("modified:2024-02-29", ">= 2024-02-29T00:00:00Z AND < 2024-03-01T00:00:00Z"),
        ("modified:>2026-01-15", ">= 2026-01-16T00:00:00Z"),
        ("modified:>=2026-01-15", ">= 2026-01-15T00:00:00Z"), ("modified:<2026-01-15", "< 2026-01-15T00:00:00Z"),
        ("modified:<=2026-01-15", "< 2026-01-16T00:00:00Z"), ("modified:2026-02..", ">= 2026-02-01T00:00:00Z"),
        ("modified:..2026-02", "< 2026-03-01T00:00:00Z"),
        ("modified:7d..30d", ">= 2026-02-13T12:00:00Z AND <= 2026-03-08T12:00:00Z"),
        ("modified:2026-02..2026-02", ">= 2026-02-01T00:00:00Z AND < 2026-03-01T00:00:00Z"),
        ("modified:30d..yesterday", ">= 2026-02-13T12:00:00Z AND < 2026-03-15T00:00:00Z"),
        ("modified:2026-01-15T10:30", ">= 2026-01-15T10:30:00Z AND < 2026-01-15T10:31:00Z"),
        ("modified:>today", ">= 2026-03-16T00:00:00Z"),
    ]) func timesBecomeSpans(query: String, expected: String) throws {
        #expect(try dates(query) == expected)
    }

    @Test(arguments: [
        ("", 1, "nothing"), ("   ", 4, "nothing"), ("foo:bar", 1, "no attribute foo"),
        ("a foo:bar", 3, "no attribute foo"), ("tag:", 5, "value is missing"),
        ("size:big", 6, "takes a size"), ("size:1..x", 6, "takes a size"), ("modified:soon", 10, "takes a time"),
        ("name:>a", 7, "no order"),
        ("conflict:maybe", 10, "yes or no"), ("(a", 3, ") is missing"), ("a)", 2, "no ( before"),
        ("\"a", 1, "closing quote"), ("a |", 4, "word is missing"),
        ("| a", 1, "word is missing"), ("()", 2, "nothing"), ("modified:2026-02-30", 10, "takes a time"),
        ("pages:..", 7, "takes a number"), ("pages:10..1", 7, "the smaller one first"),
        ("size:10k..1k", 6, "the smaller one first"), ("modified:2026-06..2026-01", 10, "takes a time"),
        ("modified:today..30d", 10, "takes a time"), ("modified:today..yesterday", 10, "takes a time"),
        ("tag:a,", 7, "value is missing"), ("kind:bogus", 6, "no kind bogus; kinds are application, archive"),
        ("-kind:pdf,\"\"", 11, "no kind"), ("kind:>pdf", 7, "no order"),
    ]) func errorsNameTheirColumn(query: String, column: Int, part: String) throws {
        let error = try #require(wordsFault(query), "\(query)")
        #expect(error.column == column, "\(error)")
        #expect(error.message.contains(part), "\(error)")
    }

    @Test func errorsSuggest() throws {
        #expect(try #require(wordsFault("modifed:today")).suggestion == "modified:")
        #expect(try #require(wordsFault("taggs:x")).suggestion == "tags:")
        #expect(try #require(wordsFault("kind:imgae")).suggestion == "kind:image")
        #expect(try #require(wordsFault("kind:bogus")).suggestion == nil)
    }

    /// A word that stands for a kind that nothing has would find nothing.
    @Test func everyKindHasItsWord() throws {
        #expect(KindWords.kinds.contains("event") && KindWords.kinds.contains("file"))
        #expect(try printed("kind:file") == "kMDItemKind !=[cd] \"folder\" AND kMDItemKind !=[cd] \"link\"")
        for kind in KindWords.kinds where kind != "file" {
            #expect(try printed("kind:\(kind)") == "kMDItemKind ==[cd] \"\(kind)\"")
        }
        for (word, kind) in KindWords.others { #expect(KindWords.kinds.contains(kind), "\(word)") }
    }

    @Test func wordsHold() throws {
        let item = PredicateValue.dictionary([
            "kMDItemFSName": "Résumé.pdf", "kMDItemTextContent": "The quick BROWN fox", "kMDItemFSSize": 20_000_000,
            "kMDItemKind": "pdf", "_kMDItemUserTags": ["Work"],
        ])
        for (query, expected) in [
            ("resume", true), ("brown fox", true), ("\"brown fox\"", true), ("\"fox brown\"", false),
            ("-draft kind:pdf", true),
            ("resume -fox", false), ("cat | fox", true), ("cat | dog", false), ("size:>10mb tag:work", true),
            ("tag:wor", false), ("esum", true),
        ] {
            #expect(try MetadataPredicate(words: query, .fixed()).evaluate(item) == expected, "\(query)")
        }
    }
}
