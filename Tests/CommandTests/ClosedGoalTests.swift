import Foundation
import Testing

/// What changes places with what may not leave the folder that it is in.
struct ClosedGoalTests {
    /// `b` is to be where `closed` is, and `d` where `b` is.
    private func begin(_ closed: String) throws -> Machine {
        let machine = try Machine()
        try machine.twoDrives(["b/one": "in b", "d/one": "in d", "\(closed)/one": "in it"])
        try machine.move("a/\(closed)", to: "a/aside")
        try machine.move("a/b", to: "a/\(closed)")
        try machine.move("a/d", to: "a/b")
        try machine.move("a/aside", to: "a/d")
        #expect(try machine.run("sync", "a").code == 0)
        return machine
    }

    private func staysAndComes(_ machine: Machine, _ without: String, opening: () -> Void) throws {
        let before = machine.files("b")
        let words = ["--bounding-set=\(without)", Machine.program, "-C", "b"]
        for _ in 0..<2 {
            let result = try machine.run(words + ["sync"], program: "/usr/bin/setpriv")
            #expect(result.code == 2, "\(result.code): \(result.output)\(result.error)")
            #expect(machine.files("b") == before)
        }
        let status = try machine.run(words + ["status"], program: "/usr/bin/setpriv").output
        #expect(status.contains("b: what has its name cannot go to c/a: "), "\(status)")
        opening()
        #expect(try machine.run(words + ["sync"], program: "/usr/bin/setpriv").code == 0)
        #expect(machine.files("b") == machine.files("a"))
    }

    /// Its entry `..` would change (rename(2)).
    @Test(.enabled(if: geteuid() == 0)) func aFolderThatMayNotBeWritten() throws {
        let machine = try begin("c/a")
        let folder = "\(machine.root)/b/c/a"
        chmod(folder, 0o500)
        defer { chmod(folder, 0o700) }
        try staysAndComes(machine, "-dac_override,-dac_read_search") { chmod(folder, 0o700) }
    }

    /// In a folder where everybody may put something, and nobody take away what others have (inode(7)).
    @Test(.enabled(if: geteuid() == 0)) func whatBelongsToOthersInAStickyFolder() throws {
        let machine = try begin("c/a")
        let folder = "\(machine.root)/b/c"
        for path in [folder, "\(folder)/a"] { chown(path, 65534, 65534) }
        chmod(folder, 0o1777)
        chmod("\(folder)/a", 0o777)
        try staysAndComes(machine, "-dac_override,-dac_read_search,-fowner") { chmod(folder, 0o777) }
    }

    /// A folder that is deleted elsewhere goes aside, too, before it goes.
    @Test(.enabled(if: geteuid() == 0)) func aDeletedFolderThatMayNotBeWritten() throws {
        let machine = try Machine()
        try machine.twoDrives(["b": "in b", "d": "in d"])
        mkdir("\(machine.root)/a/x", 0o755)
        for drive in ["a", "b"] { #expect(try machine.run("sync", drive).code == 0) }
        try machine.remove("a/x")
        try machine.move("a/b", to: "a/x")
        try machine.move("a/d", to: "a/b")
        #expect(try machine.run("sync", "a").code == 0)
        let folder = "\(machine.root)/b/x"
        chmod(folder, 0o500)
        defer { chmod(folder, 0o700) }
        let words = ["--bounding-set=-dac_override,-dac_read_search", Machine.program, "sync", "b"]
        #expect(try machine.run(words, program: "/usr/bin/setpriv").code == 2)
        #expect(machine.read("b/b") == "in b" && machine.read("b/d") == "in d")
        chmod(folder, 0o700)
        #expect(try machine.run(words, program: "/usr/bin/setpriv").code == 0)
        #expect(machine.files("b") == machine.files("a"))
    }
}
