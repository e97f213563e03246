import Foundation
import Glibc
import TestSupport
import Testing

/// Names of one file are files of their own to other devices: what is done to one of them is done to no other.
@Suite(.mayBlock)
struct LinkedNameTests {
    private func link(_ machine: Machine, _ file: String, _ name: String) {
        unlink("\(machine.root)/\(name)")
        #expect(Glibc.link("\(machine.root)/\(file)", "\(machine.root)/\(name)") == 0)
    }

    private func move(_ machine: Machine, _ file: String, _ name: String) {
        #expect(rename("\(machine.root)/\(file)", "\(machine.root)/\(name)") == 0)
    }

    /// What the copies and the file itself hold.
    private func texts(_ machine: Machine, _ drive: String, _ stem: String) -> Set<String> {
        Set(machine.files(drive).filter { $0.key == stem || $0.key.hasPrefix("\(stem) (") }.values)
    }

    @Test func restoringOneNameLeavesTheOther() throws {
        let machine = try Machine()
        try machine.twoDrives(["f": "first f\n", "g": "first g\n"])
        link(machine, "a/f", "a/g")
        #expect(try machine.run("sync", "a").code == 0)
        try machine.write("f by b\n", to: "b/f")
        try machine.write("g by b\n", to: "b/g")
        let restored = try machine.run("restore", "a/g")
        #expect(restored.code == 0, "\(restored.error)")
        #expect(machine.read("a/g") == "first g\n" && machine.read("a/f") == "first f\n")
        try machine.settle()
        for drive in ["a", "b"] {
            #expect(texts(machine, drive, "f") == ["f by b\n"], "\(machine.files(drive))")
            #expect(texts(machine, drive, "g") == ["first g\n", "g by b\n"], "\(machine.files(drive))")
        }
        #expect(try !machine.run("-C", "a", "log").output.contains("moved"))
    }
}
