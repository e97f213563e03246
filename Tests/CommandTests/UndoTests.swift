import Foundation
import TestSupport
import Testing

/// What `undo` reverses, what it says of it, and what the log has of it.
@Suite(.mayBlock)
struct UndoTests {
    private struct Operation: Decodable {
        var id: UInt64
        var kind: String
        var undoes: UInt64?
        var reverses: [UInt64]?
        var undoneBy: UInt64?
    }

    private func operations(_ machine: Machine, _ drive: String) throws -> [Operation] {
        let result = try machine.run("-C", drive, "undo", "--list", "--jsonl")
        return try result.output.split(separator: "\n").map { line in
            try JSONDecoder().decode(Operation.self, from: Data(line.utf8))
        }
    }

    private func log(_ machine: Machine, _ drive: String) throws -> [String] {
        try machine.run("-C", drive, "log").output.split(separator: "\n").map { line in
            line.split(separator: " ").dropFirst(2).joined(separator: " ")
        }
    }

    /// The copy of a conflict in a drive.
    private func conflictCopy(_ machine: Machine, _ drive: String) -> String? {
        machine.files(drive).keys.first { $0.contains("conflicted copy") }
    }

    @Test func aRenameIntoAnotherFolderIsLoggedAsAMove() throws {
        let machine = try Machine()
        try machine.twoDrives(["f.txt": "1\n", "d/in.txt": "2\n"])
        try machine.move("a/f.txt", to: "a/d/g.txt")
        try machine.settle()
        #expect(try log(machine, "a").last == "2 moved d/g.txt (was f.txt)")
        #expect(try machine.run("why", "a/f.txt").output.contains("moved on this device to d/g.txt"))
        #expect(try machine.run("-C", "a", "undo", "2", "--yes").code == 0)
        try machine.settle()
        for drive in ["a", "b"] { #expect(machine.files(drive) == ["f.txt": "1\n", "d": "/", "d/in.txt": "2\n"]) }
    }

    @Test func aRenamedConflictCopyIsLoggedAsMoved() throws {
        let machine = try Machine()
        try machine.twoDrives(["f.txt": "1\n"])
        try machine.write("12\n", to: "a/f.txt")
        try machine.write("123\n", to: "b/f.txt")
        try machine.settle()
        let copy = try #require(conflictCopy(machine, "a"))
        try machine.move("a/\(copy)", to: "a/mine.txt")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try log(machine, "a").last?.hasSuffix(" moved mine.txt (was \(copy))") == true)
        try machine.write("1234\n", to: "a/mine.txt")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try log(machine, "a").last?.hasSuffix(" edited mine.txt") == true)
    }
}
