import Glibc
import TestSupport
import Testing

/// A file with two names changes under both, and the system tells of one.
@Suite(.mayBlock)
struct HardLinkTests {
    @Test(arguments: ["echo brand new > a/x/one", "chmod +x a/x/one", "setfattr -n user.xdg.tags -v red a/x/one"])
    func aWatchSeesAChangeUnderTheOtherName(_ change: String) throws {
        let machine = try Machine()
        try machine.write("old\n", to: "a/x/one")
        try machine.write("", to: "a/y/other")
        #expect(link("\(machine.root)/a/x/one", "\(machine.root)/a/y/two") == 0)
        try machine.twoDrives([:])
        let watch = try machine.watch("a")
        defer { watch.end() }
        let shell = try machine.run(["-c", change], program: "/bin/sh")
        if change.hasPrefix("setfattr"), shell.code != 0 {
            try Test.cancel("no setfattr, or no extended attributes here")
        }
        // Nobody asks the watch to look at everything.
        let isThere = try eventually {
            guard try machine.run("sync", "b").code == 0 else { return false }
            return try Self.facts(machine, "b/y/two") == Self.facts(machine, "a/x/one")
        }
        #expect(isThere)
        #expect(machine.read("b/y/two") == machine.read("a/x/one"))
    }

    /// As `cp -al` leaves them: each of the names is its own item, and goes its own way.
    @Test(arguments: ["copy", "data"])
    func namesThatChangePlacesDoSoHere(_ folder: String) throws {
        let machine = try Machine()
        try machine.twoDrives(["data/one": "1\n", "data/two": "2\n"])
        #expect(mkdir("\(machine.root)/b/copy", 0o755) == 0)
        for name in ["one", "two"] {
            #expect(link("\(machine.root)/b/data/\(name)", "\(machine.root)/b/copy/\(name)") == 0)
        }
        try machine.settle()
        for (from, to) in [("one", "x"), ("two", "one"), ("x", "two")] {
            try machine.move("a/\(folder)/\(from)", to: "a/\(folder)/\(to)")
        }
        #expect(try machine.run("sync", "a").code == 0)
        let sync = try machine.run("sync", "b")
        #expect(sync.code == 0, "\(sync.output)")
        #expect(machine.files("b") == machine.files("a"))
        #expect(machine.read("b/\(folder)/one") == "2\n")
    }

    /// Whichever of its names is renamed, what others do with that one goes along.
    @Test(arguments: ["f", "g", "k"])
    func aNameThatIsRenamedTakesItsEditsAlong(_ name: String) throws {
        let machine = try Machine()
        try machine.write("old\n", to: "a/f")
        for other in ["g", "k"] { #expect(link("\(machine.root)/a/f", "\(machine.root)/a/\(other)") == 0) }
        try machine.twoDrives([:])
        try machine.write("old\nedit\n", to: "b/\(name)")
        try machine.move("a/\(name)", to: "a/h")
        try machine.settle()
        #expect(machine.read("a/h") == "old\nedit\n" && machine.read("a/\(name)") == nil)
        #expect(machine.files("a") == machine.files("b") && machine.files("a").count == 3)
    }

    /// Their bytes do not tell which is which.
    @Test func namesThatAreRenamedAtOnceAreMoved() throws {
        let machine = try Machine()
        try machine.write("old\n", to: "a/f")
        for other in ["g", "k"] { #expect(link("\(machine.root)/a/f", "\(machine.root)/a/\(other)") == 0) }
        try machine.twoDrives([:])
        try machine.move("a/g", to: "a/h")
        try machine.move("a/k", to: "a/m")
        #expect(try machine.run("sync", "a").code == 0)
        let log = try machine.run("-C", "a", "log").output
        #expect(log.contains("(was g)") && log.contains("(was k)") && !log.contains("deleted"), "\(log)")
        try machine.settle()
        #expect(machine.files("a") == machine.files("b") && machine.files("a").keys.sorted() == ["f", "h", "m"])
    }

    /// Each name that goes to the trash changes the dates of the file.
    @Test func copiesThatAreNamesOfOneFileAreCleanedAway() throws {
        let machine = try Machine()
        let copies = ["(ann's conflicted copy 2024-01-02)", "(bob's conflicted copy 2024-01-03)"].map { "q \($0).txt" }
        for name in ["q.txt", copies[0]] { try machine.write("same\n", to: "a/\(name)") }
        for other in [copies[1], "other.txt"] {
            #expect(link("\(machine.root)/a/\(copies[0])", "\(machine.root)/a/\(other)") == 0)
        }
        try machine.twoDrives([:])
        let cleaned = try machine.run("conflicts", "clean", "a", "--yes")
        #expect(cleaned.code == 0 && !cleaned.output.contains("changed meanwhile"), "\(cleaned)")
        #expect(Set(machine.files("a").keys) == ["q.txt", "other.txt"])
        #expect(try machine.run("-C", "a", "undo", "--yes").code == 0)
        #expect(Set(machine.files("a").keys) == Set(copies + ["q.txt", "other.txt"]))
    }

    /// `cp -al`, and a save by rename: the file is the one under its own name, with its past and what others do with it.
    @Test func aBackupOfLinksIsNotTheFile() throws {
        let machine = try Machine()
        try machine.twoDrives(["docs/thesis": "one\n"])
        try machine.write("one\nand b\n", to: "b/docs/thesis")
        #expect(mkdir("\(machine.root)/a/backup", 0o755) == 0)
        #expect(link("\(machine.root)/a/docs/thesis", "\(machine.root)/a/backup/thesis") == 0)
        try machine.write("two\n", to: "a/docs/new")
        // What takes the name in the same tick of the clock as it is made could also be made after the file was moved.
        let isLater = try eventually {
            try machine.write("", to: "tick")
            return Self.changed("\(machine.root)/tick") > Self.changed("\(machine.root)/a/docs/new")
        }
        try #require(isLater)
        #expect(rename("\(machine.root)/a/docs/new", "\(machine.root)/a/docs/thesis") == 0)
        #expect(try machine.run("sync", "a").code == 0)
        let log = try machine.run("-C", "a", "log").output
        #expect(log.contains("edited") && !log.contains("was docs/thesis"), "\(log)")
        try machine.settle()
        #expect(machine.read("a/backup/thesis") == "one\n")
        let copies = machine.files("a").keys.filter { $0.contains("conflicted copy") }
        #expect(copies.count == 1 && copies.allSatisfy { $0.hasPrefix("docs/") }, "\(machine.files("a").keys)")
        #expect(machine.files("a") == machine.files("b"))
    }

    private static func changed(_ path: String) -> Int {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts.st_ctim.tv_sec * 1_000_000_000 + facts.st_ctim.tv_nsec : 0
    }

    /// Content, execute bit and tags.
    private static func facts(_ machine: Machine, _ path: String) throws -> [String] {
        [
            machine.read(path) ?? "", access("\(machine.root)/\(path)", X_OK) == 0 ? "x" : "-",
            try machine.run("tag", path).output.replacing(path, with: ""),
        ]
    }
}
