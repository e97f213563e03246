import Foundation
import TestSupport
import Testing

/// Rules change what is to be done in folders in which nothing has changed.
@Suite(.mayBlock)
struct IgnoreChangeTests {
    /// In step, and looked at once more, so that the folders are known.
    private func quiet(_ machine: borrowing Machine) throws {
        for _ in 0..<3 { #expect(try machine.run("-C", "a", "sync").code == 0) }
    }

    private func knows(_ path: String, _ machine: borrowing Machine) throws -> Bool {
        try machine.run("-C", "a", "find", "--name", path, "--count").output == "1\n"
    }

    @Test func whatARuleLetsGoIsTakenUp() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("x", to: "a/deep/er/half.part")
        try machine.write("*.part\n", to: "a/.driveignore")
        try quiet(machine)
        #expect(try !knows("half.part", machine))
        try machine.write("# nothing\n", to: "a/.driveignore")
        try quiet(machine)
        #expect(try knows("half.part", machine))
    }

    @Test func aRuleFurtherDownCountsForWhatIsBelowIt() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("*.log\n", to: "a/deep/.driveignore")
        try quiet(machine)
        try machine.write("x", to: "a/deep/er/run.log")
        try quiet(machine)
        #expect(try !knows("run.log", machine))
        try machine.remove("a/deep/.driveignore")
        try quiet(machine)
        #expect(try knows("run.log", machine))
    }

    @Test func aFolderThatMovesOutOfARulesPlaceIsLookedAt() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("x", to: "a/out/keep.txt")
        try machine.write("x", to: "a/out/result.o")
        try machine.write("/out/*.o\n", to: "a/.driveignore")
        try quiet(machine)
        #expect(try knows("keep.txt", machine))
        #expect(try !knows("result.o", machine))
        try machine.move("a/out", to: "a/elsewhere")
        try quiet(machine)
        #expect(try knows("result.o", machine))
    }

    /// Size and date of the content as they were: the time of the inode tells.
    @Test func aChangeBehindTheDatesIsFoundInAKnownFolder() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("old", to: "a/deep/er/file")
        try quiet(machine)
        let path = "\(machine.root)/a/deep/er/file"
        let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as Any
        try machine.write("new", to: "a/deep/er/file")
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        try machine.settle()
        #expect(machine.read("b/deep/er/file") == "new")
    }
}
