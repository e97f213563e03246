import Foundation
import TestSupport
import Testing

/// A conflict of a file that a rule hides by now: its copies are sent, and the file itself is not.
@Suite(.mayBlock)
struct HiddenConflictTests {
    /// Both contents are on both devices, and the rule too.
    private func machine() throws -> Machine {
        let machine = try Machine()
        try machine.twoDrives(["x.log": "1\n2\n3\n4\n5\n"])
        try machine.write("by a\n2\n3\n4\n5\n", to: "a/x.log")
        try machine.write("1\n2\n3\n4\n5\nby b\n", to: "b/x.log")
        try machine.settle()
        let rules = try #require(machine.read("a/.driveignore"))
        try machine.write(rules + "*.log\n", to: "a/.driveignore")
        try machine.settle()
        #expect(machine.files("a").count == 2 && machine.files("b") == machine.files("a"))
        return machine
    }

    /// The file would change on this device alone, and the others would lose the copy.
    @Test(arguments: [["--keep", "copy"], ["--merge"], ["--suggested"], ["--keep", "newest"]])
    func nothingIsDecidedThatOthersDoNotLearn(_ how: [String]) throws {
        let machine = try machine()
        let before = machine.files("a")
        for more in [["--dry-run"], []] {
            let refused = try machine.run(["-C", "a", "conflicts", "resolve", "--all"] + how + more)
            #expect(refused.code == 2, "\(refused.output)")
            let told = refused.output + refused.error
            #expect(told.contains("a rule hides it, so that other devices would lose the copy"), "\(told)")
        }
        try machine.settle()
        #expect(machine.files("a") == before && machine.files("b") == before)
        #expect(!(try machine.run("-C", "b", "conflicts").output.hasPrefix("No conflicts")))
    }

    /// No device looks into it, so that none would learn of anything.
    @Test(arguments: [["--keep", "current"], ["--keep", "both"], ["--keep", "copy"], ["--suggested"]])
    func inAHiddenFolderNothingIsDecided(_ how: [String]) throws {
        let machine = try Machine()
        try machine.twoDrives(["d/x": "0\n"])
        for drive in ["a", "b"] { try machine.write("by \(drive)\n", to: "\(drive)/d/x") }
        try machine.settle()
        let rules = try #require(machine.read("a/.driveignore"))
        try machine.write(rules + "d/\n", to: "a/.driveignore")
        try machine.settle()
        let before = machine.files("a")
        for drive in ["a", "b"] {
            let refused = try machine.run(["-C", drive, "conflicts", "resolve", "--all"] + how)
            #expect(refused.code == 2, "\(refused.output)")
            #expect((refused.output + refused.error).contains("a rule hides its folder"), "\(refused)")
        }
        try machine.settle()
        #expect(machine.files("a") == before && machine.files("b") == before)
    }

    @Test(arguments: ["current", "both"])
    func whatLeavesTheFileEndsIt(_ keep: String) throws {
        let machine = try machine()
        let count = machine.files("a").count
        let done = try machine.run("-C", "a", "conflicts", "resolve", "--all", "--keep", keep)
        #expect(done.code == 0, "\(done.output)\(done.error)")
        try machine.settle()
        #expect(machine.files("b") == machine.files("a"))
        #expect(machine.files("a").count == (keep == "both" ? count : 1))
        for drive in ["a", "b"] {
            #expect(try machine.run("-C", drive, "conflicts").output.hasPrefix("No conflicts"))
        }
    }
}
