@testable import DriveCore
import DriveTesting
import Testing

/// Each scheme's name of a copy, made as its program makes it, is read back.
@Suite("Conflict copies are read back by every scheme")
struct ConflictSchemeRoundTripTests {
    @Test(arguments: ConflictScheme.allCases)
    func namesAreReadBack(_ scheme: ConflictScheme) throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<2_000 {
            let original = random.plainName()
            // An extension may end as a guess does.
            guard scheme.parse(FileName(original)) == nil else { continue }
            let copy = random.copy(of: original, scheme)
            let marker = try #require(scheme.parse(FileName(copy)), "\(copy)")
            #expect(marker.original == FileName(original), "\(copy)")
        }
    }

    @Test func copiesOfCopiesGoBackToTheFirstFile() throws {
        var random = SeededGenerator(seed: 12)
        // The second variant that git-annex makes has another form, and no hidden file has a copy that is not hidden.
        let schemes = ConflictScheme.unmistakable.filter { ![.gitannex, .docdrive].contains($0) }
        for _ in 0..<2_000 {
            let original = "x" + random.plainName()
            var copy = original
            for _ in 0..<random.number(in: 1...3) { copy = random.copy(of: copy, random.choice(schemes)) }
            guard copy.utf8.count <= FileName.maximumLength else { continue }
            #expect(try #require(ConflictCandidate(DrivePath(copy))).family == DrivePath(original), "\(copy)")
        }
    }

    @Test func plainNamesAreNobodysCopies() {
        var random = SeededGenerator(seed: 13)
        for _ in 0..<5_000 {
            let name = random.plainName()
            #expect(ConflictCandidate(DrivePath(name)) == nil, "\(name)")
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func plainName() -> String {
        let letters = "ab AZ09_-+,'éßжひ한字🙂e\u{301}.".map(String.init) + ["(x)"]
        var name = ""
        for _ in 0..<number(in: 1...12) { name += choice(letters) }
        let ends = ["", ".txt", ".tar.gz", ".JPG", ".", ".web manifest", ".é"]
        name = choice(["", "", "", "."]) + name + choice(ends)
        return FileName(name).isValid && name.contains { $0 != "." } ? name : "plain" + name
    }

    private mutating func day() -> (year: Int, month: String, day: String) {
        (number(in: 1970...2099), twoDigits(1...12), twoDigits(1...28))
    }

    private mutating func twoDigits(_ range: ClosedRange<Int>) -> String {
        let value = number(in: range)
        return value < 10 ? "0\(value)" : "\(value)"
    }

    private mutating func clock() -> [String] { [twoDigits(0...23), twoDigits(0...59), twoDigits(0...59)] }

    private mutating func who() -> String { choice(["pc", "Ann B.", "my.host", "é", "from", "a@b.c", "x-y"]) }

    private mutating func counter(_ before: String) -> String {
        chance(percent: 30) ? "\(before)\(number(in: 1...99))" : ""
    }

    fileprivate mutating func copy(of name: String, _ scheme: ConflictScheme) -> String {
        let day = day()
        let date = "\(day.year)-\(day.month)-\(day.day)"
        let compactDate = "\(day.year)\(day.month)\(day.day)"
        let clock = clock()
        let time = clock.joined()
        switch scheme {
        case .docdrive:
            return ConflictName.derived(
                from: FileName(name), device: who(), time: HybridTime(milliseconds: UInt64(number(in: 0...1 << 40))),
                ordinal: number(in: 1...3)
            ).description
        case .syncthing:
            let device = choice(["", "-5RQAITR", "-ABCDEFG", "-2345672"])
            return Split(name, .lastDot).with(".sync-conflict-\(compactDate)-\(time)\(device)")
        case .nextcloud:
            let user = choice(["", who() + " "])
            return Split(name, .dotInside).with(" (conflicted copy \(user == "from " ? "" : user)\(date) \(time))")
        case .owncloud:
            return Split(name, .dotInside).with("_conflict\(choice(["", "_ann"]))-\(compactDate)-\(time)")
        case .seafile:
            let user = choice(["", who() + " "])
            return Split(name, .lastDot).with(" (SFConflict \(user)\(date)-\(clock.joined(separator: "-")))")
        case .unison:
            return Split(name, .lastDot).with(
                " (conflict\(counter(" #"))_on_\(date)\(choice(["", "_was_deleted"])))")
        case .rclone:
            let marker = choice([".", ".\(date)-"]) + "conflict\(number(in: 1...30))"
            switch below(3) {
            case 0: return name + choice(["..path1", "..path2"])
            case 1: return name + marker
            default: return Split(name, name.hasSuffix(".tar.gz") ? .compound : .lastDot).with(marker)
            }
        case .dropbox:
            let words = choice([
                "\(who())'s conflicted copy \(date)", "\(who())’s conflicted copy \(date)",
                "\(who())s in Konflikt stehende Kopie \(date)", "Copie en conflit de \(who()) \(date)",
                "\(who()) の競合コピー \(date)", "Case Conflict", "Unicode Encoding Conflict",
            ])
            return Split(name, .dotInside).with(" (\(words)\(counter(" ")))")
        case .maestral:
            let words = choice([
                "conflicting copy", "case conflict", "unicode conflict", "selective sync conflict",
                "\(who())'s conflicting copy \(date)",
            ])
            return Split(name, .dotAfterLeadingDots).with(" (\(words)\(counter(" ")))")
        case .onedrive:
            return Split(name, .dotInside).with("-\(choice(["pc", "my.host", "X1"]))-safeBackup-00\(twoDigits(1...99))")
        case .gitannex: return Split(name, .lastDot).with(".variant-\(choice(["c696", "f16a", "0000", "abcd"]))")
        case .resilio: return Split(name, .dotInside).with(".Conflict\(counter(""))")
        case .obsidian:
            return Split(name, .dotInside).with(" (Conflicted copy \(who()) \(compactDate)\(clock[0])\(clock[1]))")
        case .icloud: return Split(name, .dotInside).with(" \(number(in: 2...99))")
        case .autorename: return Split(name, .dotInside).with(" (\(number(in: 1...99)))")
        }
    }
}

/// A name as a program divides it, to put something between.
private struct Split {
    enum Rule {
        /// Go's `path.Ext`, Haskell's `takeExtension`, C's `strrchr`.
        case lastDot
        /// A dot at the beginning is none.
        case dotInside
        /// Python's `splitext`.
        case dotAfterLeadingDots
        /// `.tar.gz` is one extension.
        case compound
    }

    var stem: String
    var suffix: String

    init(_ name: String, _ rule: Rule) {
        let from =
            switch rule {
            case .lastDot, .compound: name.startIndex
            case .dotInside: name.index(after: name.startIndex)
            case .dotAfterLeadingDots: name.firstIndex { $0 != "." } ?? name.endIndex
            }
        let end =
            rule == .compound
            ? name.utf8.index(name.endIndex, offsetBy: -7)
            : name.unicodeScalars[from...].lastIndex(of: ".") ?? name.endIndex
        stem = String(name.unicodeScalars[..<end])
        suffix = String(name.unicodeScalars[end...])
    }

    func with(_ marker: String) -> String { stem + marker + suffix }
}
