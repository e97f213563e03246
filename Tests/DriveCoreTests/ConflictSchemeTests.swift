@testable import DriveCore
import DriveTesting
import Testing

@Suite("Conflict copies of every scheme")
struct ConflictSchemeTests {
    @Test("Names of copies are read exactly", arguments: ConflictExample.all)
    func namesAreRead(_ example: ConflictExample) throws {
        let schemes = example.scheme.isGuess ? [example.scheme] : ConflictScheme.unmistakable
        let candidate = try #require(ConflictCandidate(DrivePath("dir/" + example.name), schemes: schemes))
        #expect(candidate.original == DrivePath("dir/" + example.original))
        #expect(candidate.scheme == example.scheme)
        #expect(candidate.device == example.device)
        #expect(candidate.time == example.time)
    }

    @Test func everySchemeHasExamples() {
        let examples = Dictionary(grouping: ConflictExample.all, by: \.scheme)
        for scheme in ConflictScheme.allCases { #expect(examples[scheme, default: []].count >= 3, "\(scheme)") }
    }

    @Test func namesWithBothApostrophesAndBothFormsOfAccentsAreDifferentBytes() {
        #expect(Set(ConflictExample.all.map { Array($0.name.utf8) }).count == ConflictExample.all.count)
    }

    @Test("Names that only look alike are nobody's copies", arguments: LookAlikes.all)
    func lookAlikesAreNot(name: String) { #expect(ConflictCandidate(DrivePath(name)) == nil) }

    @Test("Names that prove nothing are copies only to who asks for them", arguments: LookAlikes.guesses)
    func guessesAreNot(name: String) {
        #expect(ConflictCandidate(DrivePath(name), schemes: [.icloud, .autorename]) == nil)
    }

    @Test func guessesAreNotTakenUnasked() {
        #expect(ConflictCandidate("report 2.pages") == nil)
        #expect(ConflictCandidate("report (1).pages") == nil)
        #expect(ConflictScheme.allCases.filter(\.isGuess) == [.icloud, .autorename])
        #expect(Set(ConflictScheme.unmistakable) == Set(ConflictScheme.allCases).subtracting([.icloud, .autorename]))
    }

    @Test func schemesCanBeChosen() {
        let path: DrivePath = "n.sync-conflict-20200521-184717-5RQAITR.md"
        #expect(ConflictCandidate(path, schemes: [.docdrive]) == nil)
        #expect(ConflictCandidate(path, schemes: [.syncthing]) != nil)
        let cloud: DrivePath = "mydata (conflicted copy 2018-04-10 093612).txt"
        #expect(ConflictCandidate(cloud, schemes: [.owncloud])?.scheme == .owncloud)
        let maestral: DrivePath = "a (Sam's conflicted copy 2022-08-30).pdf"
        #expect(ConflictCandidate(maestral, schemes: [.maestral])?.original == "a.pdf")
    }

    @Test func copyOfCopyBelongsToTheFirstFile() throws {
        let name = "a (conflicted copy 2018-04-10 093612).sync-conflict-20200521-184717-5RQAITR.txt"
        let copy = try #require(ConflictCandidate(DrivePath(name)))
        #expect(copy.original == "a (conflicted copy 2018-04-10 093612).txt")
        #expect(copy.family == "a.txt")
    }

    @Test func familyGoesByTheSchemesAskedFor() throws {
        let path: DrivePath = "a (1) 2.conflict1.txt"
        #expect(try #require(ConflictCandidate(path)).family == "a (1) 2.txt")
        #expect(try #require(ConflictCandidate(path, schemes: [.rclone, .icloud])).family == "a (1).txt")
        #expect(try #require(ConflictCandidate(path, schemes: ConflictScheme.allCases)).family == "a.txt")
    }

    @Test func originalThatIsThereIsTakenWhereTheNameLeavesItOpen() throws {
        let path: DrivePath = "d/file5-onedrive-client-dev-safeBackup-0001.data"
        #expect(try #require(ConflictCandidate(path)).original == "d/file5-onedrive-client.data")
        for original: DrivePath in ["d/file5.data", "d/file5-onedrive.data", "d/file5-onedrive-client.data"] {
            #expect(try #require(ConflictCandidate(path) { $0 == original ? $0 : nil }).original == original)
        }
        let other = try #require(ConflictCandidate(path) { $0 == "d/file.data" ? $0 : nil })
        #expect(other.original == "d/file5-onedrive-client.data")
    }

    @Test func nameThatIsNoTextHasNoDevice() {
        let name = FileName(bytes: Array("a (SFConflict ".utf8) + [0xFF] + Array(" 2024-03-01-10-22-59)".utf8))
        #expect(ConflictScheme.seafile.parse(name) == nil)
        let stem = FileName(bytes: [0xFF] + Array(" (SFConflict 2024-03-01-10-22-59)".utf8))
        #expect(ConflictScheme.seafile.parse(stem)?.original == FileName(bytes: [0xFF]))
    }

    @Test func ownNamesAreReadBack() throws {
        var random = SeededGenerator(seed: 5)
        let labels = ["pc", "my.host", "Ann's desk", "é", "a.b.c", "x 2020-01-01 000000"]
        for name in ["a", "a.txt", ".a", "a.tar.gz", "a b.c", "a.", "(x).y", "é.é"] {
            let label = random.choice(labels)
            let derived = ConflictName.derived(
                from: FileName(name), device: label, time: HybridTime(milliseconds: 1_700_000_000_000),
                ordinal: random.number(in: 1...3))
            let read = try #require(ConflictCandidate(DrivePath([derived])))
            #expect(read.original == DrivePath(name))
            #expect(read.device == label)
        }
    }
}

@Suite("Times of conflict copies")
struct ConflictTimeTests {
    @Test(arguments: ["2024-02-29", "2000-02-29", "202412312359", "20161231-235960", "2026-08-21 140307"])
    func calendarHasThem(text: String) { #expect(ConflictTime(text) != nil) }

    @Test(
        arguments: [
            "2023-02-29", "1900-02-29", "2024-04-31", "2024-00-10", "2024-13-10", "2024-01-00", "202412312400",
            "202412312360", "20161231-235961", "2024-1-1", "",
        ])
    func calendarHasNot(text: String) { #expect(ConflictTime(text) == nil) }
}
