import Testing

@testable import DrivePredicates

@Suite struct FoldingTests {
    private static let texts = [
        "ASCII only", "É", "e\u{301}", "Straße", "İstanbul", "ﬁle", "Ångström", "ñandú", "か\u{3099}", "각", "Ω", "ς",
        "Đỗ", "don’t", "Donau\u{AD}dampf", "e\u{AD}\u{301}", "\u{2060}", "\u{1E9B}\u{323}", "👩‍👧", "",
    ]

    @Test(arguments: texts) func foldingTwiceIsFoldingOnce(text: String) {
        for rawValue in UInt8(0)..<4 {
            let options = ComparisonOptions(rawValue: rawValue)
            let once = TextFolding.folded(text, options)
            #expect(Array(TextFolding.folded(once, options).utf8) == Array(once.utf8))
        }
    }

    /// What typesetting puts into words is nothing where marks are nothing, and what it is where they are something.
    @Test(arguments: ["\u{AD}", "\u{200B}", "\u{2060}", "\u{FEFF}"])
    func signsThatNobodySeesAreInNoWord(sign: String) {
        let object: [String: PredicateValue] = ["a": .string("Die \(sign)Donau\(sign)dampf\(sign), é")]
        for format in [
            "a CONTAINS[cd] 'donaudampf'", "a CONTAINS[cdw] 'donaudampf'", "a LIKE[cdw] 'donau*'",
            "a ==[cd] 'die donaudampf, e'", "a BEGINSWITH[d] 'Die Donaud'", "a MATCHES[cd] '.*donaudampf.*'",
            "a CONTAINS[d] 'Donau\(sign)d'", "a CONTAINS 'Donau\(sign)d'",
            "'donaudampf' IN tokenize:using:(a, 'cd')",
        ] {
            #expect(answer(format, object) == "true", "\(format)")
        }
        for format in [
            "a CONTAINS 'Donaudampf'", "a CONTAINS[c] 'donaudampf'", "a CONTAINS[n] 'Donaudampf'",
            "a CONTAINS[cdw] 'donau'", "a == 'Die Donaudampf, é'",
        ] {
            #expect(answer(format, object) == "false", "\(format)")
        }
    }

    @Test func signsAreWhatKeyboardsHave() {
        let object: [String: PredicateValue] = ["a": .string("Ada’s x\u{2010}ray, e\u{2011}mail – ‘é’")]
        for format in [
            "a CONTAINS[cd] \"ada's\"", "a CONTAINS[cd] 'ada’s'", "a CONTAINS[cd] 'x-ray'",
            "a CONTAINS[cdw] 'e-mail'", "a CONTAINS 'Ada’s'", "a CONTAINS[cd] 'mail – ‘e'",
        ] {
            #expect(answer(format, object) == "true", "\(format)")
        }
        for format in ["a CONTAINS \"Ada's\"", "a CONTAINS[c] 'x-ray'", "a CONTAINS[cd] 'mail - '"] {
            #expect(answer(format, object) == "false", "\(format)")
        }
    }

    /// Within brackets a hyphen that was typed as that says "all in between".
    @Test func hyphensOfPatternsAreNoRanges() {
        let object: [String: PredicateValue] = ["a": .string("x\u{2010}z"), "b": .string("y")]
        for option in ["", "[d]", "[cd]"] {
            #expect(answer("a MATCHES\(option) '[x\u{2010}z]+'", object) == "true", "\(option)")
            #expect(answer("b MATCHES\(option) '[x\u{2011}z]+'", object) == "false", "\(option)")
            #expect(answer("a MATCHES\(option) '.*[+\u{2010}*].*'", object) == "true", "\(option)")
        }
    }

    /// The table says what Foundation says, for each code point of it and for any two side by side.
    @Test func theTableFoldsAsFoundationDoes() {
        let ranges: [ClosedRange<UInt32>] = [
            0x0...0x52F, 0x4E00...0x4E80, 0x9F80...0x9FFF, 0xAC00...0xAC80, 0xD700...0xD7A3, 0x2010...0x2027,
            0x2030...0x205E, 0x1F300...0x1F6FF, 0x1F900...0x1FAFF,
        ]
        let scalars = ranges.flatMap { $0.compactMap(Unicode.Scalar.init) }
        var seeded = Seeded(5)
        for rawValue in UInt8(0)..<4 {
            let options = ComparisonOptions(rawValue: rawValue)
            for scalar in scalars {
                let text = String(String.UnicodeScalarView([scalar, seeded.pick(scalars)]))
                guard let folded = FoldingTable.table(options).folded(text) else { continue }
                #expect(Array(folded.utf8) == Array(TextFolding.slowlyFolded(text, options).utf8), "\(scalar.value)")
            }
        }
        #expect(FoldingTable.table(.caseInsensitive).folded("É日") == "é日")
        #expect(FoldingTable.table([]).folded("e\u{301}") == nil)
    }

    /// The fast way for ASCII says what the slow way says.
    @Test func asciiIsFoldedLikeAnythingElse() {
        var seeded = Seeded(7)
        for _ in 0..<2000 {
            // Signs that lie beside letters as small letters lie beside capitals are none.
            let letters = Array("aAbB.zZ@`[{")
            let text = String((0..<seeded.below(40)).map { _ in seeded.pick(letters) })
            let wanted = String((0..<seeded.below(4)).map { _ in seeded.pick(letters) })
            for options in [
                ComparisonOptions(), .caseInsensitive, [.caseInsensitive, .diacriticInsensitive], .normalized,
            ] {
                let pattern = TextPattern(wanted, options)
                let isFolded = options.contains(.caseInsensitive)
                let (text2, wanted2) = isFolded ? (text.lowercased(), wanted.lowercased()) : (text, wanted)
                #expect(pattern.equals(text) == (text2 == wanted2))
                #expect(pattern.begins(text) == text2.hasPrefix(wanted2))
                #expect(pattern.ends(text) == text2.hasSuffix(wanted2))
                #expect(pattern.isContained(in: text) == (wanted2.isEmpty || text2.contains(wanted2)))
                // A letter outside ASCII, wherever it stands, takes the same text the slow way.
                #expect(pattern.isContained(in: text + "日") == pattern.isContained(in: text))
                #expect(pattern.isContained(in: "日" + text) == pattern.isContained(in: text))
                #expect(pattern.begins(text + "日") == pattern.begins(text))
            }
        }
    }

    @Test func wordsOfASCIIBreakLikeAnyOthers() {
        var seeded = Seeded(13)
        for _ in 0..<2000 {
            let text = String((0..<seeded.below(8)).map { _ in seeded.pick(Array("aA1. _")) })
            let fast = WordBreaks.words(text, .caseInsensitive)
            let slow = WordBreaks.words(text + "é", .caseInsensitive)
            #expect(fast.scalars == slow.scalars.dropLast())
            #expect(fast.isBreak.dropLast() == slow.isBreak.dropLast(2), "\(text)")
        }
    }

    /// Against the definition, by recursion.
    @Test func likeMatchesAsDefined() {
        func matches(_ pattern: Substring, _ text: Substring) -> Bool {
            guard let first = pattern.first else { return text.isEmpty }
            if first == "*" {
                return matches(pattern.dropFirst(), text) || (!text.isEmpty && matches(pattern, text.dropFirst()))
            }
            return !text.isEmpty && (first == "?" || first == text.first)
                && matches(pattern.dropFirst(), text.dropFirst())
        }
        var seeded = Seeded(11)
        for _ in 0..<20_000 {
            let text = String((0..<seeded.below(8)).map { _ in seeded.pick(Array("abé")) })
            let pattern = String((0..<seeded.below(6)).map { _ in seeded.pick(Array("abé*?")) })
            #expect(LikePattern(pattern, []).matches(text) == matches(pattern[...], text[...]), "\(pattern) \(text)")
        }
    }

    @Test func escapingMakesAPatternOfItselfAlone() {
        let patterns = ["a\\*b": "a*b", "\\?": "?", "\\\\": "\\", "\\\\\\*": "\\*", "plain": "plain"]
        for (pattern, text) in patterns {
            #expect(LikePattern(pattern, []).matches(text))
            #expect(!LikePattern(pattern, []).matches("x" + text))
        }
    }

    /// Long texts are folded in pieces, which has to be the same.
    @Test func piecesFoldAsTheWhole() {
        let words = [
            "plain", "É", "e\u{301}", "\u{301}", "€", "ΣΑΣ", "ﬁ", "가", "\u{1100}\u{1161}", "日本", "İ", "→", "=\u{338}",
            "",
            "ß", "\u{345}", "\u{200D}", "q\u{307}\u{323}", "\n", "\u{A0}",
        ]
        var state: UInt64 = 1
        for _ in 0..<400 {
            var text = ""
            while text.utf8.count < 300 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += words[Int(state >> 33) % words.count] + (state >> 60 < 9 ? " " : "")
            }
            for options in [[.caseInsensitive, .diacriticInsensitive], .caseInsensitive, []] as [ComparisonOptions] {
                #expect(
                    Array(TextFolding.folded(text, options).utf8)
                        == Array(TextFolding.slowlyFolded(text, options).utf8))
            }
        }
    }

    /// More than any writing has, in an order that is not theirs: 30 are put in order at a time, and the letter takes its own.
    @Test func marksWithoutEndArePutInOrderInParts() throws {
        let (above, below) = ("\u{301}", "\u{323}")
        func row(_ pairs: Int) -> String { String(repeating: above + below, count: pairs) }
        func ordered(_ pairs: Int) -> String {
            String(repeating: below, count: pairs) + String(repeating: above, count: pairs)
        }
        func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
        #expect(bytes(("x" + row(15)).composed) == bytes("x" + ordered(15)))
        let parts = bytes("x" + ordered(15) + ordered(1))
        try #require(bytes(("x" + row(16)).composed) == parts)
        let two = bytes("x" + ordered(15) + "q" + ordered(15) + ordered(1))
        #expect(bytes(("x" + row(15) + "q" + row(16)).composed) == two)
        let letter = "\u{5D0}"
        #expect(bytes((letter + row(40)).composed) == bytes(letter + ordered(15) + ordered(15) + ordered(10)))
        // Put in order all together it would take an hour.
        let long = "x" + row(75_000) + " end"
        let all = bytes("x" + String(repeating: ordered(15), count: 5_000) + " end")
        let isComposed = bytes(long.composed) == all
        #expect(isComposed)
        let isFolded = bytes(TextFolding.folded(long, [])) == all
        #expect(isFolded)
        let words = WordBreaks.pieces(of: long)
        #expect(words.count == 3 && words.last == "end")
    }

    /// As the letters of any text: a set of strings would put them in order first.
    @Test func aTextOfManyMarksIsLookedUpInAList() {
        let text = "x" + String(repeating: "\u{301}\u{323}", count: 20_000)
        let item: PredicateValue = .dictionary(["a": .string(text)])
        for (list, isIn) in [([PredicateValue.string("y"), .string(text)], true), ([.string("y")], false)] {
            #expect(answer("a IN %@", [.list(list)], of: item) == (isIn ? "true" : "false"))
        }
    }
}
