import Foundation
import TestSupport
import Testing

/// The old paths of what was in a folder that has another name now: of what was deleted before, and of what only went with it.
@Suite(.mayBlock)
struct RenamedFolderTests {
    private func makeFolder(_ machine: borrowing Machine, _ path: String) throws {
        try FileManager.default.createDirectory(atPath: "\(machine.root)/\(path)", withIntermediateDirectories: true)
    }

    /// The trash of `a` has what the file held first, the store what it held last.
    private func drives() throws -> Machine {
        let machine = try Machine()
        try machine.twoDrives(["d/f": "draft\n", "d/g": "only\n", "d/stays": "s\n"])
        try machine.write("draft 2, by b\n", to: "b/d/f")
        try machine.settle()
        try machine.settle()
        try machine.write("final\n", to: "a/d/f")
        try makeFolder(machine, "a/d/sub")
        try machine.settle()
        return machine
    }

    private func sizes(_ machine: Machine, _ path: String) throws -> [Int] {
        struct Version: Decodable { var size: Int }
        let result = try machine.run("versions", path, "--json")
        return try JSONDecoder().decode([Version].self, from: Data(result.output.utf8)).map(\.size)
    }

    /// As the log has it afterwards: what only went along is not moved itself, also where it was edited as well.
    @Test func aPlanMovesWhatMovesItself() throws {
        let machine = try Machine()
        try machine.twoDrives(["d/in/f": "1\n", "d/in/g": "2\n", "d/in/h": "3\n", "d/in/stays": "4\n"])
        try machine.move("b/d", to: "b/e")
        try machine.write("more\n", to: "b/e/in/f")
        try machine.move("b/e/in/g", to: "b/e/in/g2")
        try machine.move("b/e/in/h", to: "b/e/h")
        #expect(try machine.run("sync", "b").code == 0)
        struct Step: Decodable { var action, path: String }
        let plan = try machine.run("-C", "a", "plan", "--json").output
        let steps = try JSONDecoder().decode([Step].self, from: Data(plan.utf8)).map { "\($0.action) \($0.path)" }
        #expect(steps.sorted() == ["edited e/in/f", "moved e", "moved e/h", "moved e/in/g2"], "\(plan)")
    }

    @Test(arguments: ["a", "b"]) func whatWasDeletedInItBeforeHoldsWhatItHeldLast(_ drive: String) throws {
        let machine = try drives()
        for path in ["d/f", "d/g", "d/sub"] { try machine.remove("a/\(path)") }
        try machine.settle()
        let before = try sizes(machine, "\(drive)/d/f")
        try machine.move("a/d", to: "a/e")
        try machine.settle()
        #expect(before == [6, 14, 6])
        #expect(try sizes(machine, "\(drive)/d/f") == before)
        for path in ["d/f", "d/g", "d/sub"] {
            #expect(try machine.run("-C", drive, "why", path).output.contains(" restore "))
            let trial = try machine.run("-C", drive, "restore", path, "--dry-run")
            #expect(trial.code == 0 && trial.output.contains("\(path): "), "\(trial)")
            let restored = try machine.run("-C", drive, "restore", path)
            #expect(restored.code == 0 && restored.output == "\(path): is back\n", "\(restored)")
        }
        #expect(machine.read("\(drive)/d/f") == "final\n" && machine.read("\(drive)/d/g") == "only\n")
        #expect(FileManager.default.fileExists(atPath: "\(machine.root)/\(drive)/d/sub"))
        // In the folder that it was deleted in it is known as well.
        #expect(try sizes(machine, "\(drive)/e/f").first == 6)
    }

    @Test func aFolderThatWasDeletedInItComesBackWhole() throws {
        let machine = try drives()
        try machine.write("in it\n", to: "a/d/sub/x")
        try makeFolder(machine, "a/d/sub/empty")
        try machine.settle()
        try machine.remove("a/d/sub")
        try machine.settle()
        try machine.move("a/d", to: "a/e")
        try machine.settle()
        let restored = try machine.run("-C", "a", "restore", "d/sub")
        #expect(restored.output == "d/sub/empty: is back\nd/sub/x: is back\n", "\(restored)")
        #expect(machine.read("a/d/sub/x") == "in it\n")
        // Once only: what was deleted in the folder that both names stand in.
        try machine.remove("a/d")
        try machine.settle()
        let all = try machine.run("-C", "a", "restore", ".", "--dry-run")
        #expect(all.output.components(separatedBy: "e/sub/x").count == 2, "\(all)")
    }

    @Test func whatWentWithItIsNotMadeAnewFromTheTrash() throws {
        let machine = try drives()
        try machine.move("a/d", to: "a/e")
        try machine.settle()
        for command in ["versions", "restore"] {
            for name in ["f", "stays"] {
                let result = try machine.run("-C", "a", command, "d/\(name)")
                #expect(result.code == 64 && result.error.contains("it was moved, and is e/\(name) now"), "\(result)")
            }
        }
        #expect(machine.read("a/d/f") == nil)
        #expect(try machine.run("-C", "a", "versions", "e/f").output.contains("in the trash"))
    }

    /// What no record knows is in the trash alone: it goes with the file.
    @Test func whatWasNeverRecordedIsFoundByTheNewName() throws {
        let machine = try drives()
        try machine.write("saved by mistake, and not looked at\n", to: "a/d/f")
        #expect(try machine.run("-C", "a", "restore", "d/f").code == 0)
        #expect(try sizes(machine, "a/d/f").contains(36))
        try machine.settle()
        try machine.move("a/d/f", to: "a/d/h")
        try machine.settle()
        try machine.move("a/d", to: "a/e")
        try machine.settle()
        let listed = try sizes(machine, "a/e/h")
        #expect(listed.contains(36), "\(listed)")
        #expect(try machine.run("-C", "a", "versions", "d/f").code == 64)
    }
}
