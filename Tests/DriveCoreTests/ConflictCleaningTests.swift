import DriveCore
import DriveTesting
import Testing

@Suite("Cleaning of conflict copies")
struct ConflictCleaningTests {
    private func hash(_ n: Int) -> ContentHash { ContentHash(words: (UInt64(n), 0, 0, 0)) }

    private func plan(
        _ files: [DrivePath: Int], takesContained: Bool = false, ignored: Set<DrivePath> = []
    ) -> CleaningPlan {
        var contents = CleaningPlan.Contents(
            sizes: files.mapValues { UInt64($0 / 2) }, hashes: files.mapValues { hash($0) }
        ) { copy, original in
            // A number has all lines of each smaller one of its tens.
            guard let one = files[copy], let other = files[original], one / 10 == other / 10 else { return .unknown }
            return one < other ? .firstInSecond : .secondInFirst
        }
        contents.ignored = ignored
        return CleaningPlan(
            files.keys.compactMap { ConflictCandidate($0) }, contents, takesContained: takesContained)
    }

    private let copy1: DrivePath = "a.sync-conflict-20200521-184717-5RQAITR.md"
    private let copy2: DrivePath = "a.sync-conflict-20200522-184717-5RQAITR.md"
    private let own: DrivePath = "a (conflicted copy from pc 2026-08-21 140307).md"

    @Test func copyWithTheBytesOfItsOriginalGoes() {
        let plan = plan(["a.md": 1, copy1: 1, copy2: 2])
        #expect(plan.removals.map(\.candidate.path) == [copy1])
        #expect(plan.removals.map(\.kept) == ["a.md"])
    }

    @Test func oneOfEqualCopiesStays() {
        #expect(plan(["a.md": 1, copy1: 2, copy2: 2, own: 2]).removals.map(\.kept) == [copy1, copy1])
    }

    /// Then nothing proves that they are copies.
    @Test func withoutTheirOriginalAllStay() {
        for files in [[copy1: 1], [copy1: 2, copy2: 2]] {
            #expect(plan(files).removals.isEmpty)
            #expect(plan(files).verdicts.allSatisfy { $0.finding == .originalMissing })
        }
    }

    @Test func theRestIsTold() {
        let found = plan(["a.md": 15, copy1: 12, copy2: 18, own: 25]).verdicts
        #expect(found.map(\.candidate.path) == [own, copy1, copy2])
        #expect(found.map(\.finding) == [.binary, .contained(in: "a.md"), .extended])
    }

    @Test func whatTheOriginalContainsGoesIfThatIsAskedFor() {
        let files: [DrivePath: Int] = ["a.md": 15, copy1: 12, copy2: 12, own: 16]
        #expect(plan(files).removals.map(\.candidate.path) == [copy2])
        #expect(plan(files).removals.map(\.kept) == [copy1])
        let all = plan(files, takesContained: true).removals
        #expect(all.map(\.candidate.path) == [copy1, copy2])
        #expect(all.map(\.kept) == ["a.md", "a.md"], "nothing relies on what goes")
    }

    /// It may be a text.
    @Test func whatCannotBeReadIsNotCalledBinary() {
        let contents = CleaningPlan.Contents(sizes: ["a.md": 1, copy1: 2], hashes: [:]) { _, _ in nil }
        let plan = CleaningPlan([ConflictCandidate(copy1)!], contents, takesContained: true)
        #expect(plan.removals.isEmpty)
        #expect(plan.verdicts.map(\.finding) == [.unreadable])
    }

    @Test func aSecondNameOfTheOriginalIsNoCopy() {
        var contents = CleaningPlan.Contents(sizes: ["a.md": 1, copy1: 1], hashes: ["a.md": hash(1), copy1: hash(1)])
        contents.linked = [copy1]
        let plan = CleaningPlan([ConflictCandidate(copy1)!], contents)
        #expect(plan.removals.isEmpty)
        #expect(plan.verdicts.map(\.finding) == [.sameFile])
    }

    /// Other devices have only what is sent to them.
    @Test func whatIsSentDoesNotGoForWhatIsNot() {
        let files: [DrivePath: Int] = ["a.md": 15, own: 15, copy1: 15, copy2: 12]
        let all = plan(files, takesContained: true, ignored: ["a.md"])
        #expect(all.removals.map(\.candidate.path) == [own])
        #expect(all.removals.map(\.kept) == [copy1])
        #expect(all.verdicts.map(\.finding) == [.identical(to: copy1), .originalIgnored, .originalIgnored])
        // What is not sent itself may go for either.
        let hidden = plan(files, ignored: ["a.md", copy1, own])
        #expect(hidden.removals.map(\.candidate.path) == [own, copy1])
        // Of equal copies the one that stays may not be the one that is not sent.
        let equal: [DrivePath: Int] = ["a.md": 1, own: 22, copy1: 22, copy2: 22]
        let removals = plan(equal, ignored: [copy1]).removals
        #expect(removals.map(\.candidate.path) == [own] && removals.map(\.kept) == [copy2])
    }

    @Test func equalBytesElsewhereDoNotCount() {
        #expect(plan(["b/a.md": 1, "b.md": 1, copy1: 1]).removals.isEmpty)
    }

    /// To Linux, `é` as one code point and as two are two names; whoever copies between systems has both.
    @Test(arguments: [("\u{E9}", "e\u{301}"), ("e\u{301}", "\u{E9}")])
    func accentsInAnotherFormAreTheSameName(own: String, other: String) throws {
        let copy = DrivePath("d/caf\(own).sync-conflict-20200521-184717-5RQAITR.md")
        let (exact, original) = (DrivePath("d/caf\(own).md"), DrivePath("d/caf\(other).md"))
        func family(_ paths: [DrivePath]) throws -> DrivePath {
            let (there, spellings) = (Set(paths), NameSpellings(paths))
            let candidate = ConflictCandidate(copy) { there.contains($0) ? $0 : spellings.only(like: $0) }
            return try #require(candidate).family
        }
        #expect(try family([copy, original]) == original)
        #expect(try family([copy, original, exact]) == exact, "what has the very name comes first")
        #expect(try family([copy, DrivePath("caf\(other).md")]) == exact, "it lies in another folder")
        #expect(try family([copy]) == exact)
    }

    @Test func ofSeveralFormsNoneIsChosen() throws {
        // Three ways to write one name: two letters with a mark each, of which one or both are composed.
        let forms = ["\u{E9}\u{E9}", "e\u{301}\u{E9}", "\u{E9}e\u{301}"].map { DrivePath("\($0).md") }
        let copy = DrivePath("e\u{301}e\u{301}.conflict1.md")
        for count in 1...3 {
            let spellings = NameSpellings(forms.prefix(count))
            let candidate = ConflictCandidate(copy) { spellings.only(like: $0) }
            #expect(try #require(candidate).original == (count == 1 ? forms[0] : "e\u{301}e\u{301}.md"))
        }
    }

    @Test func copiesInBothFormsAreOneFamily() throws {
        let original: DrivePath = "\u{DC}b.md"
        let copies: [DrivePath] = [
            "\u{DC}b.conflict1.md", "U\u{308}b.conflict2.md", "U\u{308}b.conflict3.conflict4.md",
        ]
        let sizes = Dictionary(uniqueKeysWithValues: ([original] + copies).map { ($0, UInt64(1)) })
        let hashes = Dictionary(
            uniqueKeysWithValues: ([original] + copies).map { ($0, hash($0 == original ? 1 : 2)) })
        let spellings = NameSpellings(sizes.keys)
        let plan = CleaningPlan(
            copies.compactMap { ConflictCandidate($0) { sizes[$0] != nil ? $0 : spellings.only(like: $0) } },
            CleaningPlan.Contents(sizes: sizes, hashes: hashes))
        #expect(
            plan.removals.map(\.kept) == [copies[0], copies[0]], "of equal copies one stays, however it is spelled")
    }

    @Test func unreadFilesTakeNoPart() {
        let candidate = ConflictCandidate(copy1)!
        let there: [DrivePath: UInt64] = ["a.md": 1, copy1: 1]
        let cases: [(sizes: [DrivePath: UInt64], hashes: [DrivePath: ContentHash])] = [
            (there, ["a.md": hash(1)]), (there, [copy1: hash(1)]),
            // What has a hash but is no longer there.
            ([copy1: 1], ["a.md": hash(1), copy1: hash(1)]),
        ]
        for (sizes, hashes) in cases {
            #expect(CleaningPlan([candidate], CleaningPlan.Contents(sizes: sizes, hashes: hashes)).removals.isEmpty)
        }
    }

    @Test func onlyEqualSizesAreHashed() {
        let candidates = [copy1, copy2, own].compactMap { ConflictCandidate($0) }
        let paths = CleaningPlan.pathsToHash(candidates, sizes: ["a.md": 5, copy1: 5, copy2: 7, own: 8])
        #expect(paths == ["a.md", copy1].sorted())
    }

    @Test("Every content still exists in its family, and the order of the input does not matter", arguments: 0..<300)
    func nothingIsLost(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var files: [DrivePath: Int] = [:]
        for _ in 0..<random.number(in: 1...14) { files[random.conflictPath()] = random.below(5) }
        let plan = plan(files)
        func contents(_ files: [DrivePath: Int]) -> [DrivePath: Set<Int>] {
            var result: [DrivePath: Set<Int>] = [:]
            for (path, content) in files {
                result[ConflictCandidate(path)?.family ?? path, default: []].insert(content)
            }
            return result
        }
        var after = files
        for removal in plan.removals {
            // Whatever is removed first, what it relies on stays to the end.
            #expect(!plan.removals.contains { $0.candidate.path == removal.kept })
            #expect(files[removal.kept] == files[removal.candidate.path])
            #expect(ConflictCandidate(removal.candidate.path) != nil)
            after[removal.candidate.path] = nil
        }
        #expect(contents(after) == contents(files))
        // Nothing that could go is left.
        #expect(self.plan(after).removals.isEmpty)
        let candidates = files.keys.compactMap { ConflictCandidate($0) }.shuffled(using: &random)
        let again = CleaningPlan(
            candidates + candidates,
            CleaningPlan.Contents(sizes: files.mapValues { UInt64($0 / 2) }, hashes: files.mapValues { hash($0) }))
        #expect(again.removals == plan.removals)
        let needed = Set(CleaningPlan.pathsToHash(candidates, sizes: files.mapValues { UInt64($0 / 2) }))
        for removal in plan.removals { #expect(needed.isSuperset(of: [removal.kept, removal.candidate.path])) }
    }
}

extension SeededGenerator {
    fileprivate mutating func conflictPath() -> DrivePath {
        var name = FileName(choice(["a.md", "b", "c.tar.gz"]))
        while chance(percent: 60) {
            let text = name.description
            let day = number(in: 10...13)
            switch below(3) {
            case 0:
                name = ConflictName.derived(
                    from: name, device: choice(["pc", "my.host"]),
                    time: HybridTime(milliseconds: UInt64(day) * 86_400_000))
            case 1:
                guard let dot = text.lastIndex(of: ".") else { continue }
                name = FileName(text[..<dot] + ".sync-conflict-202005\(day)-184717-5RQAITR" + text[dot...])
            default: name = FileName(text + " (conflicted copy 2018-04-\(day) 093612)")
            }
        }
        return DrivePath((chance(percent: 30) ? ["d"] : []) + [name])
    }
}
