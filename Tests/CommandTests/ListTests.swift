import Foundation
import Glibc
import TestSupport
import Testing

/// What `ls` lists for what is named.
@Suite(.mayBlock) struct ListTests {
    private func listed(_ machine: Machine, _ arguments: String...) throws -> String {
        let result = try machine.run(["-C", "a", "ls"] + arguments)
        #expect(result.code == 0, "\(arguments): \(result.error)")
        return result.output
    }

    @Test func aFileIsListedItself() throws {
        let machine = try Machine()
        for path in ["f", "D/g", "D/h"] { try machine.write("text\n", to: "a/\(path)") }
        try machine.write("ignored.txt\n", to: "a/.driveignore")
        for (link, target) in [("L", "D"), ("lost", "nowhere"), ("tof", "f"), ("out", "../b")] {
            #expect(symlink(target, "\(machine.root)/a/\(link)") == 0)
        }
        try machine.write("elsewhere\n", to: "b/x")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        let file = try listed(machine, "D/g")
        #expect(file.hasSuffix("  D/g\n") && file.count { $0 == "\n" } == 1, "\(file)")
        #expect(try listed(machine, "f", "-0") == "f\0")
        #expect(try listed(machine, "f", "-l").contains("5 bytes"))
        #expect(try listed(machine, "f", "--json").contains("\"path\" : \"f\""))
        #expect(try listed(machine, "f", "--state", "conflict").isEmpty)
        #expect(try listed(machine, "D", "-0") == "g\0h\0")
        // A link to a folder of the drive is that folder, any other is an item.
        #expect(try listed(machine, "L", "-0") == "g\0h\0")
        #expect(try listed(machine, "L/g", "-0") == "D/g\0")
        for link in ["lost", "tof", "out"] { #expect(try listed(machine, link, "-0") == "\(link)\0") }
        try machine.write("x\n", to: "a/ignored.txt")
        let ignored = try machine.run("-C", "a", "ls", "ignored.txt")
        #expect(ignored.code == 64 && ignored.error.contains("the drive has no such item"))
    }

    @Test func aPauseIsToldWithWhatIsNotSent() throws {
        let machine = try Machine()
        try machine.twoDrives()
        #expect(try machine.run("-C", "a", "pause", "--for", "3d").code == 0)
        try machine.write("changed", to: "a/Letter.txt")
        let why = try machine.run("why", "a/Letter.txt").output
        #expect(why.contains("why        paused: nothing is sent or brought\n"), "\(why)")
        #expect(why.contains("do         docdrive -C a resume\n"), "\(why)")
        // Not only the time of another day.
        #expect(why.contains("next try   20"), "\(why)")
        let list = try machine.run("ls", "a")
        #expect(list.error.contains("docdrive: nothing watches the drive; as of 20"), "\(list.error)")
        #expect(list.error.contains("docdrive: paused: nothing is sent or brought until 20"), "\(list.error)")
        #expect(list.error.hasSuffix(", or `docdrive -C a resume`\n"), "\(list.error)")
        #expect(try machine.run("-C", "a", "resume").code == 0)
        #expect(try !machine.run("ls", "a").error.contains("paused"))
    }
}
