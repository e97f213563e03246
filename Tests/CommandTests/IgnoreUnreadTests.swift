import Glibc
import TestSupport
import Testing

/// What an ignore file hides stays hidden where nobody can read it.
@Suite(.mayBlock)
struct IgnoreUnreadTests {
    private func setMode(_ mode: mode_t, _ path: String, _ machine: Machine) {
        #expect(chmod("\(machine.root)/\(path)", mode) == 0)
    }

    /// As somebody whom permissions bind.
    private func syncBoth(_ machine: Machine) throws -> Machine.Result {
        let result = try machine.runBound("sync", "a")
        _ = try machine.runBound("sync", "b")
        return result
    }

    @Test(arguments: ["", "sub/"]) func theRulesReadLastCount(_ folder: String) throws {
        let machine = try Machine()
        try machine.twoDrives(["sub/Letter.txt": "dear\n"])
        try machine.write("/sec/\n", to: "a/\(folder).driveignore")
        try machine.write("mine", to: "a/\(folder)sec/key")
        for _ in 0..<2 { #expect(try machine.run("sync", "a").code == 0) }
        setMode(0, "a/\(folder).driveignore", machine)
        try machine.write("mine", to: "a/\(folder)sec/more")
        try machine.write("open", to: "a/\(folder)open.txt")
        let synced = try syncBoth(machine)
        #expect(synced.code == 2 && synced.output.contains("1 item could not be synced"), "\(synced)")
        #expect(machine.files("b")["\(folder)sec"] == nil)
        #expect(machine.read("b/\(folder)open.txt") == "open" && machine.read("b/sub/Letter.txt") == "dear\n")
        let ignored = try machine.runBound("-C", "a", "ignored").output
        #expect(ignored.contains("\(folder)sec"), "\(ignored)")
        #expect(ignored.contains("/sec/") && !ignored.contains("open"), "\(ignored)")
        setMode(0o600, "a/\(folder).driveignore", machine)
        #expect(try syncBoth(machine).code == 0)
        #expect(machine.files("b")["\(folder)sec"] == nil)
    }

    /// Whatever else it hides by now. Nothing is deleted for it.
    @Test(arguments: ["", "sub/"]) func ofAnotherFileNothingIsKnown(_ folder: String) throws {
        let machine = try Machine()
        try machine.twoDrives(["sub/Letter.txt": "dear\n", "Letter.txt": "dear you\n"])
        let letter = machine.read("a/\(folder)Letter.txt")
        try machine.write("/sec/\n", to: "a/\(folder).driveignore")
        for _ in 0..<2 { #expect(try machine.run("sync", "a").code == 0) }
        _ = try machine.run("sync", "b")
        try machine.write("/sec/\n/two/\n", to: "a/\(folder).driveignore")
        setMode(0, "a/\(folder).driveignore", machine)
        try machine.write("mine", to: "a/\(folder)two/key")
        try machine.write("open", to: "a/\(folder)open.txt")
        try machine.move("a/\(folder)Letter.txt", to: "a/\(folder)Moved.txt")
        let synced = try syncBoth(machine)
        #expect(synced.error.contains("all that is in its folder is ignored; put a file there"), "\(synced)")
        #expect(machine.files("b")["\(folder)two"] == nil && machine.read("b/\(folder)open.txt") == nil)
        #expect(machine.read("b/\(folder)Letter.txt") == letter)
        let why = try machine.runBound("-C", "a", "why", "\(folder)open.txt").output
        #expect(why.contains("because the rules in \(folder).driveignore cannot be read"), "\(why)")
        setMode(0o600, "a/\(folder).driveignore", machine)
        _ = try syncBoth(machine)
        #expect(machine.read("b/\(folder)open.txt") == "open" && machine.files("b")["\(folder)two"] == nil)
        #expect(machine.read("b/\(folder)Letter.txt") == nil && machine.read("b/\(folder)Moved.txt") == letter)
    }

    @Test func atTheFirstSyncNothingIsKnown() throws {
        let machine = try Machine()
        for folder in ["a", "a/sub"] {
            try machine.write("/sec/\n", to: "\(folder)/.driveignore")
            try machine.write("mine", to: "\(folder)/sec/key")
            try machine.write("open", to: "\(folder)/open.txt")
            setMode(0, "\(folder)/.driveignore", machine)
        }
        let first = try machine.runBound("sync", "a", "--to", "store", "--yes", "--name", "alpha")
        #expect(first.error.contains(".driveignore: its rules are not known"), "\(first)")
        _ = try machine.runBound("sync", "b", "--to", "store", "--yes", "--name", "beta")
        #expect(machine.files("b").isEmpty)
        setMode(0o600, "a/.driveignore", machine)
        _ = try syncBoth(machine)
        #expect(machine.read("b/open.txt") == "open" && machine.read("b/sub/open.txt") == nil)
        setMode(0o600, "a/sub/.driveignore", machine)
        try machine.settle()
        #expect(machine.read("b/sub/open.txt") == "open")
        #expect(machine.files("b").keys.filter { $0.contains("sec") }.isEmpty)
    }

    /// As whoever keeps such files in one place does, and goes on to count on the rules.
    @Test func whatAFileSaidBeforeALinkCounts() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("/sec/\n", to: "a/.driveignore")
        try machine.write("mine", to: "a/sec/key")
        for _ in 0..<2 { #expect(try machine.run("sync", "a").code == 0) }
        try machine.move("a/.driveignore", to: "rules")
        #expect(symlink("\(machine.root)/rules", "\(machine.root)/a/.driveignore") == 0)
        try machine.write("open", to: "a/open.txt")
        let synced = try syncBoth(machine)
        let told =
            ".driveignore: it is a symbolic link, which is not followed: the rules that a file had there last count"
        #expect(synced.error.contains(told), "\(synced)")
        #expect(try machine.run("doctor", "a").output.contains(told))
        #expect(try machine.run("-C", "a", "status").output.contains(told))
        // On the other device, too, to which the link came.
        try machine.write("mine", to: "b/sec/other")
        try machine.settle()
        #expect(machine.files("b").keys.sorted() == ["Letter.txt", "open.txt", "sec", "sec/other"])
        #expect(machine.read("a/sec/other") == nil)
        try machine.remove("b/sec")
        try machine.remove("a/.driveignore")
        try machine.move("rules", to: "a/.driveignore")
        try machine.settle()
        #expect(machine.files("b").keys.sorted() == ["Letter.txt", "open.txt"])
    }

    @Test func aFolderIsTold() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.remove("a/.driveignore")
        try machine.write("/sec/\n", to: "a/.driveignore/rules")
        try machine.write("open", to: "a/open.txt")
        let synced = try machine.run("sync", "a")
        #expect(synced.error.contains(".driveignore: it is a folder, which holds no rules"), "\(synced)")
        _ = try machine.run("sync", "b")
        #expect(machine.read("b/open.txt") == "open")
    }
}
