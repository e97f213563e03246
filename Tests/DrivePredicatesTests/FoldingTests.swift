import Testing

@testable import DrivePredicates

@Suite struct FoldingTests {
    private static let texts = [
        "ASCII only", "É", "e\u{301}", "Straße", "İstanbul", "ﬁle", "Ångström", "ñandú", "か\u{3099}", "각", "Ω", "ς",
        "Đỗ", "\u{1E9B}\u{323}", "👩‍👧", "",
    ]

    @Test(arguments: texts) func foldingTwiceIsFoldingOnce(text: String) {
        for rawValue in UInt8(0)..<4 {
            let options = ComparisonOptions(rawValue: rawValue)
            let once = TextFolding.folded(text, options)
            #expect(Array(TextFolding.folded(once, options).utf8) == Array(once.utf8))
        }
    }

    /// The fast way for ASCII says what the slow way says.
    @Test func asciiIsFoldedLikeAnythingElse() {
        var seeded = Seeded(7)
        for _ in 0..<2000 {
            let text = String((0..<seeded.below(12)).map { _ in seeded.pick(Array("aAbB.z")) })
            let wanted = String((0..<seeded.below(4)).map { _ in seeded.pick(Array("aAbB.z")) })
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
                // A letter outside ASCII after it takes the same text the slow way.
                #expect(pattern.isContained(in: text + "日") == pattern.isContained(in: text))
                #expect(pattern.begins(text + "日") == pattern.begins(text))
            }
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
        for text in ["a*b", "?", "\\", "\\*", "plain"] {
            #expect(LikePattern(LikeText.escaped(text), []).matches(text))
            #expect(!LikePattern(LikeText.escaped(text), []).matches("x" + text))
        }
    }
}
