import DriveCore
import DriveTesting
import Testing

@Suite("Classes of conflicts")
struct ConflictClassTests {
    private func of(_ a: String?, _ b: String?, _ ancestor: String? = nil) -> ConflictClass? {
        let there = ConflictClass(
            a.map { Array($0.utf8) }, b.map { Array($0.utf8) }, ancestor: ancestor.map { Array($0.utf8) })
        let back = ConflictClass(
            b.map { Array($0.utf8) }, a.map { Array($0.utf8) }, ancestor: ancestor.map { Array($0.utf8) })
        #expect(there == back)
        return there
    }

    @Test func eachClassIsFound() {
        #expect(of("x", "x") == .identical)
        #expect(of("", "") == .identical)
        #expect(of("x", nil) == .deleteVersusEdit)
        #expect(of(nil, nil) == nil)
        #expect(of("1\n2\n3\n", "1\n3\n") == .superset)
        #expect(of("", "1\n") == .superset)
        #expect(of("1x\n2\n3\n", "1\n2\n3x\n") == .divergent)
        #expect(of("1x\n2\n3\n", "1\n2\n3x\n", "1\n2\n3\n") == .mergeable)
        #expect(of("1x\n2\n3\n", "1y\n2\n3\n", "1\n2\n3\n") == .divergent)
        #expect(of("a\0b", "ab") == .binary)
    }

    @Test func neighbouringLinesAreNotMergeable() {
        #expect(of("1x\n2\n", "1\n2x\n", "1\n2\n") == .divergent)
        // Both add at the same point.
        #expect(of("1\na\n2\n", "1\nb\n2\n", "1\n2\n") == .divergent)
        // Both made the same change, and one another.
        #expect(of("1\na\n2\n3\n4x\n", "1\na\n2\n3\n4\n5y\n", "1\n2\n3\n4\n") == .divergent)
        #expect(of("1\na\n2\n3x\n4\n5\n", "1\na\n2\n3\n4\n5y\n", "1\n2\n3\n4\n5\n") == .mergeable)
    }

    @Test func bytesThatAreNoTextAreBinary() {
        #expect(ConflictClass([0xFF], [0x61], ancestor: nil) == .binary)
    }

    @Test func largeTextsAreNotCompared() {
        let long = String(repeating: "line\n", count: 300_000)
        #expect(of(long + "x", long) == .divergent)
        let many = (0..<3000).map { "a\($0)\n" }.joined()
        let other = (0..<3000).map { "b\($0)\n" }.joined()
        #expect(of(many, other, "1\n") == .divergent)
        // Equal beginnings and ends do not count.
        #expect(of("x\n" + many, many + "y\n", many) == .mergeable)
    }

    @Test("Edits of different regions are mergeable", arguments: 0..<100)
    func separateEditsAreMergeable(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let base = (0..<40).map { "line \($0) \(random.below(3))" }
        var a = base
        var b = base
        for place in stride(from: 0, to: 20, by: 3) where random.chance(percent: 50) {
            a[place] = "A\(random.below(100))"
        }
        for place in stride(from: 22, to: 40, by: 3) where random.chance(percent: 50) {
            b[place] = "B\(random.below(100))"
        }
        a[3] = "A"
        b[30] = "B"
        #expect(of(a.joined(separator: "\n"), b.joined(separator: "\n"), base.joined(separator: "\n")) == .mergeable)
        b[3] = "C"
        #expect(of(a.joined(separator: "\n"), b.joined(separator: "\n"), base.joined(separator: "\n")) == .divergent)
    }
}
