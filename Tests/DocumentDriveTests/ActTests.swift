import DriveCore
import DriveFiles
import FileCoordination
import Foundation
import Testing

@testable import DocumentDrive

/// What programs do with a drive through the library.
struct ActTests {
    private static func drive() async throws -> (FolderPath, Drive) {
        let root = NSTemporaryDirectory() + "docdrive-acts-\(UUID().uuidString)"
        for name in ["one", "two", "three"] {
            try FileManager.default.createDirectory(atPath: "\(root)/a", withIntermediateDirectories: true)
            try "first\n".write(toFile: "\(root)/a/\(name)", atomically: false, encoding: .utf8)
        }
        let folder = FolderPath("\(root)/a")
        try await DriveSetup(folder: folder, store: StoreAddress(Array("\(root)/store".utf8)), deviceName: "a")
            .carryOut()
        let drive = try Drive.open(folder)
        _ = try await drive.sync()
        for name in ["one", "two", "three"] {
            try "second, longer\n".write(toFile: "\(root)/a/\(name)", atomically: false, encoding: .utf8)
        }
        _ = try await drive.sync()
        return (folder, drive)
    }

    private static func text(_ folder: FolderPath, _ name: String) -> String? {
        try? String(contentsOfFile: folder.description + "/" + name, encoding: .utf8)
    }

    /// Each has what the other has until one is gone.
    @Test func ofFilesThatAddNothingToEachOtherOneStays() async throws {
        let (folder, drive) = try await Self.drive()
        defer { try? FileManager.default.removeItem(atPath: folder.parent.description) }
        func copy(_ path: String, _ kept: String) -> RedundantCopy {
            RedundantCopy(path: Array(path.utf8), kept: Array(kept.utf8))
        }
        let outcomes = try await drive.outcomes(
            of: .clean([copy("one", "two"), copy("two", "three"), copy("three", "one")]))
        #expect(outcomes.map(\.isDone) == [true, true, false], "\(outcomes.map(\.line))")
        #expect(["one", "two", "three"].map { Self.text(folder, $0) } == [nil, nil, "second, longer\n"])
        #expect(try DriveReader(folder).index.trash().filter { $0.reason == .cleaned }.count == 2)
    }

    @Test func ofWhatIsNoRedundantCopyItIsSaidWhyItStays() async throws {
        let (folder, drive) = try await Self.drive()
        defer { try? FileManager.default.removeItem(atPath: folder.parent.description) }
        try "of its own\n".write(toFile: "\(folder)/two", atomically: false, encoding: .utf8)
        let copies = [("two", "one"), ("gone", "one"), ("one", "gone"), ("one", "one")].map { path, kept in
            RedundantCopy(path: Array(path.utf8), kept: Array(kept.utf8))
        }
        let outcomes = try await drive.outcomes(of: .clean(copies))
        #expect(outcomes.allSatisfy { !$0.isDone })
        #expect(
            outcomes.map(\.line) == [
                "two: left as it is: it has something that one does not have",
                "gone: left as it is: it is not there any more, or cannot be read",
                "one: left as it is: gone is not there any more, or cannot be read",
                "one: left as it is: it cannot go for itself",
            ])
        #expect(["one", "two"].map { Self.text(folder, $0) } == ["second, longer\n", "of its own\n"])
    }

    @Test func anUndoOfADeviceThatNobodyKnowsIsRefused() async throws {
        let (folder, drive) = try await Self.drive()
        defer { try? FileManager.default.removeItem(atPath: folder.parent.description) }
        let operation = try #require(try DriveReader(folder).index.operations(limit: 1).first).id
        let error = await #expect(throws: DriveError.self) {
            try await drive.outcomes(of: .undo(operations: [operation], device: "nobody's"))
        }
        #expect(error?.kind == .usage && error?.path == "nobody's")
    }

    @Test func aVersionThatNoPassHasSeenCanBePutElsewhere() async throws {
        let (folder, drive) = try await Self.drive()
        defer { try? FileManager.default.removeItem(atPath: folder.parent.description) }
        try "just saved\n".write(toFile: "\(folder)/new", atomically: false, encoding: .utf8)
        let version = try #require(try DriveReader(folder).currentVersion(of: "new"))
        try await drive.replaceItem(at: "elsewhere", with: version)
        #expect(Self.text(folder, "elsewhere") == "just saved\n" && Self.text(folder, "new") == "just saved\n")
    }

    /// Each is undone by itself.
    @Test func whatIsAskedForAtOnceAreOperationsOfTheirOwn() async throws {
        let (folder, drive) = try await Self.drive()
        defer { try? FileManager.default.removeItem(atPath: folder.parent.description) }
        let reader = try DriveReader(folder)
        let old = try ["one", "two", "three"].map { name in
            try #require(try reader.otherVersions(of: DrivePath(name)).first)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for version in old { group.addTask { try await drive.replaceItem(at: version.path, with: version) } }
            try await group.waitForAll()
        }
        for name in ["one", "two", "three"] { #expect(Self.text(folder, name) == "first\n") }
        let operations = Set(try reader.index.events(limit: 3).map(\.operation))
        #expect(operations.count == 3)
    }

    @Test func whoUsesAnItemIsWaitedFor() async throws {
        let (folder, drive) = try await Self.drive()
        defer { try? FileManager.default.removeItem(atPath: folder.parent.description) }
        let old = try #require(try DriveReader(folder).otherVersions(of: "one").first)
        let replacing = try await drive.coordination.coordinator().coordinate(writing: "one") { item in
            // Detached: as a task of this one it would wait for what it has itself.
            let task = Task.detached { try await drive.replaceItem(at: "one", with: old) }
            // It has had its turn, and waits; what is written here is not taken from under the writer.
            _ = try await drive.sync()
            #expect(Self.text(folder, "one") == "second, longer\n")
            return task
        }
        try await replacing.value
        #expect(Self.text(folder, "one") == "first\n")
    }

    @Test(arguments: ["../outside", "sub/../one"])
    func whatIsNoPathOfAnItemIsNotCoordinated(_ path: String) async throws {
        let (folder, drive) = try await Self.drive()
        defer { try? FileManager.default.removeItem(atPath: folder.parent.description) }
        await #expect(throws: DriveError.self) {
            try await drive.coordination.coordinator().coordinate(reading: DrivePath(path)) { _ in }
        }
    }

    /// Nothing is made where it could not be opened.
    @Test func aPathThatIsTooLongForAnIndexIsRefusedAtOnce() async throws {
        let root = NSTemporaryDirectory() + "docdrive-long-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let levels = (480 - root.utf8.count) / 101
        let below = root + String(repeating: "/" + String(repeating: "x", count: 100), count: levels)
        for (folder, works) in [(below, true), (below + "/" + String(repeating: "y", count: 110), false)] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let setup = DriveSetup(folder: FolderPath(folder), store: nil, deviceName: "a")
            if works {
                try await setup.carryOut()
                _ = try await Drive.open(FolderPath(folder)).sync()
            } else {
                await #expect(throws: DriveError.self) { try await setup.carryOut() }
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            }
        }
    }

    @Test func aContentThatCameBackWasInForceTwice() async throws {
        let (folder, drive) = try await Self.drive()
        defer { try? FileManager.default.removeItem(atPath: folder.parent.description) }
        for text in ["first\n", "the third one\n"] {
            try text.write(toFile: folder.description + "/one", atomically: false, encoding: .utf8)
            _ = try await drive.sync()
        }
        let versions = try DriveReader(folder).versions(of: "one")
        #expect(versions.map(\.size) == [14, 6, 15])
        #expect(versions.map(\.periods.count) == [1, 2, 1])
        for version in versions {
            for period in version.periods { #expect(versions.version(at: period.from)?.content == version.content) }
        }
    }

    /// As a process leaves it that is killed while it restores.
    @Test func whatAnInterruptedActWasAboutToMoveIsForgotten() async throws {
        let (folder, drive) = try await Self.drive()
        defer { try? FileManager.default.removeItem(atPath: folder.parent.description) }
        let entry = TrashEntry(
            name: TrashEntry.nameOfAct(SystemEntropy()), path: "one",
            hash: try DriveReader(folder).currentVersion(of: "one")?.content, size: 15, reason: .restored, time: 1)
        try await drive.engine.use { try AnnouncedTrash($0.parts).announce([AnnouncedTaking(entry)]) }
        #expect(try DriveReader(folder).trash().isEmpty)
        #expect(try DriveReader(folder).index.trash().count == 1)
        _ = try await drive.perform(.emptyTrash(names: []))
        #expect(try DriveReader(folder).index.trash().isEmpty)
    }

    /// What an act is to note of the file `one` before it takes it out.
    private static func entryOfAct(_ folder: FolderPath) throws -> TrashEntry {
        TrashEntry(
            name: TrashEntry.nameOfAct(SystemEntropy()), path: "one",
            hash: try DriveReader(folder).currentVersion(of: "one")?.content, size: 15, reason: .restored,
            time: SystemClock().milliseconds())
    }

    /// As far as an act comes that is killed then.
    private static func takeOut(_ name: FileName, as entry: TrashEntry, _ drive: Drive) async throws {
        try await drive.engine.use { engine in
            let files = engine.parts.files
            try AnnouncedTrash(engine.parts).announce([AnnouncedTaking(entry)])
            let outgoing = try files.open(.outgoing)
            #expect(try files.move(name, in: files.open(.root), to: entry.name, in: outgoing) == .done)
        }
    }

    /// As a process leaves it that is killed between the exchange of two files and the move of the old one to the trash.
    @Test func whatAnInterruptedActHadTakenOutComesToTheTrash() async throws {
        let (folder, drive) = try await Self.drive()
        defer { try? FileManager.default.removeItem(atPath: folder.parent.description) }
        let entry = try Self.entryOfAct(folder)
        try await Self.takeOut("one", as: entry, drive)
        _ = try await drive.sync()
        #expect(try DriveReader(folder).trash().map(\.name) == [entry.name])
        _ = try await drive.perform(.restoreTrash(names: [entry.name.description]))
        #expect(Self.text(folder, "one") == "second, longer\n")
    }

    /// Somebody saves in the moment before the exchange, and the process is killed right after it: nobody gave that up.
    @Test(arguments: [false, true])
    func whatWasSavedBeforeAnInterruptedActLives(isFolder: Bool) async throws {
        let (folder, drive) = try await Self.drive()
        defer { try? FileManager.default.removeItem(atPath: folder.parent.description) }
        let entry = try Self.entryOfAct(folder)
        try FileManager.default.removeItem(atPath: "\(folder)/one")
        if isFolder {
            try FileManager.default.createDirectory(atPath: "\(folder)/one", withIntermediateDirectories: false)
        }
        let save = isFolder ? "one/chapter" : "one"
        try "an hour of work".write(toFile: "\(folder)/\(save)", atomically: false, encoding: .utf8)
        try await Self.takeOut("one", as: entry, drive)
        try "first\n".write(toFile: "\(folder)/one", atomically: false, encoding: .utf8)
        _ = try await drive.sync()
        #expect(try DriveReader(folder).index.trash().filter { $0.path == "one" }.isEmpty)
        #expect(Self.text(folder, "one") == "first\n")
        let others = try FileManager.default.subpathsOfDirectory(atPath: folder.description)
            .filter { $0.hasPrefix("one (conflicted copy") }
        #expect(others.contains { Self.text(folder, $0) == "an hour of work" }, "\(others)")
    }

    /// Killed before the exchange: what was to take the place is a version that the drive has.
    @Test func whatAnInterruptedActHadStagedIsNoFileOfAnybodys() async throws {
        let (folder, drive) = try await Self.drive()
        defer { try? FileManager.default.removeItem(atPath: folder.parent.description) }
        let entry = try Self.entryOfAct(folder)
        try "first\n".write(toFile: "\(folder)/staged", atomically: false, encoding: .utf8)
        try await Self.takeOut("staged", as: entry, drive)
        _ = try await drive.sync()
        #expect(Self.text(folder, "one") == "second, longer\n")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.description)
        #expect(names.count { $0.hasPrefix("one") } == 1)
        // Kept under the path that it was for.
        #expect(try DriveReader(folder).index.trash().contains { $0.path == "one" && $0.size == 6 })
    }

    @Test func aProgramLearnsWhatBecameOfEachItem() async throws {
        let (folder, drive) = try await Self.drive()
        defer { try? FileManager.default.removeItem(atPath: folder.parent.description) }
        let first = ContentHasher.hash(of: Array("first\n".utf8)).description
        let contents = ["one", "two"].map { RestoredContent(path: Array($0.utf8), content: first) }
        let outcomes = try await drive.outcomes(of: .restore(contents))
        #expect(outcomes.map(\.path) == ["one", "two"] && outcomes.allSatisfy { $0.isDone && $0.askedPath == nil })
        #expect(outcomes.map(\.line) == ["one", "two"].map { "\($0): is back; what was there is in the trash" })
        // Beside what has the name now, and what cannot be done.
        let trashed = try #require(
            try DriveReader(folder).index.trash().first { $0.path == "one" && $0.reason == .restored })
        let beside = try await drive.outcomes(of: .restoreTrash(names: [trashed.name.description]))
        #expect(beside.map(\.path) == ["one (restored)"] && beside.map(\.askedPath) == ["one"])
        let operation = try #require(try DriveReader(folder).index.operations(limit: 1).first).id
        try "mine\n".write(toFile: "\(folder)/one (restored)", atomically: false, encoding: .utf8)
        let undone = try await drive.outcomes(of: .undo(operations: [operation], device: nil))
        #expect(undone.map(\.path) == ["one (restored)"] && undone.map(\.isDone) == [false])
        #expect(Self.text(folder, "one (restored)") == "mine\n")
    }
}
