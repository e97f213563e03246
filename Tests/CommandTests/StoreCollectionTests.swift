import Foundation
import TestSupport
import Testing

/// `store gc` with the real program. How it goes on after days is shown by `CollectionTests`, whose clock can be moved.
@Suite(.mayBlock)
struct StoreCollectionTests {
    private func machine() throws -> Machine {
        let machine = try Machine()
        try machine.twoDrives(["Letter.txt": "dear\n", "Big": String(repeating: "0123456789", count: 40_000)])
        return machine
    }

    private func collect(_ machine: Machine, _ options: String...) throws -> Machine.Result {
        try machine.run(["-C", "a", "store", "gc"] + options)
    }

    @Test func whatIsUnneededIsAnnouncedAndWaitsForTheOtherDevice() throws {
        let machine = try machine()
        #expect(try collect(machine).output == "Nothing in the store is unneeded\n")
        try machine.remove("a/Big")
        try machine.settle()
        #expect(try collect(machine).output.contains("1 object, "))
        #expect(try collect(machine, "--older-than", "0", "--dry-run").output.hasPrefix("Would announce 1 object, "))
        #expect(machine.objects("gc").isEmpty)
        #expect(try collect(machine, "--older-than", "0").output.hasPrefix("Announced 1 object, "))
        #expect(machine.objects("gc").count == 1)
        let waiting = try collect(machine)
        // A day that nobody has seen pass does not count: no date is right.
        let words = "waits for beta to sync, or for 90 days that this device has seen pass\n"
        #expect(waiting.code == 0 && waiting.output.hasSuffix(words), "\(waiting.output)")
        // Whoever wants to start one of its own has to wait for this one.
        try machine.write(String(repeating: "9876543210", count: 40_000), to: "b/Other")
        try machine.settle()
        try machine.remove("b/Other")
        try machine.settle()
        let other = try machine.run("-C", "b", "store", "gc", "--older-than", "0")
        #expect(other.output == "alpha is at it already\n", "\(other.output)")
        #expect(try machine.run("-C", "a", "store", "check").code == 0)
    }

    @Test func aDryRunSaysThatItHasNotReadWhatOthersPublished() throws {
        let machine = try machine()
        try machine.settle()
        try machine.write("new\n", to: "b/New")
        #expect(try machine.run("sync", "b").code == 0)
        let trial = try collect(machine, "--dry-run")
        #expect(trial.code == 2)
        #expect(trial.output.hasPrefix("Not known: beta published what was not read here yet; `docdrive -C a sync`"))
        #expect(try collect(machine).output == "Nothing in the store is unneeded\n")
        #expect(try collect(machine, "--dry-run").output == "Nothing in the store is unneeded\n")
    }

    /// A content that came back is stored again; what only the deleted file had may go.
    @Test func whatOnlyADeletedFileHadIsNotMissed() throws {
        let machine = try machine()
        let first = Set(machine.objects("blob"))
        try machine.remove("a/Big")
        try machine.settle()
        #expect(try machine.run("-C", "a", "restore", "Big").code == 0)
        try machine.settle()
        #expect(machine.objects("blob").count == first.count + 1)
        for object in first { try machine.remove(object) }
        for folder in ["a", "b"] {
            let check = try machine.run("store", "check", folder)
            #expect(check.code == 0 && check.output.contains("no damage"), "\(check)")
        }
        for object in machine.objects("blob") { try machine.remove(object) }
        let check = try machine.run("store", "check", "a")
        #expect(check.code == 65 && check.output.contains("needed by Big"), "\(check)")
    }

    /// Whoever says that something can go cannot say any more that it is there.
    @Test func versionsTellWhatOthersMayHaveRemoved() throws {
        let machine = try machine()
        try machine.write(String(repeating: "9876543210", count: 40_000), to: "a/Big")
        try machine.settle()
        #expect(try collect(machine, "--older-than", "0").output.hasPrefix("Announced 1 object, "))
        #expect(try machine.run("-C", "b", "trash", "empty", "--yes").code == 0)
        let before = try machine.run("-C", "b", "versions", "Big").output
        #expect(before.hasSuffix(", on the store\n"), "\(before)")
        #expect(try machine.run("-C", "b", "store", "gc").output == "alpha is at it already\n")
        let after = try machine.run("-C", "b", "versions", "Big").output
        #expect(after.hasSuffix(", perhaps still on the store\n"), "\(after)")
        #expect(try machine.run("-C", "b", "versions", "Big", "--json").output.contains("mayHaveLeftTheStore"))
        #expect(try machine.run("-C", "a", "versions", "Big").output.hasSuffix(", on the store\n"))
    }

    /// What is looked for in vain is not said to be there afterwards.
    @Test func versionsTellWhatTheStoreWasFoundToLack() throws {
        let machine = try machine()
        let old = machine.objects("blob")
        try machine.write(String(repeating: "9876543210", count: 40_000), to: "a/Big")
        try machine.settle()
        for object in old { try machine.remove(object) }
        let line = try #require(try machine.run("-C", "a", "versions", "Big").output.split(separator: "\n").last)
        #expect(line.hasSuffix(", on the store"))
        let restored = try machine.run("-C", "a", "restore", "Big@\(line.prefix(8))", "--to", "Old")
        #expect(restored.code != 0 && restored.error.contains("nor on the store any more"), "\(restored.error)")
        // Of the target there are no versions.
        #expect(restored.error.contains("versions Big` says where others are"), "\(restored.error)")
        #expect(try machine.run("-C", "a", "versions", "Big").output.hasSuffix(", not on the store any more\n"))
        // Where it comes late, or another device has it, it can be had all the same.
        let again = try machine.run("-C", "a", "restore", "Big@\(line.prefix(8))", "--to", "Old")
        #expect(again.error.contains("nor on the store any more"), "\(again.error)")
    }

    /// Whatever was stored since is lost, and nobody knows what of the rest.
    @Test func versionsOfAStoreThatWasRolledBackAreNotPromised() throws {
        let machine = try machine()
        try FileManager.default.copyItem(atPath: "\(machine.root)/store", toPath: "\(machine.root)/copy")
        for text in ["9876543210", "2468013579"] {
            try machine.write(String(repeating: text, count: 40_000), to: "a/Big")
            try machine.settle()
        }
        let before = try machine.run("-C", "a", "versions", "Big").output.split(separator: "\n").dropFirst()
        #expect(before.count == 2 && before.allSatisfy { $0.hasSuffix(", on the store") }, "\(before)")
        try machine.remove("store")
        try machine.move("copy", to: "store")
        try machine.settle()
        let after = try machine.run("-C", "a", "versions", "Big").output.split(separator: "\n").dropFirst()
        #expect(after.count == 2 && after.allSatisfy { $0.hasSuffix(", perhaps still on the store") }, "\(after)")
        let newest = try #require(after.first)
        let restored = try machine.run("-C", "a", "restore", "Big@\(newest.prefix(8))", "--to", "Old")
        #expect(restored.error.contains("nor on the store any more"), "\(restored.error)")
        let last = try machine.run("-C", "a", "versions", "Big").output.split(separator: "\n").dropFirst()
        #expect(last.first?.hasSuffix(", not on the store any more") == true, "\(last)")
        #expect(last.last?.hasSuffix(", perhaps still on the store") == true, "\(last)")
    }

    @Test func itIsToldAsJSON() throws {
        let machine = try machine()
        let result = try collect(machine, "--jsonl")
        #expect(
            result.output
                == #"{"bytes":0,"devices":[],"dryRun":false,"objects":0,"step":"nothing","type":"store-gc","unfinished":{"bytes":0,"objects":0},"v":1}"#
                + "\n")
        #expect(try collect(machine, "--older-than", "-1").code == 64)
    }
}
