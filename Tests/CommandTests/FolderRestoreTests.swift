import Foundation
import Glibc
import TestSupport
import Testing

/// Folders that come back: with their tags, and also where nothing was in them.
@Suite(.mayBlock)
struct FolderRestoreTests {
    private func makeFolder(_ machine: borrowing Machine, _ path: String) throws {
        try FileManager.default.createDirectory(atPath: "\(machine.root)/\(path)", withIntermediateDirectories: true)
    }

    private func isThere(_ machine: borrowing Machine, _ path: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(machine.root)/\(path)")
    }

    private func drives() throws -> Machine {
        let machine = try Machine()
        try machine.twoDrives(["P/a.txt": "a\n", "P/sub/b.txt": "b\n"])
        try makeFolder(machine, "a/P/empty")
        try makeFolder(machine, "a/E")
        for (path, tag) in [("a/P", "work"), ("a/P/sub", "inner"), ("a/P/empty", "none"), ("a/E", "alone")] {
            #expect(try machine.run("tag", path, "--add", tag).code == 0)
        }
        try machine.settle()
        return machine
    }

    private func tags(_ machine: borrowing Machine, _ paths: String...) throws -> [String] {
        try paths.map { try machine.run("tag", $0).output }
    }

    @Test(arguments: ["a", "b"]) func theyHaveTheirTags(_ deleter: String) throws {
        let machine = try drives()
        try machine.remove("\(deleter)/P")
        try machine.remove("\(deleter)/E")
        try machine.settle()
        let restored = try machine.run("-C", "a", "restore", "P", "E")
        #expect(restored.code == 0, "\(restored)")
        #expect(restored.output.contains("P/empty: is back\n") && restored.output.contains("E: is back\n"))
        #expect(!restored.output.contains("P: is back") && !restored.output.contains("sub: is back"), "\(restored)")
        let wanted = ["work\n", "inner\n", "none\n", "alone\n"]
        #expect(try tags(machine, "a/P", "a/P/sub", "a/P/empty", "a/E") == wanted)
        try machine.settle()
        #expect(try tags(machine, "b/P", "b/P/sub", "b/P/empty", "b/E") == wanted)
        #expect(try machine.run("-C", "a", "undo", "--yes").code == 0)
        #expect(!isThere(machine, "a/E") && !isThere(machine, "a/P"))
    }

    /// What others had deleted and came back with its folder goes with that, which no record tells.
    @Test func whatCameBackWithAFolderIsUndeletedWithIt() throws {
        let machine = try Machine()
        try machine.twoDrives(["b/f": "one\n", "b/g": "two\n", "c/k": "three\n"])
        try machine.remove("b/b")
        #expect(try machine.run("sync", "b").code == 0)
        try machine.move("a/b", to: "a/c/b")
        try machine.settle()
        let whole = machine.files("a")
        #expect(whole["c/b/f"] == "one\n" && whole["c/b/g"] == "two\n")
        try machine.remove("a/c/b")
        #expect(try machine.run("sync", "a").code == 0)
        let log = try machine.run("-C", "a", "log").output
        #expect(log.contains("c/b/f\n") && log.contains("c/b/g\n"), "\(log)")
        let number = try #require(log.split(separator: "\n").last?.split(separator: " ").dropFirst(2).first)
        let undone = try machine.run("-C", "a", "undo", String(number), "--yes")
        #expect(undone.code == 0, "\(undone)")
        #expect(machine.files("a") == whole)
        try machine.settle()
        #expect(machine.files("b") == whole)
    }

    /// Files in it that everybody could read were closed to others by it alone.
    @Test func whatWasClosedHereComesBackClosed() throws {
        let machine = try Machine()
        try machine.twoDrives(["Letter": "l\n", "P/f": "f\n", "P/sub/g": "g\n", "open/h": "h\n"])
        func mode(_ path: String) -> mode_t {
            var facts = stat()
            return stat("\(machine.root)/\(path)", &facts) == 0 ? facts.st_mode & 0o777 : 0
        }
        let usual = mode("b/open")
        chmod("\(machine.root)/b/P", 0o700)
        chmod("\(machine.root)/b/P/sub", 0o710)
        try machine.remove("a/P")
        try machine.remove("a/open")
        try machine.settle()
        #expect(mode("b/P") == 0 && mode("b/open") == 0)
        let restored = try machine.run("-C", "b", "restore", "P", "open")
        #expect(restored.code == 0, "\(restored)")
        #expect(machine.read("b/P/f") == "f\n" && machine.read("b/P/sub/g") == "g\n")
        #expect(mode("b/P") == 0o700 && mode("b/P/sub") == usual & 0o710 && mode("b/open") == usual)
        // Also after an act has removed them.
        chmod("\(machine.root)/b/open", 0o700)
        #expect(try machine.run("-C", "b", "undo", "--yes").code == 0)
        #expect(mode("b/P") == 0 && mode("b/open") == 0)
        #expect(try machine.run("-C", "b", "restore", "P", "open").code == 0)
        #expect(mode("b/P") == 0o700 && mode("b/P/sub") == usual & 0o710 && mode("b/open") == 0o700)
        // By whomever; the other device's own was open.
        try machine.settle()
        #expect(mode("a/P") == usual)
        try machine.remove("a/P")
        try machine.settle()
        #expect(try machine.run("-C", "a", "restore", "P").code == 0)
        try machine.settle()
        #expect(mode("a/P") == usual && mode("b/P") == 0o700 && mode("b/P/sub") == usual & 0o710)
        // What somebody has opened by then stays open.
        chmod("\(machine.root)/b/P", usual)
        try machine.remove("a/P")
        try machine.settle()
        #expect(try machine.run("-C", "b", "restore", "P").code == 0)
        #expect(mode("b/P") == usual && mode("b/P/sub") == usual & 0o710)
    }

    @Test func anUndoBringsTheirTagsBack() throws {
        let machine = try drives()
        try machine.remove("b/P")
        try machine.remove("b/E")
        try machine.settle()
        let undone = try machine.run("-C", "a", "undo", "--since", "1 hour ago", "--device", "beta", "--yes")
        #expect(undone.code == 0, "\(undone)")
        #expect(
            try tags(machine, "a/P", "a/P/sub", "a/P/empty", "a/E") == ["work\n", "inner\n", "none\n", "alone\n"])
    }

    @Test func whatWhySaysWorks() throws {
        let machine = try drives()
        try machine.remove("a/E")
        try machine.settle()
        #expect(try machine.run("-C", "a", "why", "E").output.contains("docdrive -C a restore E"))
        let trial = try machine.run("-C", "a", "restore", "E", "--dry-run")
        #expect(trial.output == "E: would be restored\nNothing was changed.\n", "\(trial)")
        #expect(try machine.run("-C", "a", "restore", "E", "--to", "F").code == 64)
        #expect(try machine.run("-C", "a", "restore", "E").output == "E: is back\n")
        let nothing = try machine.run("-C", "a", "restore", "E")
        #expect(nothing.error.contains("nothing is known of something that was deleted in it"), "\(nothing)")
        let folder = try machine.run("-C", "a", "versions", "E")
        #expect(folder.code == 64 && folder.error.contains("versions takes a file"), "\(folder)")
    }

    /// Behind the `@` could stand a version, of another file.
    @Test func aNameMayHaveAnAtOfItsOwn() throws {
        let machine = try Machine()
        try machine.twoDrives(["r@1/f": "x\n", "s@1": "y\n", "kept@1/g": "z\n", "kept@1/stays": "s\n"])
        try makeFolder(machine, "a/q@1")
        try machine.settle()
        for path in ["q@1", "r@1", "s@1", "kept@1/g"] { try machine.remove("a/\(path)") }
        try machine.settle()
        for path in ["q@1", "r@1", "s@1", "kept@1"] {
            let trial = try machine.run("-C", "a", "restore", path, "--dry-run")
            let restored = try machine.run("-C", "a", "restore", path)
            #expect(trial.code == 0 && restored.code == 0, "\(trial) \(restored)")
        }
        #expect(isThere(machine, "a/q@1") && machine.read("a/r@1/f") == "x\n" && machine.read("a/s@1") == "y\n")
        #expect(machine.read("a/kept@1/g") == "z\n")
        let nothing = try machine.run("-C", "a", "restore", "kept@1")
        #expect(nothing.code == 64 && nothing.error.contains("deleted in it"), "\(nothing)")
        #expect(try machine.run("-C", "a", "restore", "r@1", "--to", "t").code == 64)
    }
}
