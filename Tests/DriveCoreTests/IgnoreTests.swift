import DriveCore
import Testing

@Suite("Ignore rules")
struct IgnoreTests {
    /// The examples and promises of gitignore(5): rules, path (a folder with a slash at its end), ignored or not.
    static let manual: [(rules: String, path: String, isIgnored: Bool)] = [
        ("hello.*", "hello.txt", true), ("hello.*", "a/hello.java", true), ("/hello.*", "hello.c", true),
        ("/hello.*", "a/hello.c", false), ("foo/", "foo/", true), ("foo/", "foo", false), ("foo/", "a/foo/x", true),
        ("doc/frotz", "doc/frotz/", true), ("/doc/frotz", "doc/frotz", true), ("doc/frotz", "a/doc/frotz", false),
        ("frotz/", "a/frotz/", true), ("foo/*", "foo/test.json", true), ("foo/*", "foo/bar/", true),
        ("**/foo", "foo", true), ("**/foo", "a/b/foo", true), ("**/foo/bar", "x/foo/bar", true),
        ("**/foo/bar", "x/foo/y/bar", false), ("abc/**", "abc/x/y", true), ("abc/**", "abc/", false),
        ("a/**/b", "a/b", true), ("a/**/b", "a/x/b", true), ("a/**/b", "a/x/y/b", true), ("a/**/b", "ab", false),
        ("*.html\n!foo.html", "foo.html", false), ("*.html\n!foo.html", "bar.html", true),
        ("\\#x", "#x", true), ("#x", "#x", false), ("\\!x", "!x", true), ("x\\ ", "x ", true), ("x  ", "x", true),
        ("x\t", "x", false), ("/*\n!/foo\n/foo/*\n!/foo/bar", "foo/bar", false),
        ("/*\n!/foo\n/foo/*\n!/foo/bar", "foo/else", true), ("/*\n!/foo\n/foo/*\n!/foo/bar", "x", true),
        ("dir\n!dir/kept", "dir/kept", true), ("fo?", "foo", true), ("fo?", "fo", false), ("[a-c]x", "bx", true),
        ("[!a-c]x", "bx", false), ("a[[:digit:]]", "a7", true), ("a*c", "abbc", true), ("a*c", "ab/c", false),
        ("x\r\ny\r\n", "x", true), ("\u{FEFF}x", "x", true),
    ]

    @Test("The examples of gitignore(5) hold", arguments: manual)
    func manualHolds(_ example: (rules: String, path: String, isIgnored: Bool)) {
        var tree = IgnoreTree()
        tree[.root] = IgnoreRules(example.rules)
        #expect(tree.ignores(DrivePath(example.path), isFolder: example.path.hasSuffix("/")) == example.isIgnored)
    }

    /// In git these match nothing. Nothing else can be meant by them, and what they are to keep back would be sent.
    @Test(arguments: [
        ("./secret/", "secret/", true), ("./secret/", "secret/key", true), ("./secret/", "a/secret/", false),
        ("././key", "key", true), ("./*.key", "a.key", true), ("./*.key", "b/a.key", false), ("./a/b", "a/b", true),
        ("*\n!./kept", "kept", false), ("./\\#x", "#x", true),
    ])
    func whatBeginsHereIsOfTheFilesFolder(rules: String, path: String, isIgnored: Bool) {
        var tree = IgnoreTree()
        tree[.root] = IgnoreRules(rules)
        #expect(tree.ignores(DrivePath(path), isFolder: path.hasSuffix("/")) == isIgnored)
        #expect(IgnoreRules(rules).problems.isEmpty)
    }

    @Test func aFileThatIsTooLongSaysWhereItEnds() {
        let rules = IgnoreRules(Array("x\nsecr".utf8), isCut: true)
        #expect(rules.problems.map(\.line) == [2])
        var tree = IgnoreTree()
        tree[.root] = rules
        #expect(tree.ignores("x", isFolder: false) && !tree.ignores("secr", isFolder: false))
    }

    /// What it is to hide nobody knows.
    @Test func aFileThatCannotBeReadHidesAllInItsFolder() throws {
        var tree = IgnoreTree()
        tree["a"] = .unread("it is locked")
        tree["a/b"] = IgnoreRules("!*")
        #expect(tree.ignores("a/x", isFolder: false) && tree.ignores("a/b/x", isFolder: false))
        #expect(!tree.ignores("x", isFolder: false) && !tree.ignores("a/.driveignore", isFolder: false))
        let decision = try #require(tree.decision(for: "a/b/x", isFolder: false))
        #expect(decision.isUnread && decision.path == "a/b" && decision.file == "a/.driveignore")
        #expect(IgnoreRules.unread("it is locked").problems.map(\.line) == [0])
        #expect(IgnoreRules.unread("").isUnread && !IgnoreRules.empty("").isUnread && !IgnoreRules("*").isUnread)
    }

    @Test func deeperFileDecidesFirst() {
        var tree = IgnoreTree()
        tree[.root] = IgnoreRules("*.log\nbuild")
        tree["a"] = IgnoreRules("!keep.log\n/only")
        tree["build"] = IgnoreRules("!*")
        #expect(!tree.ignores("a/keep.log", isFolder: false))
        #expect(tree.ignores("keep.log", isFolder: false))
        #expect(tree.ignores("a/only", isFolder: false))
        #expect(!tree.ignores("a/b/only", isFolder: false))
        #expect(!tree.ignores("only", isFolder: false))
        // Nothing beneath an ignored folder comes back.
        #expect(tree.ignores("build/keep", isFolder: false))
    }

    @Test func noRuleHidesAnIgnoreFile() {
        var tree = IgnoreTree()
        tree[.root] = IgnoreRules(".*\n/away/")
        #expect(!tree.ignores(".driveignore", isFolder: false))
        #expect(!tree.ignores("a/.driveignore", isFolder: false))
        #expect(tree.ignores("a/.other", isFolder: false))
        #expect(tree.ignores("a/.driveignore", isFolder: true))
        #expect(tree.ignores("away/.driveignore", isFolder: false))
    }

    @Test func whatADriveKeepsForItselfIsHiddenWhateverRulesSay() {
        var tree = IgnoreTree()
        for rules in ["", "!.docdrive\n!*"] {
            tree[.root] = IgnoreRules(rules)
            #expect(tree.ignores(".docdrive", isFolder: true) && tree.ignores("old/.docdrive", isFolder: true))
            #expect(tree.ignores("old/.docdrive/credentials", isFolder: false))
            #expect(tree.ignores("old/.docdrive/staging/in", isFolder: true))
            #expect(!tree.ignores("old/.docdrive", isFolder: false), "a file of that name is a document")
            #expect(!tree.ignores("old", isFolder: true) && !tree.ignores("old/x.docdrive/y", isFolder: false))
        }
    }

    @Test func ofTwoFilesForOneFolderEitherHides() throws {
        var tree = IgnoreTree()
        tree["a"] = IgnoreRules("*.log\n!kept.log\n!mine")
        tree[file: "a/.driveignore copy"] = IgnoreRules("mine\n!run.log")
        #expect(tree.ignores("a/run.log", isFolder: false))
        #expect(tree.ignores("a/mine", isFolder: false))
        #expect(!tree.ignores("a/kept.log", isFolder: false))
        #expect(try #require(tree.decision(for: "a/mine", isFolder: false)).file == "a/.driveignore copy")
        tree[file: "a/.driveignore copy"] = nil
        #expect(!tree.ignores("a/mine", isFolder: false))
        #expect(tree["a"] != nil)
    }

    @Test func decisionNamesFileLineAndText() throws {
        var tree = IgnoreTree()
        tree["a"] = IgnoreRules("# what follows\n\nout/  \n!x")
        let above = try #require(tree.decision(for: "a/out/deep/file", isFolder: false))
        #expect(above.isIgnored)
        #expect(above.path == "a/out")
        #expect(above.file == "a/.driveignore")
        #expect(above.line == 3)
        #expect(above.text == Array("out/".utf8))
        let kept = try #require(tree.decision(for: "a/x", isFolder: false))
        #expect(!kept.isIgnored)
        #expect(kept.line == 4)
        #expect(tree.decision(for: "x", isFolder: false) == nil)
        #expect(tree.decision(for: .root, isFolder: true) == nil)
    }

    @Test func removedRulesNoLongerCount() {
        var tree = IgnoreTree()
        tree["a/b"] = IgnoreRules("x")
        #expect(tree.ignores("a/b/x", isFolder: false))
        tree["a/b"] = nil
        tree["c"] = nil
        #expect(!tree.ignores("a/b/x", isFolder: false))
        #expect(tree["a/b"] == nil)
    }

    @Test func badLinesAreReportedAndTheOthersHold() {
        let rules = IgnoreRules("[a\nx\n[[:nope:]]\nend\\\n!\n/\na//b\n../c\n\0\n\\\n./\n./../c")
        #expect(rules.problems.map(\.line) == [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
        #expect(rules.problems.allSatisfy { !$0.reason.isEmpty })
        var tree = IgnoreTree()
        tree[.root] = rules
        #expect(tree.ignores("x", isFolder: false))
        #expect(!tree.ignores("c", isFolder: false))
    }

    @Test func namesAreBytes() {
        var tree = IgnoreTree()
        tree[.root] = IgnoreRules([0x66, 0xFF, 0x2A, 0x0A, 0x5B, 0x80, 0x2D, 0x90, 0x5D])
        #expect(tree.ignores(DrivePath([FileName(bytes: [0x66, 0xFF, 0x00 + 1])]), isFolder: false))
        #expect(tree.ignores(DrivePath([FileName(bytes: [0x85])]), isFolder: false))
        #expect(!tree.ignores(DrivePath([FileName(bytes: [0x66])]), isFolder: false))
        // A question mark is one byte: "é" has two.
        tree[.root] = IgnoreRules("?")
        #expect(!tree.ignores("é", isFolder: false))
    }

    @Test(
        "The default file hides what programs leave behind, and no work",
        arguments: [
            (".~lock.Budget.ods#", true), ("~$Report.docx", true), (".#notes.txt", true), ("#notes.txt#", true),
            (".notes.txt.swp", true), (".notes.swo", true), ("4913", true), (".goutputstream-AB12", true),
            ("film.mkv.part", true), (".DS_Store", true), ("Thumbs.db", true), ("desktop.ini", true),
            (".Trash-1000", true),
            (".nfs000001", true), ("a.tmp", false), ("a~", false), (".git", false), ("#chapter", false),
            ("notes.txt", false),
            ("part", false), (".driveignore", false), ("lock#", false),
        ])
    func defaultFile(name: String, isIgnored: Bool) {
        let rules = IgnoreRules(IgnoreRules.defaultFile)
        #expect(rules.problems.isEmpty)
        var tree = IgnoreTree()
        tree[.root] = rules
        #expect(tree.ignores(DrivePath("a/b/" + name), isFolder: false) == isIgnored)
    }

    /// Of the file system whose topmost folder the drive is; elsewhere it is a folder as others are.
    @Test func whatAFileSystemKeepsIsNoItem() {
        var tree = IgnoreTree()
        tree[.root] = IgnoreRules("!*")
        #expect(tree.ignores("lost+found", isFolder: true) && tree.ignores("lost+found/#12", isFolder: false))
        #expect(!tree.ignores("lost+found", isFolder: false) && !tree.ignores("a/lost+found", isFolder: true))
    }

    /// A matcher that backtracks would not come to an end here.
    @Test func patternsThatInviteBacktrackingStayCheap() {
        var tree = IgnoreTree()
        let stars = String(repeating: "*a", count: 40) + "b"
        tree[.root] = IgnoreRules(stars + "\n" + String(repeating: "**/*a*/", count: 30) + "b")
        let name = String(repeating: "a", count: 250)
        let path = DrivePath(Array(repeating: FileName(name), count: 15))
        #expect(!tree.ignores(path, isFolder: false))
    }
}
