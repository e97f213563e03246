import Foundation
import TestSupport
import Testing

/// A file gets what its conflict copy holds: both would hold the same then, which is no conflict.
@Suite(.mayBlock)
struct ConflictRestoreTests {
    private func conflict() throws -> (machine: Machine, copy: String, id: String) {
        let machine = try Machine()
        try machine.twoDrives(["f": "old\n"])
        try machine.write("by a\n", to: "a/f")
        try machine.write("by b, later\n", to: "b/f")
        try machine.settle()
        let copy = try #require(machine.files("a").keys.first { $0 != "f" })
        let listed = try machine.run("-C", "a", "versions", "f").output
        let line = try #require(listed.split(separator: "\n").first { $0.hasSuffix("conflict copy") })
        return (machine, copy, String(line.prefix(8)))
    }

    @Test func theCopyTakesItsPlaceAndComesBackWithAnUndo() throws {
        let (machine, copy, id) = try conflict()
        let (before, held) = (machine.files("a"), machine.read("a/\(copy)"))
        let trial = try machine.run("-C", "a", "restore", "f@\(id)", "--dry-run")
        #expect(trial.output.contains("the copy \(copy) would take its place, which ends the conflict"), "\(trial)")
        #expect(machine.files("a") == before)
        let restored = try machine.run("-C", "a", "restore", "f@\(id)")
        #expect(restored.code == 0)
        #expect(restored.output.contains("the copy \(copy) took its place, which ends the conflict"), "\(restored)")
        try machine.settle()
        for drive in ["a", "b"] {
            #expect(machine.files(drive) == ["f": held], "\(drive)")
            #expect(try machine.run("-C", drive, "conflicts", "--check").code == 0)
        }
        let undone = try machine.run("-C", "a", "undo", "--yes")
        #expect(undone.code == 0, "\(undone)")
        #expect(machine.files("a") == before, "\(undone)")
        try machine.settle()
        #expect(machine.files("a") == before && machine.files("b") == before)
    }

    @Test func underAnotherNameNothingElseHappens() throws {
        let (machine, copy, id) = try conflict()
        let before = machine.files("a")
        #expect(try machine.run("-C", "a", "restore", "f@\(id)", "--to", "g").code == 0)
        try machine.settle()
        #expect(machine.files("a") == before.merging(["g": machine.read("a/\(copy)") ?? ""]) { $1 })
        #expect(try machine.run("-C", "a", "conflicts", "--check").code != 0)
    }

    /// Neither is lost: what the file held goes to the trash, the copy stays as it was saved.
    @Test func whatWasSavedSinceIsKept() throws {
        let (machine, copy, id) = try conflict()
        let held = try #require(machine.read("a/\(copy)"))
        try machine.write("saved in the copy\n", to: "a/\(copy)")
        try machine.write("saved in the file\n", to: "a/f")
        let trial = try machine.run("-C", "a", "restore", "f@\(id)", "--dry-run")
        #expect(!trial.output.contains("the copy"), "\(trial)")
        #expect(try machine.run("-C", "a", "restore", "f@\(id)").code == 0)
        try machine.settle()
        #expect(machine.files("b") == ["f": held, copy: "saved in the copy\n"])
        #expect(try machine.run("-C", "a", "undo", "--yes").code == 0)
        #expect(machine.read("a/f") == "saved in the file\n" && machine.read("a/\(copy)") == "saved in the copy\n")
    }
}
