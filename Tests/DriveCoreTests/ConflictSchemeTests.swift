@testable import DriveCore
import DriveTesting
import Testing

@Suite("Conflict copies of every scheme")
struct ConflictSchemeTests {
    static let copies: [(name: String, original: String, scheme: ConflictScheme, device: String?, time: String)] = [
        (
            "Budget (conflicted copy from thinkpad 2026-08-21 140307).ods", "Budget.ods", .docdrive, "thinkpad",
            "2026-08-21 140307"
        ),
        (
            "a (conflicted copy from my desk 2026-08-21 140307) 2.tar.gz", "a.tar.gz", .docdrive, "my desk",
            "2026-08-21 140307"
        ),
        (
            "Makefile (conflicted copy from pc.local 2026-08-21 140307)", "Makefile", .docdrive, "pc.local",
            "2026-08-21 140307"
        ),
        ("notes.sync-conflict-20200521-184717-5RQAITR.md", "notes.md", .syncthing, "5RQAITR", "20200521-184717"),
        ("notes.sync-conflict-20200521-184717-5RQAITR", "notes", .syncthing, "5RQAITR", "20200521-184717"),
        ("notes.sync-conflict-20160521-184717.md", "notes.md", .syncthing, nil, "20160521-184717"),
        (".sync-conflict-20200521-184717-5RQAITR.bashrc", ".bashrc", .syncthing, "5RQAITR", "20200521-184717"),
        (
            "a.tar.sync-conflict-20200521-184717-5RQAITR.gz", "a.tar.gz", .syncthing, "5RQAITR", "20200521-184717"
        ),
        ("mydata (conflicted copy 2018-04-10 093612).txt", "mydata.txt", .nextcloud, nil, "2018-04-10 093612"),
        ("mydata (conflicted copy 2018-04-10 093612)", "mydata", .nextcloud, nil, "2018-04-10 093612"),
        ("plan (SFConflict a@b.c 2024-03-01-10-22-59).odt", "plan.odt", .seafile, "a@b.c", "2024-03-01-10-22-59"),
        ("plan (SFConflict 2024-03-01-10-22-59)", "plan", .seafile, nil, "2024-03-01-10-22-59"),
    ]

    @Test("Names of copies are read exactly", arguments: copies)
    func namesAreRead(
        _ example: (name: String, original: String, scheme: ConflictScheme, device: String?, time: String)
    ) throws {
        let candidate = try #require(ConflictCandidate(DrivePath("dir/" + example.name)))
        #expect(candidate.original == DrivePath("dir/" + example.original))
        #expect(candidate.scheme == example.scheme)
        #expect(candidate.device == example.device)
        #expect(candidate.time == example.time)
    }

    @Test(
        "Names that only look alike are nobody's copies",
        arguments: [
            "notes.sync-conflict-20200521-184717-5RQAIT.md", "notes.sync-conflict-20200521-184717-5rqaitr.md",
            "notes.sync-conflict-20201321-184717-5RQAITR.md", "notes.sync-conflict-20200521-184717-5RQAITR.tar.gz",
            "notes.sync-conflict-20200521-184717-5RQAITRX.md", "notes.sync-conflict-.md", "sync-conflict.md",
            "a (conflicted copy).txt", "a (conflicted copy from x).txt",
            "a (conflicted copy from x 2026-99-21 140307).txt",
            "a (conflicted copy 2018-04-10 093612)x.txt", "a(conflicted copy 2018-04-10 093612).txt",
            " (conflicted copy 2018-04-10 093612).txt", "a (SFConflict a@b.c).odt",
            "a (SFConflict x2024-03-01-10-22-59).odt",
            ".sync-conflict-20200521-184717-5RQAITR",
        ])
    func lookAlikesAreNot(name: String) { #expect(ConflictCandidate(DrivePath(name)) == nil) }

    @Test func schemesCanBeChosen() {
        let path: DrivePath = "n.sync-conflict-20200521-184717-5RQAITR.md"
        #expect(ConflictCandidate(path, schemes: [.docdrive]) == nil)
        #expect(ConflictCandidate(path, schemes: [.syncthing]) != nil)
    }

    @Test func copyOfCopyBelongsToTheFirstFile() throws {
        let name = "a (conflicted copy 2018-04-10 093612).sync-conflict-20200521-184717-5RQAITR.txt"
        let copy = try #require(ConflictCandidate(DrivePath(name)))
        #expect(copy.original == "a (conflicted copy 2018-04-10 093612).txt")
        #expect(copy.family == "a.txt")
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
