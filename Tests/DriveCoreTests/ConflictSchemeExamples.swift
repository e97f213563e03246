@testable import DriveCore
import Testing

/// A name that a program gave, and what it says.
struct ConflictExample: Sendable, CustomTestStringConvertible {
    var scheme: ConflictScheme
    var name: String
    var original: String
    var device: String?
    var time: String?

    init(
        _ scheme: ConflictScheme, _ name: String, _ original: String, by device: String? = nil, at time: String? = nil
    ) {
        self.scheme = scheme
        self.name = name
        self.original = original
        self.device = device
        self.time = time
    }

    var testDescription: String { name }

    /// From the programs' documents and tests, and from names that people left in public repositories.
    static let all = own + clouds + tools + dropbox + dropboxInOtherLanguages + guesses

    private static let own = [
        ConflictExample(
            .docdrive, "Budget (conflicted copy from thinkpad 2026-08-21 140307).ods", "Budget.ods", by: "thinkpad",
            at: "2026-08-21 140307"),
        ConflictExample(
            .docdrive, "a (conflicted copy from my desk 2026-08-21 140307) 2.tar.gz", "a.tar.gz", by: "my desk",
            at: "2026-08-21 140307"),
        ConflictExample(
            .docdrive, "Makefile (conflicted copy from pc.local 2026-08-21 140307)", "Makefile", by: "pc.local",
            at: "2026-08-21 140307"),
    ]

    private static let clouds = [
        ConflictExample(
            .nextcloud, "mydata (conflicted copy 2018-04-10 093612).txt", "mydata.txt", at: "2018-04-10 093612"),
        ConflictExample(.nextcloud, "mydata (conflicted copy 2018-04-10 093612)", "mydata", at: "2018-04-10 093612"),
        ConflictExample(
            .nextcloud, "a1 (conflicted copy Ann B. 2018-04-10 093612)", "a1", by: "Ann B.", at: "2018-04-10 093612"),
        ConflictExample(
            .nextcloud, ".hidden (conflicted copy 2018-04-10 093612)", ".hidden", at: "2018-04-10 093612"),
        ConflictExample(.owncloud, "a_conflict-20180410-093612.txt", "a.txt", at: "20180410-093612"),
        ConflictExample(.owncloud, "a_conflict_ann-b-20180410-093612.txt", "a.txt", by: "ann-b", at: "20180410-093612"),
        ConflictExample(.owncloud, ".hidden_conflict-20180410-093612", ".hidden", at: "20180410-093612"),
        ConflictExample(
            .owncloud, "a_conflict_b_conflict_c-20180410-093612", "a_conflict_b", by: "c", at: "20180410-093612"),
        ConflictExample(
            .seafile, "plan (SFConflict a@b.c 2024-03-01-10-22-59).odt", "plan.odt", by: "a@b.c",
            at: "2024-03-01-10-22-59"),
        ConflictExample(.seafile, "plan (SFConflict 2024-03-01-10-22-59)", "plan", at: "2024-03-01-10-22-59"),
        ConflictExample(
            .seafile, " (SFConflict a@b.c 2024-03-01-10-22-59).bashrc", ".bashrc", by: "a@b.c",
            at: "2024-03-01-10-22-59"),
        ConflictExample(
            .onedrive, "session-large-laguna-safeBackup-0001.bin", "session-large.bin", by: "laguna"),
        ConflictExample(.onedrive, "clarice-users-predator-safeBackup-0012.db", "clarice-users.db", by: "predator"),
        ConflictExample(.onedrive, ".bashrc-pc.local-safeBackup-1000", ".bashrc", by: "pc.local"),
        ConflictExample(.resilio, "filename.Conflict.jpg", "filename.jpg"),
        ConflictExample(.resilio, "filename.Conflict1.jpg", "filename.jpg"),
        ConflictExample(.resilio, "filename.Conflict.Conflict.jpg", "filename.Conflict.jpg"),
        ConflictExample(.resilio, "Makefile.Conflict", "Makefile"),
        ConflictExample(
            .obsidian, "Meeting notes (Conflicted copy MyMacBook2 202411281430).md", "Meeting notes.md",
            by: "MyMacBook2", at: "202411281430"),
        ConflictExample(
            .obsidian, "Meeting notes (Conflicted copy Ann's iPhone (2) 202411281430).md", "Meeting notes.md",
            by: "Ann's iPhone (2)", at: "202411281430"),
        ConflictExample(
            .obsidian, "plan (Conflicted copy pc.local 202402290000)", "plan", by: "pc.local", at: "202402290000"),
    ]

    private static let hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private static let tools = [
        ConflictExample(
            .syncthing, "notes.sync-conflict-20200521-184717-5RQAITR.md", "notes.md", by: "5RQAITR",
            at: "20200521-184717"),
        ConflictExample(
            .syncthing, "notes.sync-conflict-20200521-184717-5RQAITR", "notes", by: "5RQAITR", at: "20200521-184717"),
        ConflictExample(.syncthing, "notes.sync-conflict-20160521-184717.md", "notes.md", at: "20160521-184717"),
        ConflictExample(
            .syncthing, ".sync-conflict-20200521-184717-5RQAITR.bashrc", ".bashrc", by: "5RQAITR",
            at: "20200521-184717"),
        ConflictExample(
            .syncthing, "a.tar.sync-conflict-20200521-184717-5RQAITR.gz", "a.tar.gz", by: "5RQAITR",
            at: "20200521-184717"),
        ConflictExample(.unison, "a (conflict_on_2026-01-05).txt", "a.txt", at: "2026-01-05"),
        ConflictExample(.unison, "a (conflict #1_on_2026-01-05).txt", "a.txt", at: "2026-01-05"),
        ConflictExample(.unison, "index (conflict #12_on_2026-01-05_was_deleted)", "index", at: "2026-01-05"),
        ConflictExample(.unison, " (conflict_on_2026-01-05_was_deleted).bashrc", ".bashrc", at: "2026-01-05"),
        ConflictExample(.rclone, "file.txt.conflict1", "file.txt"),
        ConflictExample(.rclone, "file.txt.conflict23", "file.txt"),
        ConflictExample(.rclone, "file.conflict2.txt", "file.txt"),
        ConflictExample(.rclone, "file.conflict2.tar.gz", "file.tar.gz"),
        ConflictExample(.rclone, "myfile.txt.2006-01-02-conflict1", "myfile.txt", at: "2006-01-02"),
        // By rclone 1.75, with --suffix-keep-extension.
        ConflictExample(.rclone, "n0008 2026-01-01.conflict1.log.txt", "n0008 2026-01-01.log.txt"),
        ConflictExample(.rclone, "file.conflict2.zip.gz", "file.zip.gz"),
        ConflictExample(.rclone, "file5.txt..path1", "file5.txt"),
        ConflictExample(.rclone, "file5..path2", "file5"),
        ConflictExample(.gitannex, "foo.variant-c696", "foo"),
        ConflictExample(.gitannex, "foo.variant-f16a.tar", "foo.tar"),
        ConflictExample(.gitannex, ".variant-f16a.bashrc", ".bashrc"),
        ConflictExample(
            .gitannex, "foo.variant-c696.variant-SHA256E-s5--\(hash).txt.txt", "foo.variant-c696.txt"),
        ConflictExample(.gitannex, "foo.variant-c696.variant-SHA256-s5--\(hash)", "foo.variant-c696"),
        ConflictExample(
            .maestral, "myfile (Sam's conflicting copy 2022-08-30).pdf", "myfile.pdf", by: "Sam", at: "2022-08-30"),
        ConflictExample(
            .maestral, "myfile (Sam’s conflicting copy 2022-08-30 1).pdf", "myfile.pdf", by: "Sam", at: "2022-08-30"),
        ConflictExample(.maestral, "my_file (conflicting copy).txt", "my_file.txt"),
        ConflictExample(.maestral, "my_file (conflicting copy 1).txt", "my_file.txt"),
        ConflictExample(.maestral, "folder (selective sync conflict 1)", "folder"),
        ConflictExample(.maestral, "x (case conflict)", "x"),
        ConflictExample(.maestral, "x.y (unicode conflict 2)", "x.y"),
    ]

    private static let dropbox = [
        ConflictExample(
            .dropbox, "foo (Miguel Mota's conflicted copy 2014-06-17).txt", "foo.txt", by: "Miguel Mota",
            at: "2014-06-17"),
        ConflictExample(
            .dropbox, "foo (Miguel Mota’s conflicted copy 2014-06-17).txt", "foo.txt", by: "Miguel Mota",
            at: "2014-06-17"),
        ConflictExample(
            .dropbox, "foo (pc (work)'s conflicted copy 2014-06-17 (1)).txt", "foo.txt", by: "pc (work)",
            at: "2014-06-17"),
        ConflictExample(
            .dropbox, "index (MBP.fritz.box's conflicted copy 2014-06-17 2)", "index", by: "MBP.fritz.box",
            at: "2014-06-17"),
        ConflictExample(.dropbox, "foo (conflicted copy 2014-06-17).txt", "foo.txt", at: "2014-06-17"),
        ConflictExample(.dropbox, "vegetables (Case Conflict)", "vegetables"),
        ConflictExample(.dropbox, "kbookocr.ui (Case Conflict 1)", "kbookocr.ui"),
        ConflictExample(.dropbox, "kbookocr (Case Conflict (1)).ui", "kbookocr.ui"),
        ConflictExample(.dropbox, "Shkodër,+Albania (Unicode Encoding Conflict).jpg", "Shkodër,+Albania.jpg"),
        ConflictExample(.dropbox, "Teaching (Selective Sync Conflict 1)", "Teaching"),
        ConflictExample(.dropbox, "Teaching (shared folder conflict)", "Teaching"),
    ]

    private static let dropboxInOtherLanguages: [ConflictExample] = [
        (
            "combined (Rebekka Schneiders in Konflikt stehende Kopie 2017-01-18).xls", "combined.xls",
            "Rebekka Schneider", "2017-01-18"
        ),
        ("a (In Konflikt stehende Kopie von pc 2011-02-03).txt", "a.txt", "pc", "2011-02-03"),
        ("app (Copie en conflit de Yamisaaf Yamidevs 2016-12-29).js", "app.js", "Yamisaaf Yamidevs", "2016-12-29"),
        ("k (Copie en conflit de SEMLOG-GTH-0001 2025-11-17).py", "k.py", "SEMLOG-GTH-0001", "2025-11-17"),
        (
            "index (Copia in conflitto di MBP-di-Marco.fritz.box 2026-10-08).html", "index.html",
            "MBP-di-Marco.fritz.box", "2026-10-08"
        ),
        ("b1b2 (Copia en conflicto de Eduardo Zago 2026-05-04).R", "b1b2.R", "Eduardo Zago", "2026-05-04"),
        ("a (Copia conflictiva de pc 2011-02-03).txt", "a.txt", "pc", "2011-02-03"),
        ("index (Cópia em conflito de URSS4 2026-05-19)", "index", "URSS4", "2026-05-19"),
        (
            "SENHAS (Co\u{301}pia em conflito de Contabilidade Cajuru 2026-08-25 1).xlsx", "SENHAS.xlsx",
            "Contabilidade Cajuru", "2026-08-25"
        ),
        ("e (kopia powodująca konflikt użytkownika Jan 2026-10-02).json", "e.json", "Jan", "2026-10-02"),
        ("e (kopia powoduja\u{328}ca konflikt uz\u{307}ytkownika Jan 2026-10-02).json", "e.json", "Jan", "2026-10-02"),
        ("customtree (Конфликтующая копия с компьютера MAIN-PC 2017-11-01).h", "customtree.h", "MAIN-PC", "2017-11-01"),
        ("a (Конфликтующая копия пользователя Alexei 2022-02-14).html", "a.html", "Alexei", "2022-02-14"),
        ("um_rakanizeus_17 (pcos modstridende kopi 2014-09-10).dbr", "um_rakanizeus_17.dbr", "pco", "2014-09-10"),
        ("scen (Elins iPhone:s motstridiga kopia 2026-10-03).md", "scen.md", "Elins iPhone", "2026-10-03"),
        ("p test (KのMac mini の競合コピー 2026-03-07).md", "p test.md", "KのMac mini", "2026-03-07"),
        ("p test (pc の競合コヒ\u{309A}ー 2026-03-07).md", "p test.md", "pc", "2026-03-07"),
        ("AGC027 E 0_01 (競合コピー 2018-09-15).txt", "AGC027 E 0_01.txt", nil, "2018-09-15"),
        ("a (pc 上の問題のあるコピー 2011-02-03).txt", "a.txt", "pc", "2011-02-03"),
        ("BMC-ALL-v3 (G Z 的冲突副本 2018-01-21).pdf", "BMC-ALL-v3.pdf", "G Z", "2018-01-21"),
        ("보고서 (김의 충돌된 사본 2026-09-29).md", "보고서.md", "김", "2026-09-29"),
        ("APAREO (Conflicto de mayúsculas y minúsculas)", "APAREO", nil, nil),
        ("APAREO (Conflicto de mayu\u{301}sculas y minu\u{301}sculas (1)).c", "APAREO.c", nil, nil),
    ].map { ConflictExample(.dropbox, $0, $1, by: $2, at: $3) }

    private static let guesses = [
        ConflictExample(.icloud, "report 2.pages", "report.pages"),
        ConflictExample(.icloud, "git 2", "git"),
        ConflictExample(.icloud, ".env 13", ".env"),
        ConflictExample(.icloud, "site 2.web manifest", "site.web manifest"),
        ConflictExample(.autorename, "report (1).pages", "report.pages"),
        ConflictExample(.autorename, "rebel-system (1)", "rebel-system"),
        ConflictExample(.autorename, "main (12).tar", "main.tar"),
    ]
}
