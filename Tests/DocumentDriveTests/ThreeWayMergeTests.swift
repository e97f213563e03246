import DocumentDrive
import DriveCore
import Foundation
import TestSupport
import Testing

/// Against `git merge-file`, which many people trust with their texts.
struct ThreeWayMergeTests {
    private static let hasGit = FileManager.default.isExecutableFile(atPath: "/usr/bin/git")

    private struct Random {
        var state: UInt64

        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
    }

    private struct Case {
        var base: [String]
        var a: [String]
        var b: [String]
    }

    /// A text of a few dozen lines, of which some repeat, and what two people make of it.
    /// Of `lines` different lines where that is given.
    private static func texts(_ seed: UInt64, lines: Int? = nil) -> Case {
        var random = Random(state: seed &* 977 &+ 1)
        let base = (0..<(5 + random.next(40))).map { place in
            if let lines { return "line \(random.next(lines))" }
            return random.next(5) == 0 ? "" : random.next(6) == 0 ? "}" : "line \(place) of \(seed)"
        }
        var sides = [base, base]
        for side in 0..<2 {
            for change in 0..<(1 + random.next(4)) {
                let place = random.next(sides[side].count + 1)
                let text = lines.map { "line \(random.next($0))" } ?? "by \(side), \(change) of \(seed)"
                switch random.next(3) {
                case 0: sides[side].insert(text, at: place)
                case 1 where place < sides[side].count: sides[side][place] = text
                default: if place < sides[side].count, sides[side].count > 1 { sides[side].remove(at: place) }
                }
            }
        }
        return Case(base: base, a: sides[0], b: sides[1])
    }

    private static func bytes(_ lines: [String], endsOpen: Bool = false) -> [UInt8] {
        Array((lines.joined(separator: "\n") + (endsOpen ? "" : "\n")).utf8)
    }

    /// Nil where git finds an overlap.
    private static func gitMerge(_ a: [UInt8], _ base: [UInt8], _ b: [UInt8]) throws -> [UInt8]? {
        let files = try TemporaryFiles()
        defer { files.remove() }
        let paths = [try files.write(a, "a"), try files.write(base, "o"), try files.write(b, "b")].map(\.description)
        let merge = try ChildProcess.run("/usr/bin/git", ["merge-file", "-p", "-q"] + paths)
        return merge.code == 0 ? merge.output : nil
    }

    @Test(.mayBlock, .enabled(if: hasGit, "git is not installed: its merges are what ours are compared with"))
    func cleanMergesAreThoseOfGit() throws {
        var clean = 0
        var stricter = 0
        for seed in 1...300 as ClosedRange<UInt64> {
            let texts = Self.texts(seed)
            let (a, base, b) = (Self.bytes(texts.a), Self.bytes(texts.base), Self.bytes(texts.b))
            let git = try Self.gitMerge(a, base, b)
            switch try ThreeWayMerge().merge(a, ancestor: base, b) {
            case .clean(let merged):
                clean += 1
                #expect(git == nil || git == merged, "seed \(seed)")
                let lines = Set(String(decoding: merged, as: UTF8.self).split(separator: "\n").map(String.init))
                for line in (texts.a + texts.b) where line.hasPrefix("by ") {
                    #expect(lines.contains(line), "seed \(seed) lost \(line)")
                }
            case .overlap: if git != nil { stricter += 1 }
            }
        }
        #expect(clean > 60)
        #expect(stricter < 15)
    }

    /// What is called mergeable is merged, and nothing else: also where lines are repeated, so that they can be paired in
    /// several ways.
    @Test(.mayBlock) func theClassIsWhatTheMergeDoes() throws {
        var found: [ConflictClass: Int] = [:]
        var asked = 0
        for seed in 1...600 as ClosedRange<UInt64> {
            let texts = Self.texts(seed, lines: [3, 8, 30, 300][Int(seed % 4)])
            let (a, base, b) = (Self.bytes(texts.a), Self.bytes(texts.base), Self.bytes(texts.b))
            let merge = try ThreeWayMerge().merge(a, ancestor: base, b)
            let isClean = if case .clean = merge { true } else { false }
            let kind = ConflictClass(a, b, ancestor: base) {
                asked += 1
                return isClean
            }
            found[kind ?? .binary, default: 0] += 1
            guard kind == .mergeable || kind == .divergent else { continue }
            #expect((kind == .mergeable) == isClean, "seed \(seed)")
        }
        #expect(found[.mergeable, default: 0] > 40)
        #expect(found[.divergent, default: 0] > 40)
        #expect(asked > 100, "nothing was open")
        #expect(asked < found[.mergeable, default: 0] + found[.divergent, default: 0] - 100, "all was asked")
    }

    @Test func overlappingChangesStayConflicts() throws {
        let outcome = try ThreeWayMerge().merge(
            Array("one\nmine\nthree\n".utf8), ancestor: Array("one\ntwo\nthree\n".utf8),
            Array("one\ntheirs\nthree\n".utf8))
        guard case .overlap(let marked) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        let text = String(decoding: marked, as: UTF8.self)
        #expect(
            text
                == "one\n<<<<<<< current\nmine\n||||||| ancestor\ntwo\n=======\ntheirs\n>>>>>>> copy\nthree\n")
    }

    /// Which `diff3 -m` by itself marks as a conflict.
    @Test func whatBothChangedAlikeIsNoOverlap() throws {
        let merged = try ThreeWayMerge().merge(
            Self.bytes(["1", "both", "2", "3", "4", "5", "6", "mine"]),
            ancestor: Self.bytes(["1", "2", "3", "4", "5", "6"]),
            Self.bytes(["1", "both", "2", "3", "theirs", "5", "6"]))
        #expect(merged == .clean(Self.bytes(["1", "both", "2", "3", "theirs", "5", "6", "mine"])))
    }

    @Test func whatBothChangedAlikeIsNotMarkedBesideAnOverlap() throws {
        let outcome = try ThreeWayMerge().merge(
            Self.bytes(["1", "both", "2", "3", "mine"]), ancestor: Self.bytes(["1", "2", "3", "4"]),
            Self.bytes(["1", "both", "2", "3", "theirs"]))
        let marked = [
            "1", "both", "2", "3", "<<<<<<< current", "mine", "||||||| ancestor", "4", "=======", "theirs",
            ">>>>>>> copy",
        ]
        #expect(outcome == .overlap(Self.bytes(marked)))
    }

    /// diff3 writes its markers right behind such a line.
    @Test func aLastLineWithoutAnEndIsShownBesideAnOverlap() throws {
        let outcome = try ThreeWayMerge().merge(
            Self.bytes(["mine", "2", "both"], endsOpen: true), ancestor: Self.bytes(["1", "2", "3"], endsOpen: true),
            Self.bytes(["theirs", "2", "both"], endsOpen: true))
        guard case .overlap(let marked) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        let text = String(decoding: marked, as: UTF8.self)
        for line in ["mine", "theirs", "2", "both"] { #expect(text.contains(line), "\(text)") }
    }

    @Test func aLastLineWithoutAnEndIsKept() throws {
        let merged = try ThreeWayMerge().merge(
            Self.bytes(["zero", "one", "two", "three", "four"], endsOpen: true),
            ancestor: Self.bytes(["one", "two", "three", "four"], endsOpen: true),
            Self.bytes(["one", "two", "three", "four!"], endsOpen: true))
        #expect(merged == .clean(Self.bytes(["zero", "one", "two", "three", "four!"], endsOpen: true)))
    }

    @Test func oneSideThatChangedNothingGivesWay() throws {
        let (old, new) = (Self.bytes(["a"]), Self.bytes(["b"]))
        #expect(try ThreeWayMerge().merge(old, ancestor: old, new) == .clean(new))
        #expect(try ThreeWayMerge().merge(new, ancestor: old, old) == .clean(new))
        #expect(try ThreeWayMerge().merge(new, ancestor: old, new) == .clean(new))
    }
}
