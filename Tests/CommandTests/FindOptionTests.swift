import Foundation
import Glibc
import TestSupport
import Testing

/// What the words and options of `find` mean, one by one.
@Suite(.mayBlock) struct FindOptionTests {
    private func drive() throws -> Machine {
        let machine = try Machine()
        for name in ["a.tar.gz", "b.gz", "c.TAR.GZ", "d.md", "e.html", "f.txt", "g.TXT", "h"] {
            try machine.write("\(name)\n", to: "a/\(name)")
        }
        try machine.write("in a folder\n", to: "a/sub.tar.gz/i")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        return machine
    }

    private func found(_ machine: Machine, _ arguments: String...) throws -> String {
        let result = try machine.run(["-C", "a", "find"] + arguments)
        #expect(result.code == 0, "\(arguments): \(result.error)")
        return result.output.split(separator: "\n").joined(separator: " ")
    }

    @Test func endingsMayHaveDots() throws {
        let machine = try drive()
        #expect(try found(machine, "ext:tar.gz") == "a.tar.gz c.TAR.GZ")
        #expect(try found(machine, "ext:gz -ext:.tar.gz") == "b.gz")
        #expect(try found(machine, "ext:tar.*,md") == "a.tar.gz c.TAR.GZ d.md")
        #expect(try found(machine, "--ext", "tar.gz", "--kind", "file") == "a.tar.gz c.TAR.GZ")
        #expect(try found(machine, "--ext", " md, .html ,") == "d.md e.html")
        #expect(try found(machine, "--ext", "\u{301}x,\u{301}y,.md") == "d.md")
        let empty = try machine.run("-C", "a", "find", "--ext", " , ")
        #expect(empty.code == 64 && empty.output.isEmpty && empty.error.contains("--ext cannot be read"))
    }

    /// The parser takes the last of several.
    @Test(arguments: [
        ["--ext", "md", "--ext", "txt"], ["-name", "d", "--name", "e"], ["-onlyin", "a", "-onlyin", "a"],
        ["--kind", "file", "--kind=folder"], ["--limit=1", "--limit=2", "x"],
    ])
    func whatOnlyOneCanHoldOfIsGivenOnce(_ arguments: [String]) throws {
        let machine = try drive()
        let refused = try machine.run(["-C", "a", "find"] + arguments)
        #expect(refused.code == 64 && refused.output.isEmpty, "\(refused)")
        #expect(refused.error.contains("is given twice, and only one can hold; give it once"), "\(refused.error)")
    }

    @Test func anOptionsValueIsNoOption() throws {
        let machine = try drive()
        #expect(try found(machine, "--sort", "name", "--sort", "size", "ext:md") == "d.md")
        #expect(try found(machine, "--name", "d.md", "--", "-x", "-name") == "d.md")
    }

    /// Nothing in a name means anything else.
    @Test func aNameMayBeginWithADash() throws {
        let machine = try drive()
        let names = ["-dash", "--limit", "-C", "-h", "--name=x", "-a=\u{301}z"]
        for name in names { try machine.write("\(name)\n", to: "a/\(name)") }
        #expect(try machine.run("-C", "a", "sync").code == 0)
        for option in ["-name", "--name"] {
            for name in names {
                #expect(try found(machine, option, name) == name)
                #expect(try found(machine, "--kind", "file", option, name, "--color", "never") == name)
            }
            #expect(try found(machine, "--sort", "-name", "-C", ".", option, "-dash") == "-dash")
            #expect(try found(machine, option, "-dash", "-count") == "1")
            #expect(try found(machine, "--sort", "-name", "dash", option, "-dash") == "-dash")
            let refused = try machine.run("-C", "a", "find", option)
            #expect(refused.code == 64 && refused.error.contains("Missing value"), "\(refused)")
        }
        #expect(try found(machine, "--name=-dash") == "-dash")
    }

    @Test func patternsLookForWordsInTextsAndForFoldersInPaths() throws {
        let machine = try drive()
        try machine.write("the budget of this year\n", to: "a/in/year.txt")
        #expect(try machine.run("-C", "a", "find", "--refresh", "-count").code == 0)
        #expect(try found(machine, "text:budg*") == "in/year.txt")
        #expect(try found(machine, "text:*dget") == "in/year.txt")
        #expect(try found(machine, "text:udg*") == "")
        #expect(try found(machine, "path:in/*") == "in/year.txt")
        #expect(try found(machine, "path:*/in/y*") == "in/year.txt")
        #expect(try found(machine, "path:/in/*") == "")
    }

    /// Two things of one name in two folders are told apart by whoever stands in one of them.
    @Test func listsNamePathsAsTheyAreFromHere() throws {
        let machine = try drive()
        try machine.write("in a folder of its own\n", to: "a/in/in/d.md")
        try machine.write("d.md\n", to: "a/in/d.md")
        #expect(try machine.run("-C", "a", "find", "--refresh", "-count").code == 0)
        let bare = try machine.run("-C", "a/in", "find", "ext:md").output
        #expect(bare == "\(machine.root)/a/d.md\nd.md\nin/d.md\n", "\(bare)")
        let long = try machine.run("-C", "a/in", "find", "-l", "ext:md").output
        let paths = long.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }
        #expect(paths == bare.split(separator: "\n").map(String.init), "\(long)")
        let equal = try machine.run("-C", "a/in", "dupes").output
        #expect(equal.contains("  \(machine.root)/a/d.md\n  d.md\n"), "\(equal)")
    }

    /// It stands for itself, also where it leads to a drive.
    @Test func aLinkToADriveIsAnItem() throws {
        let machine = try drive()
        try machine.write("x", to: "b/x")
        #expect(try machine.run("init", "b", "--yes").code == 0)
        for (name, target) in [("here", "."), ("up", ".."), ("other", "../b")] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(machine.root)/a/\(name)", withDestinationPath: target)
        }
        #expect(try machine.run("-C", "a", "sync").code == 0)
        #expect(try found(machine, "kind:link") == "here other up")
        for name in ["here", "up", "other"] {
            let kind = try machine.run("-C", "a", "attrs", "-name", "kind", name)
            #expect(kind.output == "kMDItemKind = \"link\"\n", "\(kind)")
            let why = try machine.run("-C", "a", "why", name)
            #expect(why.output.hasPrefix("S \(name)  synced"), "\(why)")
            #expect(try machine.run("-C", "a", "versions", name).output.contains("current"))
        }
        #expect(try machine.run("-C", "a", "attrs", "-name", "kind", "here", "up", "other").code == 0)
    }

    @Test func pathsThatEndWithNULAreAllThatIsPrinted() throws {
        let machine = try drive()
        for other in [["-l"], ["--group-by", "ext"], ["--json"], ["--jsonl"]] {
            let refused = try machine.run(["-C", "a", "find", "-0"] + other)
            #expect(refused.code == 64 && refused.output.isEmpty && refused.error.contains("-0 prints paths"))
        }
        #expect(try machine.run("-C", "a", "ls", "-0", "--json").code == 64)
        #expect(try machine.run("-C", "a", "find", "-0", "--ext", "md").output == "d.md\0")
    }

    @Test func limitsAreNumbersOfItems() throws {
        let machine = try drive()
        #expect(try found(machine, "--kind", "file", "--sort", "-name", "--limit", "1") == "sub.tar.gz/i")
        #expect(try found(machine, "ext:md,html,txt", "--limit", "2").split(separator: " ").count == 2)
        #expect(try found(machine, "--limit", "0") == "")
        for order in [[], ["--sort", "name"]] {
            let refused = try machine.run(["-C", "a", "find", "--limit=-1"] + order)
            #expect(refused.code == 64 && refused.error.contains("--limit takes a number from 0 on: -1"))
        }
    }

    /// Everything would be found, in no order.
    @Test func whatAsksForNothingIsRefused() throws {
        let machine = try drive()
        for (arguments, part) in [
            (["--state", ""], "--state"), (["--state", ","], "--state"), (["--ext", ""], "--ext cannot be read: ''"),
            (["--sort", "text"], "by the text of documents"), (["--sort=-text"], "by the text of documents"),
            (["--group-by", "text"], "by the text of documents"),
            (["--sort", "lastused"], "no item has kMDItemLastUsedDate"),
            (["--group-by", "font"], "no item has kMDItemFonts"),
            (["--size", "10k..1k"], "--size"), (["size:10k..1k"], "the smaller one first"),
            (["--evaluate", "-", "x"], "leave out everything else"),
            (["--evaluate", "-", "--limit", "1"], "leave out everything else"),
        ] {
            let refused = try machine.run(["-C", "a", "find"] + arguments)
            #expect(refused.code == 64 && refused.output.isEmpty && refused.error.contains(part), "\(refused)")
        }
    }

    @Test func filtersAreExplained() throws {
        let machine = try drive()
        let filters = ["--ext", "tar.gz,.md", "--kind", "file", "--size", "1..2kb", "--state", "held,conflict"]
        let times = ["--since", "2026-08-21", "--before", "2026-08-22T10:30", "-onlyin", "sub.tar.gz"]
        let lines = try machine.run(["-C", "a", "find", "--explain"] + filters + times).output.split(separator: "\n")
        #expect(
            lines.prefix(8) == [
                "taken as    filters alone",
                "filter      the name ends in .md or .tar.gz, without regard to case and accents",
                "filter      it is a file", "filter      it is no folder, and has 1 to 2,000 bytes",
                "filter      it was modified at 2026-08-21 00:00:00 +0000 or later",
                "filter      it was modified before 2026-08-22 10:30:00 +0000",
                "filter      its state is conflict or held", "filter      it is in the folder sub.tar.gz",
            ])
        #expect(lines.count > 8 && lines[8].hasPrefix("SQL"))
        #expect(try machine.run("-C", "a", "find", "--explain").output == "taken as    nothing is asked\n")
        // A saved search has filters of its own, and no drive is needed to ask what they mean.
        #expect(try machine.run("-C", "a", "find", "--ext", "md", "--save", "notes").code == 0)
        #expect(
            try machine.run("-C", "a", "find", "@notes", "--explain").output.contains(
                "filter      the name ends in .md,"))
        let outside = try machine.run("find", "budget", "--size", "5", "--explain").output
        #expect(
            outside.contains("filter      it is no folder, and has 5 bytes") && outside.contains("the filters leave"))
    }

    /// A link that leads nowhere is an item like any other.
    @Test func attributesAreThoseOfItems() throws {
        let machine = try drive()
        let missing = try machine.run("-C", "a", "attrs", "x.md")
        #expect(missing.code == 64 && missing.error.contains("there is no such file or folder"))
        #expect(symlink("nowhere", "\(machine.root)/a/link") == 0)
        #expect(try machine.run("-C", "a", "sync").code == 0)
        #expect(try machine.run("-C", "a", "attrs", "-name", "kind", "link").output == "kMDItemKind = \"link\"\n")
    }

    @Test func endingsAreGroupedWithoutRegardToCase() throws {
        let machine = try drive()
        #expect(try found(machine, "ext:txt", "--group-by", "ext") == "txt (2)   f.txt   g.TXT")
        #expect(try found(machine, "ext:gz,txt", "--group-by", "ext", "--count") == "3  gz 2  txt")
        // All are counted, however few groups are asked for.
        for sort in [[], ["--sort", "name"]] {
            let largest = try machine.run(
                ["-C", "a", "find", "ext:gz,txt,md", "--group-by", "ext", "--count", "--limit", "2"] + sort)
            #expect(largest.output == "3  gz\n2  txt\n", "\(largest)")
        }
        let lines = try found(machine, "ext:txt", "--group-by", "ext", "--count", "--jsonl")
        #expect(lines.contains("\"value\":\"txt\"") && lines.contains("\"count\":2"))
        // Other texts are what they are.
        #expect(try found(machine, "ext:txt", "--group-by", "name") == "f.txt (1)   f.txt g.TXT (1)   g.TXT")
    }

    /// `=` and the mark behind it are one Character.
    @Test func valuesMayBeginWithMarks() throws {
        let machine = try drive()
        try machine.write("x\n", to: "a/\u{301}x.md")
        for arguments in [
            ["--name=\u{301}x"], ["-name=\u{301}x"], ["--name", "\u{301}x"], ["--ext=md", "--", "name:=\u{301}x.md"],
        ] {
            let result = try machine.run(["-C", "a", "find", "--barrier"] + arguments)
            #expect(result.code == 0 && result.output.contains("\u{301}x.md\n"), "\(arguments): \(result.error)")
        }
        #expect(try machine.run("-C", "a", "find", "--nam=\u{301}x").error.contains("Unknown option '--nam'"))
    }

    @Test func aKindThatThereIsNotIsAnError() throws {
        let machine = try drive()
        let unknown = try machine.run("-C", "a", "find", "kind:bogus")
        #expect(unknown.code == 64 && unknown.error.contains("column 6: there is no kind bogus: kinds are application"))
        #expect(try machine.run("-C", "a", "find", "x -kind:imgae").error.contains("Did you mean kind:image?"))
        #expect(try found(machine, "kind:FILES") == found(machine, "--kind", "file"))
        #expect(try found(machine, "kMDItemKind == file") == ".driveignore h sub.tar.gz/i")
        #expect(try found(machine, "kind:arch*") == "a.tar.gz b.gz c.TAR.GZ")
        #expect(try found(machine, "kMDItemKind == bogus") == "")
        try machine.write("BEGIN:VCALENDAR\n", to: "a/day.ics")
        #expect(try found(machine, "kind:event", "--barrier") == "day.ics")
    }
}
