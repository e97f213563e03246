import DriveCore
import DriveTesting
import Testing

@Suite("Texts of which one has all lines of the other")
struct LineContainmentTests {
    @Test(arguments: [
        ("", "a\n", LineContainment.firstInSecond), ("a\n", "a\nb\n", .firstInSecond),
        ("a\nc\n", "a\nb\nc\n", .firstInSecond),
        ("a\nb", "a\nb\nc\n", .firstInSecond), ("a\nb\n", "b\n", .secondInFirst), ("a\nb\n", "b\na\n", .neither),
        ("a\na\n", "a\n", .secondInFirst), ("a\n", "b\n", .neither), ("a\r\n", "a\n", .neither),
        ("b", "a\nb\nc\n", .neither),
        ("a\0", "a\0b", .unknown), ("", "\0", .unknown),
    ])
    func itIsSaid(first: String, second: String, expected: LineContainment) {
        #expect(LineContainment(Array(first.utf8), Array(second.utf8)) == expected)
    }

    @Test func whatIsNoTextIsNotCompared() {
        #expect(LineContainment([0xFF], [0xFF, 0x0A]) == .unknown)
        let large = [UInt8](repeating: 0x61, count: ConflictClass.greatestSize + 1)
        #expect(LineContainment([0x61], large) == .unknown)
    }

    /// Taking lines out of a text leaves one that is contained in it.
    @Test(arguments: 0..<200 as Range<UInt64>) func linesTakenOutAreAllThatIsMissing(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let lines = (0..<random.number(in: 1...30)).map { _ in "\(random.below(6))\n" }
        let fewer = lines.filter { _ in random.chance(percent: 70) }
        let (whole, part) = (Array(lines.joined().utf8), Array(fewer.joined().utf8))
        #expect(LineContainment(part, whole) == .firstInSecond)
        if fewer.count < lines.count { #expect(LineContainment(whole, part) == .secondInFirst) }
    }
}
