@testable import DriveCore
import DriveTesting
import Testing

@Suite("Derived names")
struct ConflictNameTests {
    /// 2026-08-21 14:03:07 UTC.
    static let time = HybridTime(milliseconds: 1_787_320_987_654)
    static let marker = " (conflicted copy from pc 2026-08-21 140307)"

    /// The vectors of `docs/conflict-names.md`: name, label, ordinal, derived name; `@` stands for the marker of `pc`.
    static let vectors: [(name: String, label: String, ordinal: Int, derived: String)] = [
        ("Budget.ods", "pc", 1, "Budget@.ods"),
        ("Budget.ods", "pc", 2, "Budget@ 2.ods"),
        ("Budget.ods", "pc", 10, "Budget@ 10.ods"),
        ("Makefile", "pc", 1, "Makefile@"),
        ("src.tar.gz", "pc", 1, "src@.tar.gz"),
        ("src.tar.xz", "pc", 1, "src@.tar.xz"),
        ("src.tar.bz2", "pc", 1, "src@.tar.bz2"),
        ("src.tar.zst", "pc", 1, "src@.tar.zst"),
        ("src.tar.lz", "pc", 1, "src.tar@.lz"),
        ("src.TAR.GZ", "pc", 1, "src.TAR@.GZ"),
        (".tar.gz", "pc", 1, ".tar@.gz"),
        (".bashrc", "pc", 1, ".bashrc@"),
        (".config.toml", "pc", 1, ".config@.toml"),
        ("..hidden", "pc", 1, "..hidden@"),
        ("...x", "pc", 1, "...x@"),
        ("a.", "pc", 1, "a.@"),
        ("a..b", "pc", 1, "a.@.b"),
        ("x.2345678901234567890123456789012", "pc", 1, "x@.2345678901234567890123456789012"),
        ("x.23456789012345678901234567890123", "pc", 1, "x.23456789012345678901234567890123@"),
        // A copy of a copy does not grow.
        ("Budget@.ods", "pc", 1, "Budget@.ods"),
        ("Budget@ 2.ods", "pc", 1, "Budget@.ods"),
        ("Budget (conflicted copy from old one 2020-01-01 000000).ods", "pc", 1, "Budget@.ods"),
        ("Makefile (conflicted copy from a.b 2020-01-01 000000)", "pc", 1, "Makefile@"),
        ("Makefile (conflicted copy from a.b 2020-01-01 000000) 7", "pc", 3, "Makefile@ 3"),
        // Only the exact grammar is a marker.
        (
            "Budget (conflicted copy from pc 2020-01-01).ods", "pc", 1,
            "Budget (conflicted copy from pc 2020-01-01)@.ods"
        ),
        ("Budget (conflicted copy 2020-01-01 000000).ods", "pc", 1, "Budget (conflicted copy 2020-01-01 000000)@.ods"),
        ("Budget@ 1.ods", "pc", 1, "Budget@ 1@.ods"),
        ("Budget@ 02.ods", "pc", 1, "Budget@ 02@.ods"),
        ("Budget@  2.ods", "pc", 1, "Budget@  2@.ods"),
        ("Budget@x.ods", "pc", 1, "Budget@x@.ods"),
        (
            "Budget (Conflicted copy from pc 2020-01-01 000000).ods", "pc", 1,
            "Budget (Conflicted copy from pc 2020-01-01 000000)@.ods"
        ),
        (
            "Budget (conflicted copy from a(b 2020-01-01 000000).ods", "pc", 1,
            "Budget (conflicted copy from a(b 2020-01-01 000000)@.ods"
        ),
        // A marker alone is a stem: nothing would be left.
        ("@", "pc", 1, "@@"),
    ]

    private static func written(_ text: String) -> String {
        text.split(separator: "@", omittingEmptySubsequences: false).joined(separator: marker)
    }

    @Test("Vectors", arguments: vectors)
    func vector(_ vector: (name: String, label: String, ordinal: Int, derived: String)) {
        let derived = ConflictName.derived(
            from: FileName(Self.written(vector.name)), device: vector.label, time: Self.time, ordinal: vector.ordinal)
        #expect(derived == FileName(Self.written(vector.derived)))
    }

    @Test func timesAreUTC() {
        let times: [(UInt64, String)] = [
            (0, "1970-01-01 000000"), (951_782_399_000, "2000-02-28 235959"), (951_782_400_000, "2000-02-29 000000"),
            (4_107_542_400_000, "2100-03-01 000000"), (1_787_320_987_999, "2026-08-21 140307"),
            (253_402_300_799_000, "9999-12-31 235959"), (253_402_300_800_000, "9999-01-01 000000"),
        ]
        for (milliseconds, text) in times { #expect(ConflictName.timeText(milliseconds: milliseconds) == text) }
    }

    @Test func longNamesAreCutAtACharacter() throws {
        let name = FileName(String(repeating: "é", count: 125) + ".txt")
        let derived = ConflictName.derived(from: name, device: "pc", time: Self.time)
        let text = try #require(derived.utf8Text)
        #expect(derived.bytes.count == 254, "one byte short of the limit: half an é does not fit")
        #expect(text.hasSuffix("é" + Self.marker + ".txt"))
    }

    @Test func namesThatAreNotUTF8AreCutAtAnyByte() {
        let name = FileName(bytes: [0xFF] + Array(String(repeating: "é", count: 125).utf8) + Array(".txt".utf8))
        let derived = ConflictName.derived(from: name, device: "pc", time: Self.time)
        #expect(derived.bytes.count == 255)
        #expect(derived.bytes.starts(with: name.bytes.prefix(200)))
    }

    @Test func labelWithDotIsStripped() throws {
        let first = ConflictName.derived(from: "Makefile", device: "pc.local", time: Self.time)
        #expect(ConflictName.derived(from: first, device: "pc.local", time: Self.time) == first)
        #expect(try #require(ConflictName.parse(first)).original == "Makefile")
    }

    @Test func markerAloneIsNoCopy() { #expect(ConflictName.parse(FileName(Self.marker)) == nil) }

    @Test(
        "Labels",
        arguments: [
            ("a", true), ("Ann's desk", true), ("pc.local", true), ("é", true),
            (String(repeating: "x", count: 40), true), ("", false),
            (String(repeating: "x", count: 41), false), (String(repeating: "é", count: 21), false), ("a/b", false),
            ("a(b", false),
            ("a)b", false), ("a\nb", false), ("a\u{7F}", false), ("a\u{85}", false), (" a", false), ("a ", false),
        ])
    func labelRules(label: String, isValid: Bool) { #expect(ConflictName.isValidLabel(label) == isValid) }

    @Test("Any name gives a valid one that reads back and does not grow", arguments: 0..<500)
    func anyName(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let alphabet = Array("ab.( )9é".utf8) + (random.chance(percent: 30) ? [0xFF, 0xC3] : [])
        let length = random.chance(percent: 30) ? random.number(in: 200...255) : random.number(in: 1...30)
        var bytes = (0..<length).map { _ in random.choice(alphabet) }
        if random.chance(percent: 40) {
            let start = Array(ConflictName.derived(from: FileName(bytes: bytes), device: "a.b", time: .zero).bytes)
            bytes = start.count < 250 ? start + (random.chance(percent: 50) ? Array(".c".utf8) : []) : start
        }
        let name = FileName(bytes: bytes)
        guard name.isValid else { return }
        let label = random.choice(["pc", "a.b", "x 2020-01-01 000000", String(repeating: "é", count: 20)])
        let ordinal = random.choice([1, 2, 17])
        let derived = ConflictName.derived(from: name, device: label, time: Self.time, ordinal: ordinal)
        #expect(derived.isValid)
        let read = try #require(ConflictName.parse(derived))
        #expect(read.device == label)
        #expect(read.time == "2026-08-21 140307")
        #expect(ConflictName.derived(from: derived, device: label, time: Self.time, ordinal: ordinal) == derived)
        if name.utf8Text != nil { #expect(derived.utf8Text != nil) }
        if derived.bytes.count < 240, ConflictName.parse(name) == nil { #expect(read.original == name) }
    }
}
