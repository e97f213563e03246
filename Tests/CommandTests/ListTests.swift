import Foundation
import Glibc
import TestSupport
import Testing

/// What `ls` lists for what is named.
@Suite(.mayBlock) struct ListTests {
    private func listed(_ machine: Machine, _ arguments: String...) throws -> String {
        let result = try machine.run(["-C", "a", "ls"] + arguments)
        #expect(result.code == 0, "\(arguments): \(result.error)")
        return result.output
    }

    @Test func aFileIsListedItself() throws {
        let machine = try Machine()
        for path in ["f", "D/g", "D/h"] { try machine.write("text\n", to: "a/\(path)") }
        try machine.write("ignored.txt\n", to: "a/.driveignore")
        for (link, target) in [("L", "D"), ("lost", "nowhere"), ("tof", "f"), ("out", "../b")] {
            #expect(symlink(target, "\(machine.root)/a/\(link)") == 0)
        }
        try machine.write("elsewhere\n", to: "b/x")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        let file = try listed(machine, "D/g")
        #expect(file.hasSuffix("  D/g\n") && file.count { $0 == "\n" } == 1, "\(file)")
        #expect(try listed(machine, "f", "-0") == "f\0")
        #expect(try listed(machine, "f", "-l").contains("5 bytes"))
        #expect(try listed(machine, "f", "--json").contains("\"path\" : \"f\""))
        #expect(try listed(machine, "f", "--state", "conflict").isEmpty)
        #expect(try listed(machine, "D", "-0") == "g\0h\0")
        // A link to a folder of the drive is that folder, any other is an item.
        #expect(try listed(machine, "L", "-0") == "g\0h\0")
        #expect(try listed(machine, "L/g", "-0") == "D/g\0")
        for link in ["lost", "tof", "out"] { #expect(try listed(machine, link, "-0") == "\(link)\0") }
        try machine.write("x\n", to: "a/ignored.txt")
        let ignored = try machine.run("-C", "a", "ls", "ignored.txt")
        #expect(ignored.code == 64 && ignored.error.contains("the drive has no such item"))
    }

    /// No pass takes up what a rule hides.
    @Test func theAttributesOfWhatIsIgnoredAreNotWaitedFor() throws {
        let machine = try Machine()
        try machine.write("*.tmp\nout/\n", to: "a/.driveignore")
        for name in ["x.tmp", "out/o", "f"] { try machine.write("x\n", to: "a/\(name)") }
        #expect(try machine.run("init", "a", "--yes").code == 0)
        func refused(_ path: String) throws -> String {
            let result = try machine.run("-C", "a", "attrs", path)
            #expect(result.code == 64 && result.output.isEmpty, "\(result)")
            return result.error
        }
        for (path, rule, line) in [("x.tmp", "*.tmp", 1), ("out", "out/", 2), ("out/o", "out/", 2)] {
            let error = try refused(path)
            #expect(error.contains("ignored by your rule `\(rule)` (.driveignore:\(line))"), "\(error)")
            #expect(error.contains("change that line to have it found"), "\(error)")
            #expect(!error.contains("docdrive sync"), "\(error)")
        }
        #expect(try refused(".docdrive").contains("this name belongs to the drive itself"))
        try machine.write("new\n", to: "a/new")
        #expect(try refused("new").contains("`docdrive -C a sync` looks at the folder"))
    }

    @Test func aPauseIsToldWithWhatIsNotSent() throws {
        let machine = try Machine()
        try machine.twoDrives()
        #expect(try machine.run("-C", "a", "pause", "--for", "3d").code == 0)
        try machine.write("changed", to: "a/Letter.txt")
        let why = try machine.run("why", "a/Letter.txt").output
        #expect(why.contains("why        paused: nothing is sent or brought\n"), "\(why)")
        #expect(why.contains("do         docdrive -C a resume\n"), "\(why)")
        // Not only the time of another day.
        #expect(why.contains("next try   20"), "\(why)")
        let list = try machine.run("ls", "a")
        #expect(list.error.contains("docdrive: nothing watches the drive; as of 20"), "\(list.error)")
        #expect(list.error.contains("docdrive: paused: nothing is sent or brought until 20"), "\(list.error)")
        #expect(list.error.hasSuffix(", or `docdrive -C a resume`\n"), "\(list.error)")
        #expect(try machine.run("-C", "a", "resume").code == 0)
        #expect(try !machine.run("ls", "a").error.contains("paused"))
    }

    /// Its copy may get another name by that, which an apply looks at: that is not a download.
    @Test func anEditBesideACopyIsOnItsWayUp() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("by alpha", to: "a/Letter.txt")
        try machine.write("by beta, longer", to: "b/Letter.txt")
        for drive in ["a", "b", "a"] { #expect(try machine.run("sync", drive).code == 0) }
        #expect(rename("\(machine.root)/store", "\(machine.root)/away") == 0)
        try machine.write("edited beside its copy", to: "a/Letter.txt")
        #expect(try machine.run("sync", "a").code == 69)
        let lines = try listed(machine).split(separator: "\n").filter { $0.contains("Letter") }
        #expect(lines.count == 2, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("U ") && $0.hasSuffix("  Letter.txt") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("C ") }, "\(lines)")
    }

    /// Something that is not synced has the name of a folder that others have.
    private func driveThatLacksAFolder() throws -> Machine {
        let machine = try Machine()
        try machine.twoDrives()
        try #require(mkfifo("\(machine.root)/b/New", 0o600) == 0)
        try machine.write("n\n", to: "a/New/in/n.txt")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("sync", "b").code == 2)
        return machine
    }

    @Test func whatIsStillToBeBroughtIsListedForWhoAsksForIt() throws {
        let machine = try driveThatLacksAFolder()
        func listed(_ arguments: String...) throws -> String { try machine.run(["-C", "b", "ls"] + arguments).output }
        #expect(try listed("-R").split(separator: "\n").map { $0.dropFirst(3) } == [".driveignore", "Letter.txt"])
        #expect(try listed("--state", "D") == "D  New/\n")
        #expect(try listed("-R", "--state", "D") == "D  New/\nD  New/in/\nD  New/in/n.txt\n")
        #expect(try listed("New", "--state", "D") == "D  in/\n")
        #expect(try listed("New", "-R", "--state", "pending") == "D  in/\nD  in/n.txt\n")
        #expect(try listed("New/in/n.txt", "--state", "D", "-0") == "New/in/n.txt\0")
        let unasked = try machine.run("-C", "b", "ls", "New")
        #expect(unasked.code == 64 && unasked.error.contains("the drive has no such item"), "\(unasked)")
    }

    /// Times of folders do not travel.
    @Test func aDateThatNobodyKnowsIsNotTold() throws {
        let machine = try driveThatLacksAFolder()
        func found(_ arguments: String...) throws -> String {
            try machine.run(["-C", "b", "find", "downloaded:no", "--kind", "folder"] + arguments).output
        }
        let unknown = "D           -                 -  New"
        #expect(try found("-l") == "\(unknown)/\n\(unknown)/in/\n")
        #expect(try machine.run("-C", "b", "ls", "-l", "--state", "D").output == "\(unknown)/\n")
        #expect(try !found("--json").contains("\"modified\""))
        #expect(try found("--count", "--before", "2100-01-01") == "0\n")
        #expect(try found("--count", "--since", "1960-01-01") == "0\n")
        #expect(try found("modified:<2100-01-01") == "")
        #expect(try found("--group-by", "modified", "--count") == "2  (none)\n")
        #expect(try !machine.run("-C", "b", "status", "--json").output.contains("\"modified\" : 0"))
    }

    /// As Apple's keys have it: the error of the last try, for as long as the item is still to be sent.
    @Test func whatWaitsForAStoreThatIsAwayHasAnError() throws {
        let machine = try Machine()
        try machine.twoDrives(["Letter.txt": "dear\n", "Other.txt": "you\n"])
        func waiting() throws -> String { try machine.run("-C", "a", "find", "uploaderror:*").output }
        #expect(rename("\(machine.root)/store", "\(machine.root)/away") == 0)
        try machine.write("second", to: "a/Letter.txt")
        #expect(try machine.run("sync", "a").code == 69)
        #expect(try waiting() == "Letter.txt\n")
        let error = try machine.run("attrs", "-raw", "-name", "uploaderror", "a/Letter.txt").output
        #expect(machine.plain(error) == "the store's folder is not there: ~/store; is its disk mounted?\0", "\(error)")
        #expect(try machine.run("attrs", "-raw", "-name", "uploaderror", "a/Other.txt").output == "(null)\0")
        #expect(rename("\(machine.root)/away", "\(machine.root)/store") == 0)
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try waiting() == "")
        // Whoever watches the drive tries too.
        let watch = try machine.watch("a")
        defer { watch.end() }
        #expect(rename("\(machine.root)/store", "\(machine.root)/away") == 0)
        try machine.write("third", to: "a/Other.txt")
        #expect(try eventually { try waiting() == "Other.txt\n" })
        #expect(rename("\(machine.root)/away", "\(machine.root)/store") == 0)
        #expect(try eventually { try waiting() == "" })
    }

    /// As a watch does: what is found, listed and kept does not depend on the store.
    @Test func aSyncTakesUpWhatChangedWithoutItsStore() throws {
        let machine = try Machine()
        try machine.twoDrives()
        #expect(rename("\(machine.root)/store", "\(machine.root)/away") == 0)
        for text in ["second", "third"] {
            try machine.write(text, to: "a/Letter.txt")
            try machine.write("new, \(text)", to: "a/\(text).txt")
            #expect(try machine.run("sync", "a").code == 69)
        }
        let lines = try listed(machine).split(separator: "\n")
        for name in ["Letter.txt", "second.txt", "third.txt"] { #expect(lines.contains("U  \(name)"), "\(lines)") }
        #expect(try machine.run("-C", "a", "find", "third").output == "third.txt\n")
        let versions = try machine.run("versions", "a/Letter.txt").output.split(separator: "\n")
        try #require(versions.count == 3, "\(versions)")
        #expect(rename("\(machine.root)/away", "\(machine.root)/store") == 0)
        for drive in ["a", "b"] { #expect(try machine.run("sync", drive).code == 0) }
        #expect(machine.read("b/Letter.txt") == "third")
        #expect(try machine.run("restore", "a/Letter.txt@\(versions[1].prefix(8))").code == 0)
        #expect(machine.read("a/Letter.txt") == "second")
    }
}
