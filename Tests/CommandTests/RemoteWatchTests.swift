import Foundation
import TestSupport
import Testing

/// A watch over a store behind a server: OpenSSH's SFTP server, without the connection.
@Suite(.mayBlock, .enabled(if: SFTPProgram.isPossible, "install openssh-sftp-server"))
struct RemoteWatchTests {
    private let program: SFTPProgram
    private let machine: Machine
    private var place: String { "sftp://nas\(machine.root)" }

    init() throws {
        program = try SFTPProgram()
        machine = try Machine(variables: ["DOCDRIVE_SSH": program.path])
        try machine.write("dear\n", to: "a/Letter.txt")
        for folder in ["a", "b"] {
            let joined = try machine.run("sync", folder, "--to", "\(place)/store", "--yes")
            #expect(joined.code == 0, "\(joined.error)")
        }
    }

    @Test func nothingIsSentWhereTheStoreWasEmptied() throws {
        try expectNothingIsSent {
            try FileManager.default.createDirectory(
                atPath: "\(machine.root)/store", withIntermediateDirectories: false)
        }
    }

    @Test func nothingIsSentToAnotherStoreInItsPlace() throws {
        try machine.write("other", to: "c/Other.txt")
        #expect(try machine.run("sync", "c", "--to", "\(place)/other", "--yes").code == 0)
        try expectNothingIsSent { try machine.move("other", to: "store") }
    }

    /// Where no more files can be opened, it says so; what starts ssh would end the whole process.
    @Test(arguments: [26, 28, 30, 32, 36, 40, 44]) func withTooFewDescriptorsItEndsWithAnError(limit: Int) throws {
        let trial = "\(machine.root)/trial"
        try FileManager.default.createDirectory(atPath: trial, withIntermediateDirectories: false)
        let line = "ulimit -n \(limit); exec \"$0\" transport test \"$1\""
        let result = try machine.run(["-c", line, Machine.program, "sftp://nas\(trial)"], program: "/bin/sh")
        #expect((0..<100).contains(result.code), "\(result)")
    }

    private func expectNothingIsSent(_ replace: () throws -> Void) throws {
        let watch = try machine.watch("a")
        defer { watch.end() }
        // It has seen the store, and looks for it again in a minute.
        #expect(try machine.run("-C", "a", "wait").code == 0)
        try machine.move("store", to: "away")
        try replace()
        let there = machine.files("store")
        try machine.write("new", to: "a/New")
        #expect(
            try eventually {
                try machine.run("-C", "a", "status").output.contains("is the address still right?")
            }, "\(watch.error)")
        #expect(try machine.run("-C", "a", "status", "--check").code == 1)
        #expect(machine.files("store") == there)
        try machine.remove("store")
        try machine.move("away", to: "store")
        #expect(try eventually { try machine.run("-C", "a", "status", "--check").code == 0 }, "\(watch.error)")
        #expect(try machine.run("sync", "b").code == 0)
        #expect(machine.files("b") == ["Letter.txt": "dear\n", "New": "new"])
    }
}
