import DriveCore
import Foundation
import Glibc
import TestSupport
import Testing

@testable import DocumentDrive

/// A store that is not where the drive knows it: moved, emptied, or another one in its place.
@Suite(.mayBlock) struct MovedStoreTests {
    /// What may lie where the store was.
    enum Place: CaseIterable { case nothing, emptyFolder, otherStore }

    private func replaceStore(_ machine: Machine, by place: Place) throws {
        try machine.move("store", to: "away")
        switch place {
        case .nothing: break
        case .emptyFolder:
            try FileManager.default.createDirectory(
                atPath: "\(machine.root)/store", withIntermediateDirectories: false)
        case .otherStore:
            try machine.write("x\n", to: "c/x")
            #expect(try machine.run("sync", "c", "--to", "store", "--yes").code == 0)
        }
    }

    /// Its contents come back with the store: nobody is told that they are gone, nor that there is nothing to do.
    @Test(arguments: Place.allCases) func nothingIsCalledGoneOrInStep(_ place: Place) throws {
        let machine = try Machine()
        try machine.twoDrives()
        try machine.write("dear all\n", to: "a/Letter.txt")
        #expect(try machine.run("sync", "a").code == 0)
        // On the device that did not have the version before, it is on the store alone.
        #expect(try machine.run("sync", "b").code == 0)
        #expect(try machine.run("-C", "b", "trash", "empty", "--yes").code == 0)
        try replaceStore(machine, by: place)
        for arguments in [
            ["-C", "b", "plan"], ["-C", "b", "plan", "--check"], ["sync", "b", "--dry-run"], ["sync", "b"],
            ["-C", "b", "restore", "Letter.txt"], ["-C", "b", "diff", "Letter.txt"],
        ] {
            let result = try machine.run(arguments)
            #expect(result.code == 69, "\(arguments): \(result.output)\(result.error)")
            #expect(!result.output.contains("Nothing to do"))
            #expect(!result.error.contains("any more"), "\(arguments): \(result.error)")
        }
        try? machine.remove("store")
        try machine.move("away", to: "store")
        #expect(try machine.run("-C", "b", "restore", "Letter.txt").code == 0)
        #expect(machine.read("b/Letter.txt") == "dear\n")
    }

    /// As docs/stores.md says, while the drive is watched.
    @Test func aWatchGoesOnWithTheStoreThatWasMoved() throws {
        let machine = try Machine()
        try machine.twoDrives()
        let watch = try machine.start("watch", "a")
        defer { watch.end() }
        #expect(eventually { watch.error.contains("watching") })
        #expect(try machine.run("-C", "a", "wait").code == 0)
        try machine.move("store", to: "elsewhere")
        for drive in ["a", "b"] {
            let file = "\(drive)/.docdrive/config.toml"
            let settings = try #require(machine.read(file))
            try machine.write(settings.replacing("/store\"", with: "/elsewhere\""), to: file)
        }
        try machine.write("news\n", to: "a/News.txt")
        #expect(eventually { watch.error.contains("the settings of the drive name another store") }, "\(watch.error)")
        let hasCome = try eventually {
            try machine.run("sync", "b").code == 0 && machine.read("b/News.txt") == "news\n"
        }
        #expect(hasCome)
        #expect(!FileManager.default.fileExists(atPath: "\(machine.root)/store"))
    }

    /// Whoever runs the program.
    @Test(arguments: ["../nas/docs", "~/nas/docs"])
    func aStoreThatPeopleWroteIsTheSameFromEverywhere(_ place: String) throws {
        let machine = try Machine()
        try machine.twoDrives()
        let folder = place.hasPrefix("~") ? "home/nas" : "nas"
        try FileManager.default.createDirectory(atPath: "\(machine.root)/\(folder)", withIntermediateDirectories: false)
        try machine.move("store", to: "\(folder)/docs")
        let file = "a/.docdrive/config.toml"
        let settings = try #require(machine.read(file))
        try machine.write(settings.replacing(/store = ".*"/, with: "store = \"\(place)\""), to: file)
        for current in ["/", machine.root, "\(machine.root)/a"] {
            let script = "cd \(current) && exec '\(Machine.program)' sync '\(machine.root)/a'"
            let result = try machine.run(["-c", script], program: "/bin/sh")
            #expect(result.code == 0, "\(place) from \(current): \(result)")
        }
        // Nor do commands that change something write another one.
        #expect(try machine.run("-C", "a", "config", "set", "scrub-days", "7").code == 0)
        #expect(machine.read(file)?.contains("\"\(place)\"") == true)
    }

    /// An editor that writes in place empties the file first; and who mistypes something corrects it in a while.
    @Test(
        arguments: [
            "", "version = 1\n", "version = 1\nstore = \"/x", nil,
            "version = 1\nstore = \"webdav://ann@h.example/x?cafile=ca.pem\"\nstore-id = \"x\"\n",
        ] as [String?])
    func aWatchWaitsWhileTheSettingsAreIncomplete(_ part: String?) throws {
        let machine = try Machine()
        try machine.twoDrives()
        let watch = try machine.watch("a")
        defer { watch.end() }
        #expect(try machine.run("-C", "a", "wait").code == 0)
        let file = "a/.docdrive/config.toml"
        let whole = try #require(machine.read(file))
        if let part {
            try machine.write(part, to: file)
        } else {
            // What can be opened and not be read: everything may be opened as root.
            try machine.move(file, to: "config")
            try FileManager.default.createDirectory(
                atPath: "\(machine.root)/\(file)", withIntermediateDirectories: false)
        }
        try machine.write("news\n", to: "a/News.txt")
        #expect(eventually { watch.error.contains("/a/.docdrive/config.toml") }, "\(watch.error)")
        #expect(!watch.error.contains("another store"), "\(watch.error)")
        if part == nil { try machine.remove(file) }
        try machine.write(whole, to: file)
        let isOver = try eventually {
            if !watch.process.isRunning { return true }
            return try machine.run("sync", "b").code == 0 && machine.read("b/News.txt") == "news\n"
        }
        #expect(isOver && watch.process.isRunning, "\(watch.error)")
        watch.signal(SIGTERM)
        #expect(watch.finish().code == 143, "\(watch.error)")
    }

    /// Status and doctor go into reports that others read.
    @Test(arguments: [
        "webdavs://ann@h.example/x?password=canary", "s3://b/x?region=eu&endpoint=https://key:canary@s3.example",
    ])
    func aSecretThatStandsInTheAddressIsNotShown(_ url: String) throws {
        let machine = try Machine()
        try machine.twoDrives()
        let file = "a/.docdrive/config.toml"
        let whole = try #require(machine.read(file))
        let written = whole.replacing("\(machine.root)/store", with: url)
        #expect(written != whole)
        try machine.write(written, to: file)
        for arguments in [
            ["status", "a"], ["status", "a", "--json"], ["-C", "a", "doctor"], ["-C", "a", "config", "get"],
            ["-C", "a", "config", "get", "store"], ["sync", "a"],
        ] {
            let result = try machine.run(arguments)
            let text = result.output + result.error
            #expect(text.contains("..."), "\(arguments): \(text)")
            #expect(!text.contains("canary"), "\(arguments): \(text)")
        }
    }

    /// Nobody may learn the password of another server.
    @Test func whatIsKeptForTheNewServerIsNotReadForTheOldOne() throws {
        let machine = try Machine()
        try machine.write("x\n", to: "a/x")
        #expect(try machine.run("init", "a", "--yes").code == 0)
        let drive = FolderPath("\(machine.root)/a")
        let file = "a/.docdrive/config.toml"
        let settings = try #require(machine.read(file))
        func naming(_ url: String) throws -> DriveSettings {
            try machine.write("\(settings)store = \"\(url)\"\n", to: file)
            return try DriveSettings.load(from: drive)
        }
        let old = try naming("webdav://ada@old.example/st")
        _ = try StoreAccess(old, of: drive)
        _ = try naming("webdav://ada@new.example/st")
        let error = #expect(throws: DriveError.self) { try StoreAccess(old, of: drive) }
        #expect(error?.kind == .identityChanged)
    }
}
