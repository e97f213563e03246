import Foundation
import Glibc
import TestSupport
import Testing

/// What an undo could not reverse is told as such, and can be reversed once nothing is in the way.
@Suite(.mayBlock)
struct PartialUndoTests {
    private func list(_ machine: Machine, _ drive: String) throws -> String {
        try machine.run("-C", drive, "undo", "--list").output
    }

    private func texts(_ machine: Machine, _ drive: String) -> [String: String] {
        machine.files(drive).filter { $0.key != ".driveignore" }
    }

    @Test func theRestIsReversedLater() throws {
        let machine = try Machine()
        try machine.twoDrives(["d/f": "1\n", "h": "1\n", "k": "1\n"])
        let before = texts(machine, "a")
        try machine.write("2\n", to: "b/d/f")
        try machine.write("2\n", to: "b/h")
        try machine.move("b/h", to: "b/h2")
        try machine.move("b/k", to: "b/k2")
        try machine.settle()
        try machine.write("between\n", to: "a/d/f")
        try machine.settle()
        let first = try machine.run("-C", "a", "undo", "2", "--yes")
        #expect(first.code == 2, "\(first.output)\(first.error)")
        #expect(first.output.contains("d/f: left as it is: it has changed since"), "\(first.output)")
        #expect(try list(machine, "a").contains("undone in part by 4"))
        try machine.write("2\n", to: "a/d/f")
        try machine.settle()
        let second = try machine.run("-C", "a", "undo", "2", "--yes")
        #expect(second.code == 0, "\(second.output)\(second.error)")
        #expect(second.output.contains("undone in part by 4"), "\(second.output)")
        #expect(texts(machine, "a") == before)
        let whole = try list(machine, "a")
        #expect(whole.contains("undone by 6") && !whole.contains("in part"), "\(whole)")
        let again = try machine.run("-C", "a", "undo", "2", "--yes")
        #expect(again.code == 0 && again.output.contains("everything is as it was before"), "\(again.output)")
    }

    /// What an undo brings back and renames at once has no row of the index yet.
    @Test func whatAnUndoHasBroughtBackAndRenamedGoesAgain() throws {
        let machine = try Machine()
        try machine.twoDrives(["k": "1\n", "d/f": "1\n"])
        let before = texts(machine, "a")
        try machine.move("b/d", to: "b/e")
        try machine.settle()
        try machine.write("1\n", to: "b/e/c")
        try machine.move("b/e/f", to: "b/e/g")
        try machine.settle()
        try machine.remove("b/e")
        try machine.settle()
        let after = texts(machine, "a")
        let undo = try machine.run("-C", "a", "undo", "--device", "beta", "--yes")
        #expect(undo.code == 0 && texts(machine, "a") == before, "\(undo.output)")
        let again = try machine.run("-C", "a", "undo", "5", "--yes")
        #expect(again.code == 0 && texts(machine, "a") == after, "\(again.output)")
    }

    @Test func whatIsLeftOfTheLastActIsTheLastThingToUndo() throws {
        let machine = try Machine()
        try machine.twoDrives(["e": "1\n", "f": "1\n", "g": "1\n"])
        for name in ["e", "f", "g"] { try machine.write("2\n", to: "a/\(name)") }
        try machine.settle()
        #expect(try machine.run("-C", "a", "restore", "g").code == 0)
        #expect(try machine.run("-C", "a", "restore", "e", "f").code == 0)
        try machine.write("3\n", to: "a/f")
        #expect(try machine.run("-C", "a", "undo", "--yes").code == 2)
        try machine.write("1\n", to: "a/f")
        let rest = try machine.run("-C", "a", "undo", "--yes")
        #expect(rest.code == 0 && rest.output.contains("f: is as it was before"), "\(rest.output)")
        #expect(texts(machine, "a") == ["e": "2\n", "f": "2\n", "g": "1\n"])
        #expect(try machine.run("-C", "a", "undo", "--yes").code == 0)
        #expect(texts(machine, "a") == ["e": "2\n", "f": "2\n", "g": "2\n"])
    }

    /// Two things happened at one path.
    @Test func aFileThatBecameAFolderIsReversedInPart() throws {
        let machine = try Machine()
        try machine.twoDrives(["f": "1\n"])
        try machine.remove("a/f")
        try machine.write("2\n", to: "a/f/in")
        try machine.settle()
        try machine.move("store", to: "away")
        let first = try machine.run("-C", "a", "undo", "2", "--yes")
        #expect(first.code == 2, "\(first)")
        #expect(try list(machine, "a").contains("undone in part by"))
        try machine.move("away", to: "store")
        let second = try machine.run("-C", "a", "undo", "2", "--yes")
        #expect(second.code == 0, "\(second)")
        #expect(texts(machine, "a") == ["f": "1\n"])
        #expect(try !list(machine, "a").contains("in part"))
    }

    /// What is in it stays, and is told as what nobody could look at.
    @Test func aFolderThatMayNotBeEnteredKeepsNothingElseFromBeingUndone() throws {
        let machine = try Machine()
        try machine.twoDrives(["d/f": "1\n", "w": "1\n", "z": "1\n"])
        let before = texts(machine, "a")
        for name in ["d/f", "w"] { try machine.write("2\n", to: "a/\(name)") }
        try machine.remove("a/z")
        try machine.settle()
        let words = ["-C", "a", "undo", "2", "--yes"]
        chmod("\(machine.root)/a/d", 0)
        defer { chmod("\(machine.root)/a/d", 0o700) }
        let first = try machine.runBound(words)
        #expect(first.code == 2, "\(first)")
        #expect(first.output.contains("d/f: left as it is: it cannot be looked at here"), "\(first)")
        chmod("\(machine.root)/a/d", 0o700)
        let now = texts(machine, "a")
        #expect(now["w"] == "1\n" && now["z"] == "1\n" && now["d/f"] == "2\n", "\(now)")
        let second = try machine.run(words)
        #expect(second.code == 0, "\(second)")
        #expect(texts(machine, "a") == before)
    }

    @Test func whatCannotTakeItsPlaceLeavesNothingInTheTrash() throws {
        let machine = try Machine()
        try machine.twoDrives(["d/f": "1\n", "h": "1\n"])
        for name in ["d/f", "h"] { try machine.write("2\n", to: "a/\(name)") }
        try machine.settle()
        let words = ["-C", "a", "undo", "2", "--yes"]
        chmod("\(machine.root)/a/d", 0o500)
        defer { chmod("\(machine.root)/a/d", 0o700) }
        let first = try machine.runBound(words)
        #expect(first.code == 2, "\(first)")
        chmod("\(machine.root)/a/d", 0o700)
        let second = try machine.run(words)
        #expect(second.code == 0, "\(second)")
        #expect(texts(machine, "a") == ["d": "/", "d/f": "1\n", "h": "1\n"])
        let trash = try machine.run("-C", "a", "trash", "ls").output
        #expect(trash.split(separator: "\n").count == 2 && !trash.contains("rescued"), "\(trash)")
    }
}
