import Foundation
import Glibc
import TestSupport
import Testing

/// Rules change what is to be done in folders in which nothing has changed.
@Suite(.mayBlock)
struct IgnoreChangeTests {
    /// In step, and looked at once more, so that the folders are known.
    private func quiet(_ machine: borrowing Machine) throws {
        for _ in 0..<3 { #expect(try machine.run("-C", "a", "sync").code == 0) }
    }

    private func knows(_ path: String, _ machine: borrowing Machine) throws -> Bool {
        try machine.run("-C", "a", "find", "--name", path, "--count").output == "1\n"
    }

    @Test func whatARuleLetsGoIsTakenUp() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("x", to: "a/deep/er/half.part")
        try machine.write("*.part\n", to: "a/.driveignore")
        try quiet(machine)
        #expect(try !knows("half.part", machine))
        try machine.write("# nothing\n", to: "a/.driveignore")
        try quiet(machine)
        #expect(try knows("half.part", machine))
    }

    /// What they were to keep back is sent, so nobody is to find out by chance.
    @Test func linesThatMatchNothingAreTold() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("./secret/\n\n[key\n", to: "a/.driveignore")
        try machine.write("mine", to: "a/secret/key")
        try machine.write("a\\\n", to: "a/deep/.driveignore")
        let told = [
            ".driveignore:3: `[key` matches nothing: a `[` is not closed by a `]`; correct the line\n",
            "deep/.driveignore:1: `a\\` matches nothing: a backslash at the end escapes nothing; correct the line\n",
        ]
        let sync = try machine.run("sync", "a")
        #expect(sync.code == 0 && sync.error == told.map { "docdrive: " + $0 }.joined(), "\(sync.error)")
        #expect(try machine.run("sync", "b").error.contains(told[0]))
        #expect(machine.files("b")["secret/key"] == nil)
        for arguments in [["status"], ["status", "--short"], ["ignored"]] {
            let output = try machine.run(["-C", "a"] + arguments).output
            #expect(told.allSatisfy(output.contains), "\(arguments): \(output)")
        }
        #expect(try !machine.run("-C", "a", "ignored", "secret").output.contains("deep/"))
        let doctor = try machine.run("doctor", "a").output
        #expect(doctor.contains("warning  items") && doctor.contains(".driveignore:3: `[key`"), "\(doctor)")
        let json = try machine.run("-C", "a", "ignored", "--jsonl").output
        #expect(json.contains(#""type":"idle-rule""#) && json.contains(#""path":"secret""#), "\(json)")
        #expect(try machine.run("-C", "a", "status", "--json").output.contains(#""rule" : "[key""#))
        try machine.write("/key\n", to: "a/.driveignore")
        try machine.remove("a/deep/.driveignore")
        #expect(try machine.run("sync", "a").error.isEmpty)
    }

    /// Another device may have sent it: nothing outside of the drive is read, and nothing is waited for. What the rules would be where
    /// a link leads nobody knows.
    @Test func whatIsNoFileHoldsNoRules() throws {
        let machine = try Machine()
        try machine.twoDrives(["x.txt": "x"])
        try machine.write("*.md\n", to: "out")
        let place = "\(machine.root)/a/.driveignore"
        for target in ["\(machine.root)/out", "/dev/zero", nil] {
            try machine.remove("a/.driveignore")
            if let target { #expect(symlink(target, place) == 0) } else { #expect(mkfifo(place, 0o600) == 0) }
            let ignored = try machine.run("-C", "a", "ignored").output
            let why = try machine.run("-C", "a", "why", "x.txt")
            let what = target == nil ? "it is no file" : "it is a symbolic link, which is not followed"
            #expect(ignored.hasPrefix("Nothing is ignored.\n! .driveignore: \(what)"), "\(ignored)")
            #expect(why.code == 0 && !why.output.contains("ignored"), "\(why)")
        }
    }

    /// It is neither sent nor brought, so what was known of it says nothing of the disk; for others it lives on.
    @Test func whatARuleHidesLaterIsNoItemHereUntilNoRuleDoes() throws {
        let machine = try Machine()
        try machine.twoDrives(["thesis.tmp": "thesis one", "out/deep/thesis.txt": "thesis one", "plain": "thesis"])
        func lists(_ query: String...) throws -> String {
            let found = try machine.run(["-C", "a", "find", "--refresh"] + query)
            #expect(!found.error.contains("not read yet"), "\(found.error)")
            return found.output
        }
        #expect(try lists("thesis") == "out/deep/thesis.txt\nplain\nthesis.tmp\n")
        try machine.write("*.tmp\nout/\n", to: "a/.driveignore")
        try quiet(machine)
        try machine.write("thesis two, much longer now", to: "a/thesis.tmp")
        try machine.write("thesis two, much longer now", to: "a/out/deep/thesis.txt")
        try quiet(machine)
        #expect(try lists("thesis") == "plain\n")
        #expect(try lists("longer").isEmpty)
        #expect(try lists("name:thesis", "uploaded:yes").isEmpty)
        #expect(try lists("--name", "thesis", "--count") == "0\n")
        let names = try machine.run("-C", "a", "ls", "-R").output
        #expect(!names.contains("thesis") && !names.contains("out"), "\(names)")
        #expect(try machine.run("-C", "a", "status").output.contains("Items    2, "))
        #expect(try machine.run("sync", "a").output.contains("; 2 items"))
        #expect(try machine.run("-C", "a", "dupes").output.contains("No two files"))
        for (command, answer) in [("ls", "docdrive -C a why PATH"), ("attrs", "ignored by your rule")] {
            let asked = try machine.run("-C", "a", command, "thesis.tmp")
            #expect(asked.code == 64 && asked.error.contains(answer), "\(command): \(asked)")
        }
        #expect(try machine.run("-C", "a", "why", "thesis.tmp").output.contains("ignored by your rule"))
        try machine.remove("a/thesis.tmp")
        try quiet(machine)
        #expect(try lists("thesis") == "plain\n")
        _ = try machine.run("sync", "b")
        #expect(machine.read("b/thesis.tmp") == "thesis one")

        try machine.write("# nothing\n", to: "a/.driveignore")
        try quiet(machine)
        #expect(try lists("thesis") == "out/deep/thesis.txt\nplain\n")
        #expect(try lists("longer") == "out/deep/thesis.txt\n")
        try machine.settle()
        #expect(machine.read("b/out/deep/thesis.txt") == "thesis two, much longer now")
        #expect(machine.read("b/thesis.tmp") == nil)
    }

    /// The file that one device hides gets a name from another that nobody hides.
    @Test func whatIsMovedOutOfARuleIsAnItemAgain() throws {
        let machine = try Machine()
        try machine.twoDrives(["draft.tmp": "text"])
        try machine.write("*.tmp\n", to: "a/.driveignore")
        #expect(try machine.run("-C", "a", "find", "--barrier", "--name", "draft").output.isEmpty)
        try machine.move("b/draft.tmp", to: "b/draft.txt")
        _ = try machine.run("sync", "b")
        _ = try machine.run("sync", "a")
        #expect(machine.read("a/draft.txt") == "text")
        #expect(try machine.run("-C", "a", "find", "--name", "draft").output == "draft.txt\n")
    }

    @Test func aRuleFurtherDownCountsForWhatIsBelowIt() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("*.log\n", to: "a/deep/.driveignore")
        try quiet(machine)
        try machine.write("x", to: "a/deep/er/run.log")
        try quiet(machine)
        #expect(try !knows("run.log", machine))
        try machine.remove("a/deep/.driveignore")
        try quiet(machine)
        #expect(try knows("run.log", machine))
    }

    @Test func aFolderThatMovesOutOfARulesPlaceIsLookedAt() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("x", to: "a/out/keep.txt")
        try machine.write("x", to: "a/out/result.o")
        try machine.write("/out/*.o\n", to: "a/.driveignore")
        try quiet(machine)
        #expect(try knows("keep.txt", machine))
        #expect(try !knows("result.o", machine))
        try machine.move("a/out", to: "a/elsewhere")
        try quiet(machine)
        #expect(try knows("result.o", machine))
    }

    /// Size and date of the content as they were: the time of the inode tells.
    @Test func aChangeBehindTheDatesIsFoundInAKnownFolder() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("old", to: "a/deep/er/file")
        try quiet(machine)
        let path = "\(machine.root)/a/deep/er/file"
        let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as Any
        try machine.write("new", to: "a/deep/er/file")
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        try machine.settle()
        #expect(machine.read("b/deep/er/file") == "new")
    }

    /// Others have it still, in the store: a device that joins is in step without it.
    @Test func whatARuleHidesIsNotWaitedFor() throws {
        let machine = try Machine()
        try machine.twoDrives(["old.tmp": "old", "build/o": "o", "build/deep/p": "p", "plain": "plain"])
        try machine.write("*.tmp\nbuild/\n", to: "a/.driveignore")
        try machine.settle()
        try machine.remove("b/old.tmp")
        #expect(try machine.run("sync", "b").code == 0)
        #expect(try machine.run("sync", "c", "--to", "store", "--yes").code == 0)
        for drive in ["b", "c"] {
            let status = try machine.run("-C", drive, "status", "--check")
            #expect(status.code == 0 && !status.output.contains("Waiting"), "\(drive): \(status.output)")
            #expect(try machine.run("-C", drive, "wait", "--timeout", "600s").code == 0)
            #expect(try machine.run("-C", drive, "why", "old.tmp").output.contains("*.tmp"))
        }
        // Until no rule does.
        try machine.write("# none\n", to: "a/.driveignore")
        try machine.settle()
        #expect(try machine.run("sync", "c").code == 0)
        #expect(machine.read("c/build/deep/p") == "p")
    }

    /// One that may not be entered is in the way of what goes there, and of nothing else.
    @Test func aClosedFolderThatARuleHidesStopsNothingElse() throws {
        let machine = try Machine()
        try machine.twoDrives(["build/k": "k\n", "x": "x\n"])
        try machine.write("build\n", to: "b/.driveignore")
        #expect(try machine.run("sync", "b").code == 0)
        chmod("\(machine.root)/b/build", 0)
        defer { chmod("\(machine.root)/b/build", 0o700) }
        try machine.move("a/x", to: "a/build/x")
        try machine.write("new\n", to: "a/new")
        #expect(try machine.run("sync", "a").code == 0)
        let synced = try machine.runBound("sync", "b")
        #expect(machine.read("b/new") == "new\n", "\(synced.output)\(synced.error)")
        #expect(machine.read("b/x") == "x\n")
    }
}
