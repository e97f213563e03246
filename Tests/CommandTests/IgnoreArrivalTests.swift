import TestSupport
import Testing

/// A folder's own rules count for what comes together with them: what they name must not be sent once before they do.
@Suite(.mayBlock)
struct IgnoreArrivalTests {
    private func project(_ machine: borrowing Machine, in folder: String) throws {
        try machine.write("*.log\n/out/\n", to: "\(folder)/.driveignore")
        try machine.write("x", to: "\(folder)/Main.txt")
        try machine.write("x", to: "\(folder)/Deep/run.log")
        try machine.write("x", to: "\(folder)/out/result")
    }

    private func expectOnlyTheText(_ machine: borrowing Machine, in folder: String) {
        let files = machine.files("b").keys.filter { $0.hasPrefix(folder) }.sorted()
        #expect(files == [folder] + [".driveignore", "Deep", "Main.txt"].map { "\(folder)/\($0)" })
    }

    @Test func inAFolderThatBecomesADrive() throws {
        let machine = try Machine()
        try project(machine, in: "a/Work")
        try machine.twoDrives()
        try machine.settle()
        expectOnlyTheText(machine, in: "Work")
        #expect(try machine.run("-C", "a", "find", "--name", "run.log", "--count").output == "0\n")
    }

    @Test func inAFolderThatComes() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try project(machine, in: "a/Work")
        try machine.settle()
        expectOnlyTheText(machine, in: "Work")
    }

    @Test func inAFolderThatMoves() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try project(machine, in: "a/Work")
        try machine.settle()
        try machine.move("a/Work", to: "a/Archive")
        try machine.settle()
        expectOnlyTheText(machine, in: "Archive")
        #expect(try machine.run("-C", "a", "find", "--name", "run.log", "--count").output == "0\n")
    }

    @Test func whileTheDriveIsWatched() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let (a, b) = (try machine.watch("a"), try machine.watch("b"))
        try project(machine, in: "elsewhere")
        try machine.move("elsewhere", to: "a/Work")
        #expect(eventually { machine.read("b/Work/Main.txt") == "x" })
        try machine.move("a/Work", to: "a/Archive")
        #expect(eventually { machine.read("b/Archive/Main.txt") == "x" })
        a.end()
        b.end()
        try machine.settle()
        expectOnlyTheText(machine, in: "Archive")
    }

    /// A rule that comes with other changes of its folder, which the watcher names one by one.
    @Test func amongNamesThatChangeTogether() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("x", to: "a/Work/Main.txt")
        try machine.settle()
        let watch = try machine.watch("a")
        try project(machine, in: "elsewhere")
        for name in [".driveignore", "Deep", "out"] { try machine.move("elsewhere/\(name)", to: "a/Work/\(name)") }
        #expect(try machine.run("-C", "a", "wait", "Work/.driveignore").code == 0)
        watch.end()
        try machine.settle()
        expectOnlyTheText(machine, in: "Work")
    }

    @Test func noRuleHidesRules() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write(".*\n", to: "a/.driveignore")
        try machine.write("*.log\n", to: "a/Work/.driveignore")
        try machine.write("x", to: "a/Work/run.log")
        try machine.write("x", to: "a/Work/.hidden")
        try machine.settle()
        #expect(machine.read("b/.driveignore") == ".*\n")
        #expect(machine.files("b").keys.filter { $0.hasPrefix("Work/") } == ["Work/.driveignore"])
    }

    /// What one of two devices protects is not sent while it is open whose rules count.
    @Test func bothHideWhereTwoWroteTheRules() throws {
        let machine = try Machine()
        #expect(try machine.run("sync", "a", "--to", "store", "--yes", "--name", "alpha").code == 0)
        try machine.write("secret*\n", to: "b/.driveignore")
        try machine.write("x", to: "b/secret.txt")
        try machine.write("x", to: "b/open.txt")
        #expect(try machine.run("sync", "b", "--to", "store", "--yes", "--name", "beta").code == 0)
        try machine.settle()
        #expect(machine.read("a/open.txt") == "x" && machine.read("a/secret.txt") == nil)
        try machine.write("x", to: "a/secret too")
        try machine.settle()
        #expect(machine.read("b/secret too") == nil)
        let ignored = try machine.run("-C", "b", "ignored").output
        #expect(ignored.contains("secret.txt  ") && ignored.contains("conflicted copy"), "\(ignored)")
        #expect(try machine.run("-C", "b", "why", "secret.txt").output.contains("ignored by your rule `secret*`"))
        // Decided for the other: now it is to be sent.
        #expect(try machine.run("-C", "b", "conflicts", "resolve", "--all", "--keep", "current").code == 0)
        try machine.settle()
        #expect(machine.read("a/secret.txt") == "x")
    }

    @Test func whatARuleLetsGoElsewhereComesInTheSamePass() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("*.log\n", to: "a/Work/.driveignore")
        try machine.settle()
        try machine.write("x", to: "a/Work/run.log")
        try machine.write("x", to: "b/Work/own.log")
        try machine.settle()
        try machine.remove("a/Work/.driveignore")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("sync", "b").code == 0)
        #expect(machine.read("b/Work/run.log") == "x")
        #expect(try machine.run("-C", "b", "sync").output.contains("nothing to do"))
    }

    /// What cannot be seen could not be ended.
    @Test func noRuleHidesAConflictCopy() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("*conflicted copy*\n", to: "a/.driveignore")
        try machine.settle()
        try machine.write("from a\n", to: "a/Letter.txt")
        try machine.write("from b\n", to: "b/Letter.txt")
        try machine.settle()
        #expect(machine.files("a").count == 2 && machine.files("a") == machine.files("b"))
        #expect(try machine.run("-C", "a", "status", "--check", "Letter.txt").code == 0)
        let copy = try #require(machine.files("b").keys.first { $0.contains("conflicted copy") })
        #expect(try machine.run("-C", "b", "why", copy).output.contains("a copy: "))
        // A person ends it by hand.
        try machine.remove("b/\(copy)")
        try machine.settle()
        #expect(machine.files("a").count == 1 && machine.files("a") == machine.files("b"))
        #expect(try machine.run("-C", "a", "conflicts").output == "No conflicts.\n")
    }
}
