import Foundation
import TestSupport
import Testing

/// Two devices change different things of one item.
@Suite(.mayBlock)
struct MixedChangeTests {
    private func machine() throws -> Machine {
        let machine = try Machine()
        try machine.twoDrives(["p.txt": "p\n", "q.txt": "q\n", "x.txt": "x\n"])
        return machine
    }

    private func makeExecutable(_ path: String, _ machine: Machine) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(machine.root)/\(path)")
    }

    /// The attributes that a sync has set are no change that waits for the next one.
    @Test func attributesThatWereBroughtAreInStep() throws {
        let machine = try machine()
        try makeExecutable("a/p.txt", machine)
        #expect(try machine.run("sync", "a").code == 0)
        try machine.write("longer\n", to: "b/p.txt")
        let synced = try machine.run("sync", "b")
        #expect(synced.output.contains("attributes of 1 item set"), "\(synced.output)")
        let status = try machine.run("-C", "b", "status", "--check")
        #expect(status.code == 0, "\(status.output)")
        #expect(try machine.run("sync", "b").output.hasPrefix("in step: nothing to do"))
    }

    /// What the other one did is told of it, though this one's change of the item came later.
    @Test func whatAnotherDeviceDidIsItsOwn() throws {
        let machine = try machine()
        try machine.move("a/x.txt", to: "a/y.txt")
        try machine.write("edited by a\n", to: "a/q.txt")
        try makeExecutable("a/p.txt", machine)
        #expect(try machine.run("sync", "a").code == 0)
        try machine.write("edited by b\n", to: "b/x.txt")
        try machine.write("edited by b\n", to: "b/p.txt")
        try machine.move("b/q.txt", to: "b/r.txt")
        #expect(try machine.run("sync", "b").code == 0)
        #expect(machine.read("b/r.txt") == "edited by a\n")
        #expect(machine.read("b/y.txt") == "edited by b\n")
        let log = try machine.run("-C", "b", "log").output.split(separator: "\n")
        for change in ["attributes  p.txt", "edited      r.txt", "moved       y.txt"] {
            let line = log.last { $0.contains(change) }
            #expect(line?.contains("from alpha") == true, "\(change): \(log)")
        }
        let moved = try machine.run("-C", "b", "why", "x.txt").output
        #expect(moved.contains("moved by alpha to y.txt"), "\(moved)")
    }
}
