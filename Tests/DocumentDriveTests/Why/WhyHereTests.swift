import DriveCore

import Foundation
import Glibc
import TestSupport
import Testing

@testable import DocumentDrive
@testable import FileCoordination

/// What is to be said of things in the folder, each provoked on a real drive.
struct WhyHereTests {
    @Test func whatIsInStepSaysWhoseItIs() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        let own = try a.why("Letter.txt")
        #expect(own.cause == .inStep && own.standing == .synced && own.since != nil && own.remedy == nil)
        let brought = try b.why("Letter.txt")
        #expect(brought.cause == .brought && brought.device == "alpha")
        #expect(brought.here?.size == 5 && brought.last?.size == 5 && brought.store?.hash == brought.last?.hash)
    }

    @Test func whatNobodyLookedAtSaysHowItDiffers() async throws {
        let world = try WhyWorld()
        let a = try await world.device("alpha")
        for name in ["Edited", "Gone", "Folder/Same"] { try a.write(name, "1") }
        try await a.sync()
        try a.write("Edited", "12")
        try a.write("New", "1")
        try a.write("Folder/Other", "1")
        try a.remove("Gone")
        #expect(try a.why("Edited").cause == .editedHere)
        #expect(try a.why("New").cause == .newHere)
        #expect(try a.why("Gone").cause == .goneHere)
        #expect(try a.why("Folder").cause == .inStep)
        #expect(try a.why("New").remedy == "docdrive sync")
        #expect(try a.why("New").waitsFor == "the next `docdrive sync`")
        try await a.sync()
        for name: DrivePath in ["Edited", "New", "Folder/Other"] { #expect(try a.why(name).cause == .inStep) }
    }

    @Test func withoutAStoreItIsKnownHereAlone() async throws {
        let world = try WhyWorld()
        let a = try await world.device("alpha", hasStore: false)
        try a.write("Letter", "1")
        try await a.sync()
        #expect(try a.why("Letter").cause == .noStore)
        #expect(try a.why("Letter").remedy == "docdrive sync --to URL")
    }

    @Test func ignoredItemsNameTheRuleItsFileAndItsLine() async throws {
        let world = try WhyWorld()
        let a = try await world.device("alpha")
        try a.write("Drafts/.driveignore", "# mine\n\n*.aux\n")
        try a.write("Drafts/thesis.aux", "1")
        try a.write("~$Budget.xls", "1")
        try await a.sync()
        let own = try a.why("Drafts/thesis.aux")
        #expect(own.cause == .ignoredByRule && own.standing == .ignored)
        #expect(own.rule?.file == "Drafts/.driveignore" && own.rule?.line == 3)
        #expect(own.sentence == "ignored by your rule `*.aux` (Drafts/.driveignore:3)")
        let usual = try a.why("~$Budget.xls")
        #expect(usual.cause == .ignoredByDefault && usual.rule?.file == ".driveignore")
        #expect(try a.why(".docdrive/index.sqlite").cause == .ownName)
    }

    /// Its index makes a second copy of a device elsewhere, and its password is nobody else's.
    @Test func whatAnotherDriveInItKeepsForItselfStaysHere() async throws {
        let world = try WhyWorld()
        let (a, b) = (try await world.device("alpha"), try await world.device("beta"))
        try a.write("old/.docdrive/credentials", "secret")
        try a.write("old/Letter.txt", "a document")
        try a.write("other/.docdrive", "a file of that name")
        try await a.sync()
        try await b.sync()
        #expect(FileManager.default.fileExists(atPath: b.path("old/Letter.txt")))
        #expect(FileManager.default.fileExists(atPath: b.path("other/.docdrive")))
        #expect(!FileManager.default.fileExists(atPath: b.path("old/.docdrive")))
        for path in ["old/.docdrive", "old/.docdrive/credentials"] as [DrivePath] {
            let why = try a.why(path)
            #expect(why.cause == .ownName && why.standing == .ignored)
        }
        #expect(try a.why("other/.docdrive").cause == .inStep)
    }

    @Test func specialFilesAreNotSynced() async throws {
        let world = try WhyWorld()
        let a = try await world.device("alpha")
        mkfifo(a.path("pipe"), 0o600)
        #expect(try a.why("pipe").cause == .specialFile)
        try await a.sync()
        #expect(try a.why("pipe").cause == .specialFile && a.why("pipe").standing == .error)
        try a.remove("pipe")
        try await a.sync()
        #expect(try a.why("pipe").cause == .unknown)
    }

    @Test(.enabled(if: SmallDisk.mayMount, "a tmpfs cannot be mounted here"))
    func anotherFileSystemIsNotSynced() async throws {
        let world = try WhyWorld()
        let a = try await world.device("alpha")
        try a.write("Stick/File", "1")
        try await a.sync()
        let disk = try SmallDisk(at: a.path("Stick"), size: "64k")
        defer { disk.unmount() }
        #expect(try a.why("Stick").cause == .otherFileSystem)
        // Without a pass too: a watch hears nothing of it.
        #expect(try DriveReader(a.folder).waiting().map(\.path) == ["Stick"])
        try await a.sync()
        #expect(try a.why("Stick").cause == .otherFileSystem)
        #expect(try DriveReader(a.folder).waiting().map(\.path) == ["Stick"])
        #expect(try DriveReader(a.folder).problems().map(\.path) == ["Stick"])
        disk.unmount()
        #expect(try a.why("Stick").cause == .inStep)
        #expect(try DriveReader(a.folder).waiting().isEmpty && DriveReader(a.folder).problems().isEmpty)
    }

    /// Another pass changes nothing: what is mounted there is in the way.
    @Test(.enabled(if: SmallDisk.mayMount, "a tmpfs cannot be mounted here"))
    func whatIsMovedFromBeneathAnotherFileSystemNamesIt() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["Stick/File": "1"])
        let disk = try SmallDisk(at: a.path("Stick"), size: "64k")
        defer { disk.unmount() }
        try await a.sync()
        #expect(rename(b.path("Stick"), b.path("Moved")) == 0)
        for device in [b, a] { try await device.sync() }
        for path in ["Moved", "Moved/File"] as [DrivePath] {
            let why = try a.why(path)
            #expect(why.cause == .otherFileSystem, "\(why)")
            #expect(why.waitsFor?.hasPrefix("Stick to be unmounted") == true, "\(why)")
            #expect(why.remedy == nil)
        }
        disk.unmount()
        for _ in 0..<2 { try await a.sync() }
        #expect(try a.why("Moved").cause == .brought)
    }

    /// No pass ends that: what was in there may be beneath the other file system.
    @Test(.enabled(if: SmallDisk.mayMount, "a tmpfs cannot be mounted here"))
    func aDeletedFolderWithAnotherFileSystemInItIsKept() async throws {
        let world = try WhyWorld()
        let a = try await world.device("alpha")
        let b = try await world.device("beta")
        try a.write("Box/Stick/File", "1")
        try a.write("Other", "1")
        for device in [a, b] { try await device.sync() }
        let disk = try SmallDisk(at: a.path("Box/Stick"), size: "64k")
        defer { disk.unmount() }
        try await a.sync()
        // What is to come into it waits for that as well.
        try b.write("Box/Stick/New", "1")
        for device in [b, a] { try await device.sync() }
        let waiting = try DriveReader(a.folder).waiting()
        #expect(waiting.map(\.path) == ["Box/Stick", "Box/Stick/New"])
        #expect(waiting.allSatisfy { $0.cause == .otherFileSystem })
        try b.remove("Box")
        for device in [b, a, a] { try await device.sync() }
        #expect(try a.why("Box").cause == .keptForUnsynced)
        #expect(try a.why("Box/Stick").cause == .otherFileSystem)
        disk.unmount()
        for _ in 0..<2 { try await a.sync() }
        #expect(try a.why("Box").cause == .deletedElsewhere)
    }

    @Test func whatAProgramHasOpenIsLeftAlone() async throws {
        let world = try WhyWorld()
        let a = try await world.device("alpha")
        try await a.sync()
        try a.write("Song.wav", "1")
        let file = open(a.path("Song.wav"), O_WRONLY | O_APPEND | O_CLOEXEC)
        try #require(file >= 0)
        try await a.scan(waitsForWriters: true)
        let why = try a.why("Song.wav", running: watching { $0.nextLook = 17 })
        #expect(why.cause == .openForWriting && why.since != nil && why.nextTry == 17)
        #expect(try DriveReader(a.folder).waiting().map(\.cause) == [.openForWriting])
        #expect(try DriveReader(a.folder).unrecorded() == ["Song.wav"])
        let since = why.since
        try await a.scan(waitsForWriters: true)
        #expect(try a.why("Song.wav").since == since)
        close(file)
        // No pass has to come first.
        try await until { try a.why("Song.wav").cause == .newHere }
        try await a.sync()
        #expect(try a.why("Song.wav").cause == .inStep)
        #expect(try DriveReader(a.folder).waiting().isEmpty)
    }

    @Test func whatKeepsChangingIsNotSent() async throws {
        let world = try WhyWorld()
        let a = try await world.device("alpha")
        try await a.sync()
        try a.write("Log", String(repeating: "x", count: 20 << 20))
        let (writer, log) = (Writer(), a.path("Log"))
        async let written: Void = writer.write(to: log)
        // The machine may be too busy to write even once while it is read.
        var looks = 0
        repeat {
            try await a.scan()
            looks += 1
        } while try a.why("Log").cause != .changing && looks < 100
        writer.stop()
        await written
        #expect(try a.why("Log").cause == .changing)
        try await a.sync()
        #expect(try a.why("Log").cause == .inStep)
    }

    @Test func whatIsRecordedAndNotPublishedSaysSo() async throws {
        let world = try WhyWorld()
        let a = try await world.device("alpha")
        try await a.sync()
        try a.write("Letter", "1")
        try await a.scan()
        #expect(try a.why("Letter").cause == .notSent && a.why("Letter").standing == .uploading)
        #expect(try DriveReader(a.folder).waiting().map(\.path) == ["Letter"])
        #expect(try DriveReader(a.folder).waiting(for: ["Letter"]).map(\.cause) == [.notSent])
        #expect(try DriveReader(a.folder).waiting(for: [".driveignore"]).isEmpty)
    }

    @Test func whatIsInAFolderThatCannotBeWatchedWaitsForTheNextLook() async throws {
        let world = try WhyWorld()
        let a = try await world.device("alpha")
        try await a.sync()
        try a.write("Letter", "1")
        #expect(try a.why("Letter", running: watching { $0.unwatched = 3 }).cause == .notWatched)
        #expect(try a.why("Letter", running: watching { _ in }).cause == .newHere)
    }

    @Test func anotherProcessThatWorksOnTheDriveIsNamed() async throws {
        let world = try WhyWorld()
        let a = try await world.device("alpha")
        try await a.sync()
        try a.write("Letter", "1")
        // It holds the lock itself until it is killed.
        let process = try ChildProcess("/usr/bin/flock", ["--no-fork", a.path(".docdrive/lock"), "sleep", "86400"])
        defer {
            process.send(SIGKILL)
            process.wait()
        }
        try await until { try a.why("Letter").cause == .otherProcess }
        let why = try a.why("Letter")
        #expect(why.cause == .otherProcess)
        #expect(why.waitsFor == "process \(process.id)")
    }

    /// tmpfs does not note writes through a map in a file's dates.
    @Test(.enabled(if: access("/dev/shm", W_OK) == 0, "no tmpfs to write to without a trace"))
    func whatTheDiskHasLostIsNamed() async throws {
        let world = try WhyWorld(in: "/dev/shm")
        let a = try await world.device("alpha")
        try a.write("Thesis", "the only copy of a thesis")
        let drive = try a.drive()
        _ = try await drive.sync()
        try SilentWrite.flipBit(of: a.path("Thesis"))
        try await Scrubber(drive).turn()
        try await drive.engine.use { engine in
            let state = engine.parts.state
            var memory = try #require(try ScrubMemory.load(from: state))
            memory.counted -= 86_400_000
            try state.transaction { try memory.save(to: state) }
        }
        var settings = try DriveSettings.load(from: a.folder)
        settings.scrubDays = 1
        try settings.save(to: a.folder)
        try await Scrubber(drive).turn()
        let why = try a.why("Thesis")
        #expect(why.cause == .damagedFile && why.since != nil)
        #expect(why.remedy == "docdrive verify --repair Thesis")
    }

    /// The store lost the content, and what is here is not what was recorded: no replacement for what was lost.
    @Test(.enabled(if: access("/dev/shm", W_OK) == 0, "no tmpfs to write to without a trace"))
    func whatChangedWithoutItsDatesIsNotOfferedAgain() async throws {
        let world = try WhyWorld(in: "/dev/shm")
        let a = try await world.device("alpha")
        try a.write("Thesis", "the only copy of a thesis")
        try await a.sync()
        try SilentWrite.flipBit(of: a.path("Thesis"))
        for name in world.objects where name.contains("/pack/") {
            try FileManager.default.removeItem(atPath: "\(world.root)/store/\(name)")
        }
        try await a.drive().engine.use { engine in
            try engine.parts.state.transaction { try ContentOffer(parts: engine.parts).wish() }
            _ = try await engine.scan()
        }
        let why = try a.why("Thesis")
        #expect(why.cause == .bytesWithoutDates && why.remedy == "docdrive verify --repair Thesis" && why.since != nil)
    }

    @Test func aPathThatNeverWasIsUnknown() async throws {
        let world = try WhyWorld()
        let a = try await world.device("alpha")
        try await a.sync()
        let why = try a.why("never/was")
        #expect(why.cause == .unknown && why.standing == .unknown && why.since == nil && why.remedy == nil)
    }

    private func watching(_ change: (inout RunningStatus) -> Void) -> RunningStatus {
        var status = RunningStatus()
        status.process = getpid()
        change(&status)
        return status
    }
}
