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

    /// Content, execute bit and tags.
    private static func facts(_ machine: Machine, _ path: String) throws -> [String] {
        [
            machine.read(path) ?? "", access("\(machine.root)/\(path)", X_OK) == 0 ? "x" : "-",
            try machine.run("tag", path).output.replacing(path, with: ""),
        ]
    }
}
