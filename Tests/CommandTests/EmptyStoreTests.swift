import Foundation
import TestSupport
import Testing

/// An empty folder where the store was, as after a start without its disk: nothing is published there, and nobody says in step.
@Suite(.mayBlock)
struct EmptyStoreTests {
    private func makeFolder(_ machine: borrowing Machine) throws {
        try FileManager.default.createDirectory(atPath: "\(machine.root)/store", withIntermediateDirectories: false)
    }

    private func emptied() throws -> Machine {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.move("store", to: "away")
        try makeFolder(machine)
        try machine.write("new", to: "a/New")
        return machine
    }

    private func expectNothingThere(_ machine: borrowing Machine) {
        #expect(machine.files("store").isEmpty, "\(machine.files("store"))")
    }

    private func expectAllComesBack(_ machine: borrowing Machine) throws {
        try machine.remove("store")
        try machine.move("away", to: "store")
        #expect(eventually { (try? machine.run("-C", "a", "status", "--check").code) == 0 })
        _ = try machine.run("sync", "b")
        #expect(machine.read("b/New") == "new")
    }

    @Test func aWatchThatBeginsWaitsForIt() throws {
        let machine = try emptied()
        let watch = try machine.watch("a")
        defer { watch.end() }
        #expect(
            eventually {
                (try? machine.run("-C", "a", "status").output.contains("is its disk mounted?")) ?? false
            }, "\(watch.error)")
        #expect(try machine.run("-C", "a", "status", "--check").code == 1)
        expectNothingThere(machine)
        try expectAllComesBack(machine)
    }

    @Test func aWatchThatRunsStopsSending() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let watch = try machine.watch("a")
        defer { watch.end() }
        #expect(try machine.run("-C", "a", "wait").code == 0)
        try machine.move("store", to: "away")
        try makeFolder(machine)
        try machine.write("new", to: "a/New")
        #expect(
            eventually {
                (try? machine.run("-C", "a", "status").output.contains("is its disk mounted?")) ?? false
            }, "\(watch.error)")
        expectNothingThere(machine)
        try expectAllComesBack(machine)
    }
}
