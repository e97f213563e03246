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

    private func unsent(_ machine: Machine) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(machine.root)/a/.docdrive").filter {
            $0.hasPrefix("unsent")
        }
    }

    /// With parts of a large file that only the file itself still has.
    @Test func versionsThatItNeverGotGoToTheTrash() throws {
        let machine = try Machine()
        var large = Array(repeating: UInt8(0), count: 6 << 20)
        var seed: UInt64 = 5
        for place in large.indices {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            large[place] = UInt8(truncatingIfNeeded: seed >> 56)
        }
        let data = { Data(large) }
        let file = URL(fileURLWithPath: "\(machine.root)/a/in/large")
        try machine.twoDrives(["in/f": "1\n"])
        try data().write(to: file)
        #expect(try machine.run("sync", "a").code == 0)
        try machine.move("store", to: "gone")
        var versions: [Data] = []
        for text in ["2\n", "3\n"] {
            try machine.write(text, to: "a/in/f")
            large[1000] ^= 1
            large[2000] = text.utf8.first!
            versions.append(data())
            try data().write(to: file)
            try machine.write("never sent", to: "a/in/new")
            #expect(chmod("\(machine.root)/a/in/new", 0o755) == 0)
            #expect(try machine.run("sync", "a").code == 69)
        }
        try machine.remove("a/in/new")
        #expect(try machine.run("sync", "a").code == 69)
        #expect(try unsent(machine).count == 1)
        let connected = try machine.connectAnew("a", to: "other")
        #expect(connected.code == 0, "\(connected)")
        #expect(
            connected.error.contains("3 versions that the store of before never got went to the trash"), "\(connected)")
        #expect(try unsent(machine).isEmpty)
        #expect(try machine.run("-C", "a", "doctor").code == 0)
        #expect(
            try machine.run("-C", "a", "log").output.contains("3 versions that the store never got went to the trash"))
        let trash = try machine.run("-C", "a", "trash", "ls").output.split(separator: "\n").map {
            $0.split(separator: " ")
        }
        let kept = trash.map { "\($0.last!) \($0[3])" }.sorted()
        #expect(kept == ["in/f replaced", "in/large replaced", "in/new deleted"], "\(trash)")
        let back = try machine.run("restore", "a/in/new")
        #expect(back.code == 0, "\(back)")
        #expect(machine.read("a/in/new") == "never sent")
        #expect(access("\(machine.root)/a/in/new", X_OK) == 0)
        let listed = try machine.run("versions", "a/in/large").output.split(separator: "\n")
        #expect(listed.count == 2 && listed[1].contains("in the trash"), "\(listed)")
        #expect(try machine.run("restore", "a/in/large@\(listed[1].prefix(8))").code == 0)
        #expect(try Data(contentsOf: file) == versions[0])
        #expect(machine.read("a/in/f") == "3\n")
        #expect(try machine.run("diff", "a/in/f").output.contains("-2\n+3\n"))
    }

    /// The name of a folder need not be text.
    @Test func aDriveAtAPathThatIsNoTextLeavesItsStoreLikeOthers() throws {
        let machine = try Machine()
        func shell(_ line: String) throws -> Machine.Result {
            try machine.run(["-c", "d=$(printf 'b\\377d'); " + line, Machine.program], program: "/bin/sh")
        }
        let made = try shell("mkdir \"$d\" && echo 1 > \"$d/f\" && \"$0\" sync \"$d\" --to store --yes")
        #expect(made.code == 0, "\(made)")
        let unsent = "ls \"$d/.docdrive\" | grep unsent"
        try machine.move("store", to: "gone")
        for _ in 0..<2 { #expect(try shell("echo 2 >> \"$d/f\"; \"$0\" sync \"$d\"").code == 69) }
        #expect(try shell(unsent).code == 0)
        try machine.move("gone", to: "store")
        #expect(try shell("\"$0\" sync \"$d\"").code == 0)
        #expect(try shell(unsent).code == 1)

        try machine.move("store", to: "gone")
        for _ in 0..<2 { #expect(try shell("echo 3 >> \"$d/f\"; \"$0\" sync \"$d\"").code == 69) }
        #expect(try shell("sed -i /^store/d \"$d/.docdrive/config.toml\"").code == 0)
        let connected = try shell("\"$0\" sync \"$d\" --to other --yes")
        #expect(
            connected.code == 0 && connected.error.contains("1 version that the store of before never got went"),
            "\(connected)")
        #expect(try shell(unsent).code == 1)
        #expect(try shell("\"$0\" -C \"$d\" find --save large 'size:>1'").code == 0)
        #expect(try shell("\"$0\" -C \"$d\" search ls").output.contains("large"))
        try machine.write(String(repeating: "x", count: 3 << 20), to: "blob")
        let told = try shell(
            "mkdir \"$d/.docdrive/unsent-before\" && mv blob \"$d/.docdrive/unsent-before\" && \"$0\" doctor \"$d\"")
        #expect(told.output.contains("3 MiB that waited for another store"), "\(told)")
    }

    /// Which has no way to the trash stays where it was.
    @Test func whatCannotBeReadOfItStays() throws {
        let machine = try Machine()
        try machine.twoDrives(["f": "1\n"])
        try machine.move("store", to: "gone")
        for text in ["2\n", "3\n"] {
            try machine.write(text, to: "a/f")
            #expect(try machine.run("sync", "a").code == 69)
        }
        let place = try "\(machine.root)/a/.docdrive/" + #require(unsent(machine).first)
        let objects = FileManager.default.enumerator(atPath: place)?.compactMap { $0 as? String } ?? []
        for object in objects where object.contains("/pack/") {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(place)/\(object)", isDirectory: &isFolder)
            if !isFolder.boolValue { #expect(truncate("\(place)/\(object)", 1) == 0) }
        }
        let connected = try machine.connectAnew("a", to: "other")
        #expect(connected.code == 0 && !connected.error.contains("went to the trash"), "\(connected)")
        #expect(
            connected.error.contains("1 version that the store of before never got could not be read whole"),
            "\(connected)")
        #expect(FileManager.default.fileExists(atPath: place))
        #expect(try machine.run("-C", "a", "trash", "ls").output == "The trash is empty.\n")
        #expect(try machine.run("-C", "a", "doctor").output.contains("are left in \(place)"))
    }

    /// Of which the store has all but what changed: the same one again can give the rest.
    @Test func theSameStoreAgainHelpsToReadThem() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let bytes = try machine.loseALargeFileWhileTheStoreIsAway()
        try machine.move("gone", to: "store")
        let connected = try machine.connectAnew("a", to: "store")
        #expect(connected.code == 0 && connected.error.contains("1 version that"), "\(connected)")
        #expect(try unsent(machine).isEmpty)
        if !FileManager.default.fileExists(atPath: "\(machine.root)/a/large") {
            #expect(try machine.run("restore", "a/large").code == 0)
        }
        #expect(try machine.trashHolds(bytes))
    }

    @Test func whatOnlyRecordsHaveIsNotSentEitherAndComesAlong() throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.move("store", to: "gone")
        symlink("nowhere", "\(machine.root)/a/link")
        try machine.write("", to: "a/empty")
        #expect(try machine.run("sync", "a").code == 69)
        try machine.remove("a/link")
        try machine.remove("a/empty")
        #expect(try machine.run("sync", "a").code == 69)
        for name in ["link", "empty"] {
            let versions = try machine.run("versions", "a/\(name)").output
            #expect(versions.contains("not sent yet"), "\(versions)")
        }
        let connected = try machine.connectAnew("a", to: "other")
        #expect(connected.error.contains("2 versions that"), "\(connected)")
        for name in ["link", "empty"] { #expect(try machine.run("restore", "a/\(name)").code == 0) }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(machine.root)/a/link") == "nowhere")
        #expect(machine.read("a/empty") == "")
    }

    /// Once people have taken it out to leave it, before the drive has another.
    @Test func whatWaitsIsKnownWhileTheSettingsNameNoStore() throws {
        let machine = try Machine()
        try machine.twoDrives(["f": "1\n"])
        try machine.move("store", to: "gone")
        for text in ["2\n", "3\n"] {
            try machine.write(text, to: "a/f")
            #expect(try machine.run("sync", "a").code == 69)
        }
        try machine.takeStoreOut("a")
        let versions = try machine.run("versions", "a/f").output.split(separator: "\n")
        #expect(versions[1].hasSuffix(", not sent yet") && versions[2].hasSuffix(", on the store"), "\(versions)")
        #expect(try machine.run("diff", "a/f").output.contains("-2\n+3\n"))
    }
}

extension Machine {
    /// Takes the store out of a drive's settings.
    func takeStoreOut(_ drive: String) throws {
        let settings = "\(drive)/.docdrive/config.toml"
        let lines = try #require(read(settings)).split(separator: "\n").filter { !$0.hasPrefix("store") }
        try write(lines.joined(separator: "\n") + "\n", to: settings)
    }

    func connectAnew(_ drive: String, to store: String) throws -> Result {
        try takeStoreOut(drive)
        return try run("sync", drive, "--to", store, "--yes")
    }
}
