import Foundation
import TestSupport
import Testing

/// A store that is gone for good, as docs/stores.md says to replace it.
@Suite(.mayBlock)
struct LostStoreTests {
    @Test func aNewStoreTakesItsPlace() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("kept", to: "a/Old.txt")
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("sync", "b").code == 0)
        try FileManager.default.removeItem(atPath: "\(machine.root)/b/Old.txt")
        #expect(try machine.run("sync", "b").code == 0)
        #expect(try machine.run("sync", "a").code == 0)
        try FileManager.default.removeItem(atPath: "\(machine.root)/store")
        #expect(try machine.run("sync", "a").code == 69)
        for drive in ["a", "b"] {
            let settings = "\(drive)/.docdrive/config.toml"
            let lines = try #require(machine.read(settings)).split(separator: "\n").filter { !$0.hasPrefix("store") }
            try machine.write(lines.joined(separator: "\n") + "\n", to: settings)
            let connected = try machine.run("sync", drive, "--to", "other", "--yes")
            #expect(connected.code == 0, "\(connected.error)")
        }
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("-C", "a", "trash", "ls").output.contains("Old.txt"))
        #expect(try machine.run("-C", "b", "conflicts").output == "No conflicts.\n")
        try machine.write("new", to: "b/New.txt")
        #expect(try machine.run("sync", "b").code == 0)
        #expect(try machine.run("sync", "a").code == 0)
        #expect(machine.read("a/New.txt") == "new")
    }
}
