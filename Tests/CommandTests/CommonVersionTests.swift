import Foundation
import TestSupport
import Testing

/// What both sides of a conflict come from, while one of them goes back and forth.
@Suite(.mayBlock)
struct CommonVersionTests {
    private func text(_ changes: [Int: String] = [:]) -> String {
        (1...9).map { (changes[$0] ?? "line \($0)") + "\n" }.joined()
    }

    private struct Conflict: Decodable {
        var ancestorHash: String?
        var `class`: String
    }

    private func conflict(_ machine: Machine, _ drive: String) throws -> Conflict {
        let line = try #require(
            machine.run("-C", drive, "conflicts", "--jsonl").output.split(separator: "\n").first)
        return try JSONDecoder().decode(Conflict.self, from: Data(line.utf8))
    }

    private func newest(_ machine: Machine, _ drive: String) throws -> String {
        let last = try machine.run("-C", drive, "undo", "--list").output.split(separator: "\n").last
        return try String(#require(last?.split(separator: " ").first))
    }

    /// Back to the text that both come from, then another edit, which an undo and its undo leave as it is.
    @Test func anEditAfterTheCommonTextCameBackIsMerged() throws {
        let machine = try Machine()
        try machine.twoDrives(["f": text()])
        try machine.write(text([3: "edit of a"]), to: "a/f")
        #expect(try machine.run("sync", "a").code == 0)
        try machine.write(text([3: "edit of b"]), to: "b/f")
        try machine.settle()
        try machine.write(text(), to: "b/f")
        #expect(try machine.run("sync", "b").code == 0)
        try machine.write(text([8: "later edit"]), to: "b/f")
        #expect(try machine.run("sync", "b").code == 0)
        try machine.settle()
        let before = try conflict(machine, "a")
        #expect(before.class == "mergeable")
        for _ in 0..<2 {
            let undo = try machine.run("-C", "a", "undo", newest(machine, "a"), "--yes")
            #expect(undo.code == 0, "\(undo)")
        }
        try machine.settle()
        for drive in ["a", "b"] {
            let now = try conflict(machine, drive)
            #expect(now.class == "mergeable" && now.ancestorHash == before.ancestorHash, "\(drive)")
        }
        #expect(try machine.run("-C", "a", "conflicts", "resolve", "--all", "--suggested").code == 0)
        #expect(machine.read("a/f") == text([3: "edit of a", 8: "later edit"]))
    }

    @Test func anEarlierTextThatComesBackLeavesItMergeable() throws {
        let machine = try Machine()
        try machine.twoDrives(["f": text()])
        try machine.write(text([3: "edit of a"]), to: "a/f")
        #expect(try machine.run("sync", "a").code == 0)
        try machine.write(text([7: "edit of b"]), to: "b/f")
        try machine.settle()
        let current = try #require(machine.read("b/f"))
        try machine.write(current + "more\n", to: "b/f")
        try machine.settle()
        try machine.write(current, to: "a/f")
        try machine.settle()
        for drive in ["a", "b"] {
            let now = try conflict(machine, drive)
            #expect(now.class == "mergeable" && now.ancestorHash != nil, "\(drive)")
        }
    }

    /// What was lost by mistake came back on one side, and the other wrote on meanwhile: a merge has both, whoever was first.
    @Test(arguments: [true, false], [true, false])
    func whatOneSideRestoresIsNotTakenBack(restoresLast: Bool, editsOnceMore: Bool) throws {
        let machine = try Machine()
        try machine.twoDrives(["f": text()])
        try machine.write(text([4: "a mistake"]), to: "a/f")
        try machine.settle()
        #expect(machine.read("b/f") == text([4: "a mistake"]))
        func restore() throws {
            #expect(try machine.run("-C", "a", "restore", "f").code == 0)
            #expect(machine.read("a/f") == text())
            _ = try machine.run("sync", "a")
            guard editsOnceMore else { return }
            try machine.write(text([1: "edit of a"]), to: "a/f")
            _ = try machine.run("sync", "a")
        }
        // Neither knows of the other yet.
        if !restoresLast { try restore() }
        try machine.move("store", to: "away")
        try machine.write(text([4: "a mistake"]) + "by b\n", to: "b/f")
        _ = try machine.run("sync", "b")
        try machine.move("away", to: "store")
        if restoresLast { try restore() }
        try machine.settle()
        for drive in ["a", "b"] {
            let now = try conflict(machine, drive)
            #expect(now.class == "mergeable" && now.ancestorHash != nil, "\(drive)")
        }
        #expect(try machine.run("-C", "a", "conflicts", "resolve", "--all", "--suggested").code == 0)
        try machine.settle()
        let merged = text(editsOnceMore ? [1: "edit of a"] : [:]) + "by b\n"
        #expect(machine.read("a/f") == merged && machine.read("b/f") == merged)
    }

    /// As a restore does, so does an undo, and so does who saves the text of before by hand.
    @Test(arguments: ["undo", "save"]) func whatWasTakenBackStaysTakenBack(how: String) throws {
        let machine = try Machine()
        try machine.twoDrives(["f": text()])
        try machine.write(text([4: "a mistake"]), to: "a/f")
        try machine.settle()
        try machine.move("store", to: "away")
        try machine.write(text([4: "a mistake"]) + "by b\n", to: "b/f")
        _ = try machine.run("sync", "b")
        try machine.move("away", to: "store")
        if how == "undo" {
            let undo = try machine.run("-C", "a", "undo", newest(machine, "a"), "--yes")
            #expect(undo.code == 0, "\(undo)")
        } else {
            try machine.write(text(), to: "a/f")
        }
        #expect(machine.read("a/f") == text())
        try machine.settle()
        #expect(try machine.run("-C", "b", "conflicts", "resolve", "--all", "--merge").code == 0)
        #expect(machine.read("b/f") == text() + "by b\n")
    }
}
