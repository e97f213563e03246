import Foundation
import TestSupport
import Testing

/// A store that is gone for good, as docs/stores.md says to replace it.
@Suite(.mayBlock)
struct LostStoreTests {
    @Test func settingsThatDoNotNameTheStoreAreNoDriveWithoutOne() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let settings = "a/.docdrive/config.toml"
        let whole = try #require(machine.read(settings))
        let lines = whole.split(separator: "\n").filter { !$0.hasPrefix("store") }
        try machine.write(lines.joined(separator: "\n") + "\n", to: settings)
        let wait = try machine.run("-C", "a", "wait", "--timeout", "1m")
        #expect(wait.code == 78 && wait.error.contains("its settings do not name it"), "\(wait.error)")
        let status = try machine.run("-C", "a", "status", "--check")
        #expect(status.code == 1 && status.output.contains("Store    not named in the settings"), "\(status.output)")
        #expect(status.output.contains("its settings do not name it"), "\(status.output)")
        let doctor = try machine.run("-C", "a", "doctor").output
        #expect(doctor.contains("problem  store         the drive has a store"), "\(doctor)")
        try machine.write(whole + "scrub_days = 3\n", to: settings)
        let warned = try machine.run("-C", "a", "doctor").output
        #expect(warned.contains("warning  settings      `scrub_days` in config.toml is no setting"), "\(warned)")
        try machine.write(whole, to: settings)
        #expect(try machine.run("-C", "a", "wait", "--timeout", "1m").code == 0)
        #expect(try machine.run("-C", "a", "status", "--check").code == 0)
    }

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
            #expect(try machine.run("-C", drive, "config", "set", "scrub-days", "7").code == 0)
            #expect(try machine.run("-C", drive, "config", "set", "bwlimit", "1G").code == 0)
            let lines = try #require(machine.read(settings)).split(separator: "\n").filter { !$0.hasPrefix("store") }
            try machine.write("# mine\n" + lines.joined(separator: "\n") + "\n", to: settings)
            let connected = try machine.run("sync", drive, "--to", "other", "--yes")
            #expect(connected.code == 0, "\(connected.error)")
            // What else was set, and what a person wrote, stays.
            let now = try machine.run("-C", drive, "config").output
            #expect(now.contains("scrub-days = 7\n") && now.contains("bwlimit = 1048576K\n"), "\(now)")
            #expect(machine.read(settings)?.hasPrefix("# mine\n") == true)
        }
        #expect(try machine.run("sync", "a").code == 0)
        #expect(try machine.run("-C", "a", "trash", "ls").output.contains("Old.txt"))
        #expect(try machine.run("-C", "b", "conflicts").output == "No conflicts.\n")
        try machine.write("new", to: "b/New.txt")
        #expect(try machine.run("sync", "b").code == 0)
        #expect(try machine.run("sync", "a").code == 0)
        #expect(machine.read("a/New.txt") == "new")
        // Who had everything before it met the others knows of their changes all the same.
        let devices = try machine.run("-C", "b", "device", "ls").output
        #expect(devices.contains("alpha") && !devices.contains("no changes yet"), "\(devices)")
    }
}
