/// Names that nobody's program gave, close to those that some give.
enum LookAlikes {
    static let all = parenthesized + dropbox + dotted

    private static let parenthesized = [
        // Ours and Nextcloud's.
        "a (conflicted copy).txt", "a (conflicted copy from x).txt", "a (conflicted copy from x 2026-99-21 140307).txt",
        "a (conflicted copy from x 2026-02-30 140307).txt",
        "a (conflicted copy 2018-04-10 093612)x.txt", "a(conflicted copy 2018-04-10 093612).txt",
        " (conflicted copy 2018-04-10 093612).txt", "a (conflicted copy 2018-04-10 093612).tar.gz",
        "a (conflicted copy 2018-04-10 253612).txt", "a (conflicted copyAnn 2018-04-10 093612).txt",
        "a (conflicted copy x (y) 2018-04-10 093612).txt", "a (Conflicted Copy 2018-04-10 093612).txt",
        "a (conflicted copy  2018-04-10 093612.txt", "(conflicted copy 2018-04-10 093612)",
        // Seafile's.
        "a (SFConflict a@b.c).odt", "a (SFConflict x2024-03-01-10-22-59).odt", "a (SFConflict  2024-03-01-10-22-59",
        "a (sfconflict 2024-03-01-10-22-59).odt", "a (SFConflict 2024-03-01-10-22).odt",
        // Unison's.
        "a (conflict_on_2026-13-05).txt", "a (conflict #0_on_2026-01-05).txt", "a (conflict#1_on_2026-01-05).txt",
        "a (conflict_on_2026-01-05_was_changed).txt", "a (conflict #01_on_2026-01-05).txt",
        "a_(conflict_on_2026-01-05)",
        // Obsidian's.
        "a (Conflicted copy 202411281430).md", "a (Conflicted copy pc 20241128143).md",
        "a (conflicted copy pc 202411281430).md", "a (Conflicted copy pc 202411282530).md",
        "a (Conflicted copy pc202411281430).md",
        // Maestral's.
        "a (Conflicting copy).txt", "a (conflicting copy 01).txt", "a (conflicting copies).txt",
        "a ('s conflicting copy 2022-08-30).pdf", "a (Sam's conflicting copy 2022-08-32).pdf", "(conflicting copy).txt",
        "a (unicode conflict 0)", "a (Sam's conflicting copy).pdf", " (case conflict)",
    ]

    private static let dropbox = [
        "foo (Miguel Mota's conflicted copy 2014-06-31).txt", "foo (Miguel Mota's conflicted copy).txt",
        "foo ('s conflicted copy 2014-06-17).txt", "foo (Miguel Mota's Conflicted Copy 2014-06-17).txt",
        "foo (Miguel Motas conflicted copy 2014-06-17).txt", "foo (Miguel Mota's conflicted copy 2014-06-17) (1).txt",
        "foo(Miguel Mota's conflicted copy 2014-06-17).txt", "(Miguel Mota's conflicted copy 2014-06-17).txt",
        "foo (Miguel Mota's conflicted copy 2014-06-17 0).txt", "foo (Miguel Mota's conflicted copy 2014-06-17.txt",
        "foo (Miguel Mota's conflicted copy 17.06.2014).txt", "foo Miguel Mota's conflicted copy 2014-06-17).txt",
        "foo (the conflicted copy 2014-06-17).txt", "foo (2014-06-17).txt", "trip (Paris 2014-06-17).jpg",
        "foo (Case Conflict) bar", "foo (Case Conflicts)", "(Case Conflict)", "foo (Selective Sync Conflict -1)",
        "foo (Shared Folder Conflict)", "foo (Unicode Encoding Conflict x).jpg", "Case Conflict.txt",
        "a (Rebekka Schneider in Konflikt stehende Kopie 2017-01-18).xls",
        "a (in Konflikt stehende Kopie 2017-01-18).xls", "a (In Konflikt stehende Kopie von 2011-02-03).txt",
        "a (Kopie 2017-01-18).xls", "a (Copie en conflit de  2016-12-29.js", "a (Copie de pc 2016-12-29).js",
        "a (copie en conflit de pc 2016-12-29).js", "a (Copia di pc 2026-10-08).html",
        "a (Copia en conflicto de pc).R", "a (Cópia de pc 2026-05-19)", "a (Copia em conflito de pc 2026-05-19)",
        "a (Конфликтующая копия 2017-11-01).h", "a (modstridende kopi 2014-09-10).dbr", "a (の競合コピー 2026-03-07).md",
        "a (pcの競合コピー 2026-03-07).md", "a (pc 的副本 2018-01-21).pdf", "a (의 충돌된 사본 2026-09-29).md",
        "a (Conflicto de mayúsculas)",
    ]

    private static let dotted = [
        // Syncthing's.
        "notes.sync-conflict-20200521-184717-5RQAIT.md", "notes.sync-conflict-20200521-184717-5rqaitr.md",
        "notes.sync-conflict-20201321-184717-5RQAITR.md", "notes.sync-conflict-20200521-184717-5RQAITR.tar.gz",
        "notes.sync-conflict-20200521-184717-5RQAITRX.md", "notes.sync-conflict-.md", "sync-conflict.md",
        ".sync-conflict-20200521-184717-5RQAITR",
        // ownCloud's.
        "a_conflict-20180410.txt", "a_conflict-20180410-253612.txt", "a_conflict_-20180410-093612.txt",
        "_conflict-20180410-093612.txt", "a_conflict-20180410-093612.tar.gz", "a_Conflict-20180410-093612.txt",
        "a_conflict_ann20180410-093612.txt", "aconflict-20180410-093612.txt",
        // rclone's.
        "file.txt.conflict", "file.txt.conflict0", "file.txt.conflict01", "file.txt.conflict1x", "fileconflict1",
        ".conflict1", "file.conflict2.2026.gz", "file.conflict2.a b.gz", "myfile.txt.2006-13-02-conflict1",
        "file.txt-2006-01-02-conflict1",
        "file.txt..path3", "file.txt..path12", "..path1", "file.txt.path1", "file..path1.txt",
        // The OneDrive client's.
        "file-host-safeBackup-0000.txt", "file-host-safeBackup-001.txt", "file-host-safeBackup-00001.txt",
        "file-host-safeBackup-1001.txt", "file-safeBackup-0001.txt", "-host-safeBackup-0001.txt",
        "file-host-safebackup-0001.txt", "file-my host-safeBackup-0001.txt", "file--safeBackup-0001.txt",
        // git-annex's.
        "foo.variant-c69", "foo.variant-c6966", "foo.variant-C696", "foo.variant-g696", ".variant-c696",
        "foo.variant-c696.tar.gz", "foo-variant-c696", "foo.variant-SHA256E-s5--e3b0c44298fc1c149afbf4c8996fb924",
        "foo.variant-x.variant-WORM-s5-m1--report", "foo.variant-x.variant-sha256-s5--e3b0c44298fc1c149afbf4c8996fb924",
        // Resilio's.
        "filename.conflict.jpg", "filename.Conflict0.jpg", "filename.Conflict.tar.gz", "filename.Conflicts.jpg",
        ".Conflict", "Conflict.jpg", ".Conflict.jpg", "filename Conflict.jpg",
        // Nobody's.
        "", "a", "a.b", ".", "..", "...", "(", ")", " (", " ()", "a ()", "onflict", "a (onflict).x", "a ((()",
        "conflict resolution (draft).md", "2026-01-05.txt", "a (b) (c).d",
    ]

    /// Not even where guesses are asked for.
    static let guesses = [
        "report 1.pages", "report 02.pages", "report2.pages", "report 2024.pages", " 2.pages", "report 2 .pages",
        "report 2.tar.gz", "2", "report (0).pages", "report (01).pages", "report(1).pages", " (1).pages",
        "report (1)a.pages", "report (a).pages", "report (1).tar.gz", "report (-1).pages",
    ]
}
