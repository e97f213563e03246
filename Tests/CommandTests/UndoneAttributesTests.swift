import Foundation
import TestSupport
import Testing

/// What comes back has the date, tags and executable bit that it had when it went, not those with which its content came.
@Suite(.mayBlock)
struct UndoneAttributesTests {
    private static let names = ["edited", "removed", "again"]

    private static let looks = """
        cd "$1"; for name in edited removed again; do
            [ ! -e $name ] || echo "$name $(cat $name) $(stat -c '%Y %A' $name)"
        done
        """

    private func shell(_ machine: Machine, _ script: String, _ drive: String) throws -> String {
        let done = try machine.run(["-c", script, "sh", "\(machine.root)/\(drive)"], program: "/bin/sh")
        #expect(done.code == 0, "\(done.output)\(done.error)")
        return done.output
    }

    private func looks(_ machine: Machine, _ drive: String) throws -> String {
        let tags = try machine.run(["tag"] + Self.names.map { "\(machine.root)/\(drive)/\($0)" })
        return try shell(machine, Self.looks, drive)
            + tags.output.replacingOccurrences(of: "\(machine.root)/\(drive)/", with: "")
    }

    private func world() throws -> Machine {
        let machine = try Machine()
        try machine.twoDrives(Dictionary(uniqueKeysWithValues: Self.names.map { ($0, "same") }))
        _ = try shell(machine, "cd \"$1\"; touch -d 2020-01-01 edited removed again", "a")
        try machine.settle()
        // Has been in the trash of a with what it had then.
        _ = try shell(machine, "cd \"$1\"; rm again", "b")
        try machine.settle()
        _ = try shell(machine, "cd \"$1\"; printf same > again", "a")
        _ = try shell(machine, "cd \"$1\"; touch -d 2021-01-01 edited removed again; chmod +x edited again", "a")
        for name in Self.names {
            #expect(try machine.run("-C", "a", "tag", "\(name)", "--set", "of \(name)").code == 0)
        }
        try machine.settle()
        return machine
    }

    @Test(arguments: ["a", "b"]) func theyAreThoseOfBefore(_ undoing: String) throws {
        let machine = try world()
        let before = try looks(machine, undoing)
        #expect(before.split(separator: "\n").count == 6, "\(before)")
        _ = try shell(machine, "cd \"$1\"; echo other > edited; touch -d 2022-01-01 edited; rm removed again", "a")
        try machine.settle()
        let after = try looks(machine, undoing)
        for state in [before, after, before] {
            let operation = try #require(try newest(machine, undoing))
            let undo = try machine.run("-C", undoing, "undo", operation, "--yes")
            #expect(undo.code == 0, "\(undo.output)\(undo.error)")
            #expect(try looks(machine, undoing) == state, "\(undo.output)")
            try machine.settle()
            for drive in ["a", "b"] { #expect(try looks(machine, drive) == state, "\(drive)") }
        }
    }

    @Test func whatIsRestoredAfterItWasRemovedHasItsLastDate() throws {
        let machine = try world()
        let before = try looks(machine, "a")
        _ = try shell(machine, "cd \"$1\"; rm removed again", "a")
        try machine.settle()
        #expect(try machine.run("-C", "a", "restore", "removed", "again").code == 0)
        #expect(try looks(machine, "a") == before)
    }

    /// Different things of one file, on different devices.
    @Test func whatOthersChangedSinceStays() throws {
        let machine = try world()
        _ = try shell(machine, "cd \"$1\"; chmod +x removed", "a")
        try machine.settle()
        let bit = try #require(try newest(machine, "a"))
        #expect(try machine.run("-C", "b", "tag", "removed", "--set", "red").code == 0)
        try machine.settle()
        let tags = try #require(try newest(machine, "a"))
        for (operation, expected) in [(bit, "red"), (tags, "of removed")] {
            let undo = try machine.run("-C", "a", "undo", operation, "--yes")
            #expect(undo.code == 0, "\(undo.output)\(undo.error)")
            try machine.settle()
            for drive in ["a", "b"] {
                let now = try looks(machine, drive)
                #expect(now.contains("removed same 1609459200 -rw-r--r--\n"), "\(drive) \(now)")
                #expect(now.contains("removed  \(expected)\n"), "\(drive) \(now)")
            }
        }
        #expect(try machine.run("-C", "b", "tag", "removed", "--set", "blue").code == 0)
        try machine.settle()
        let undo = try machine.run("-C", "a", "undo", tags, "--yes")
        #expect(undo.code == 2 && undo.output.contains("it has changed since"), "\(undo.output)")
    }

    private struct Operation: Decodable {
        var id: UInt64
        var kind: String
    }

    private func newest(_ machine: Machine, _ drive: String) throws -> String? {
        let lines = try machine.run("-C", drive, "undo", "--list", "--jsonl").output.split(separator: "\n")
        return try lines.map { try JSONDecoder().decode(Operation.self, from: Data($0.utf8)).id }.max().map { "\($0)" }
    }
}
