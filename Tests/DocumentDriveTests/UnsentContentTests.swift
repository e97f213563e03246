import DriveCore
import DriveTransport
import FileCoordination
import Foundation
import Glibc
import Synchronization
import Testing

@testable import DocumentDrive

/// What becomes of what changed here where the store answers and takes nothing.
struct UnsentContentTests {
    private func places(_ a: WhyDevice, _ path: DrivePath) throws -> [FileVersion.Place] {
        try DriveReader(a.folder).versions(of: path).map(\.place)
    }

    private func kept(_ a: WhyDevice) -> [String] {
        let own = FileManager.default.enumerator(atPath: a.path(".docdrive"))?.compactMap { $0 as? String } ?? []
        return own.filter { $0.hasPrefix("unsent-") && $0.contains("/pack/") && $0.split(separator: "/").count > 5 }
    }

    private func expectRefusal(_ a: WhyDevice, _ kind: DriveError.Kind) async throws {
        let error = await #expect(throws: DriveError.self) { try await a.sync(.failing(kind, "no, said the store")) }
        #expect(error?.kind == kind && error?.message == "no, said the store")
    }

    @Test(arguments: [DriveError.Kind.noSpace, .permissionDenied, .readOnly, .unreachable, .temporary])
    func whatWasOverwrittenIsKept(_ kind: DriveError.Kind) async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        let before = Set(world.objects)
        try a.write("Letter.txt", "second")
        try a.write("New", "1")
        try await expectRefusal(a, kind)
        #expect(try DriveReader(a.folder).items().map(\.path).contains("New"))
        try a.write("Letter.txt", "the third")
        try await expectRefusal(a, kind)
        #expect(try places(a, "Letter.txt") == [.folder, .unsent, .store])
        #expect(Set(world.objects) == before && kept(a).count == 2, "\(kept(a))")
        #expect(try await StoreLook(DriveReader(a.folder)).run().damage.isEmpty)
        try await a.sync()
        #expect(try places(a, "Letter.txt") == [.folder, .store, .store])
        #expect(kept(a).isEmpty)
        #expect(world.objects.count { $0.contains("/pack/") } == before.count { $0.contains("/pack/") } + 2)
        try await b.sync()
        #expect(try b.why("New").cause == .brought)
        #expect(try String(contentsOfFile: b.path("Letter.txt"), encoding: .utf8) == "the third")
    }

    private func writeLarge(_ a: WhyDevice, _ name: String) throws {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<3_000_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        try Data(bytes).write(to: URL(fileURLWithPath: a.path(name)))
    }

    /// Small things have room by now. What was left out is not waited for, and nobody is told of it.
    @Test func whatAFullStoreNeverGetsIsKeptHereOnly() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["Letter.txt": "dear\n", "Draft": "old"])
        var full = WiringChanges()
        full.store = { ChoosyStore(base: $0) { $0.count > 500_000 ? .noSpace : nil } }
        for name in ["Photo", "Draft"] { try writeLarge(a, name) }
        try await expectRefusal(a, .noSpace)
        #expect(try places(a, "Draft") == [.folder, .store])
        try a.write("Draft", "new")
        try await expectRefusal(a, .noSpace)
        #expect(try places(a, "Draft") == [.folder, .unsent, .store])
        try a.remove("Photo")
        #expect(try await a.sync(full).problems == 0)
        let here = try DriveReader(a.folder).versions(of: "Photo")
        #expect(here.map(\.kind) == [.deleted] && here.map(\.place) == [.kept])
        #expect(try places(a, "Draft") == [.folder, .kept, .store])
        try await b.sync()
        #expect(try b.text("Draft") == "new" && places(b, "Photo").isEmpty && places(b, "Draft").count == 2)
        #expect(try await a.sync(full).isComplete)

        // With room for it, it is as good as any.
        let content = RestoredContent(path: Array("Photo".utf8), content: here[0].persistentIdentifier)
        _ = try await a.drive(full).perform(.restore([content]))
        try await a.sync()
        #expect(try places(a, "Photo") == [.folder])
        try await b.sync()
        #expect(FileManager.default.contentsEqual(atPath: a.path("Photo"), andPath: b.path("Photo")))
        #expect(try await StoreLook(DriveReader(b.folder)).run().damage.isEmpty)
    }

    @Test func whatWasMadeAndDeletedWhileTheStoreWasFullIsToldToNobody() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        for text in ["first", "second"] {
            try a.write("New", text)
            try await expectRefusal(a, .noSpace)
        }
        try a.remove("New")
        try a.write("Other", "1")
        try await expectRefusal(a, .noSpace)
        try await a.sync()
        #expect(try places(a, "New") == [.kept, .kept])
        try await b.sync()
        #expect(try places(b, "New").isEmpty && Set(b.names) == ["Letter.txt", "Other"])
        #expect(try await StoreLook(DriveReader(b.folder)).run().damage.isEmpty)
    }

    /// It took the place of something that waits, so that it waited too; what it held is as it ever was.
    @Test func whatOthersHaveIsDeletedThereThoughItWaitedForSomethingElse() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["Letter.txt": "dear\n", "Draft": "old", "Copy": "a copy"])
        var full = WiringChanges()
        full.store = { ChoosyStore(base: $0) { $0.count > 500_000 ? .noSpace : nil } }
        try writeLarge(a, "Draft")
        await #expect(throws: DriveError.self) { try await a.sync(full) }
        try a.move("Draft", to: "Film")
        try a.move("Copy", to: "Draft")
        await #expect(throws: DriveError.self) { try await a.sync(full) }
        try writeLarge(a, "Draft")
        await #expect(throws: DriveError.self) { try await a.sync(full) }
        try a.remove("Draft")
        await #expect(throws: DriveError.self) { try await a.sync(full) }
        try await a.sync()
        try await b.sync()
        #expect(try Set(b.names) == ["Letter.txt", "Film"])
        for device in [a, b] { #expect(try await device.sync().isComplete) }
        #expect(FileManager.default.contentsEqual(atPath: a.path("Film"), andPath: b.path("Film")))
    }

    @Test func whatIsKeptIsNotInTheWayOfWhatOthersHaveSent() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try a.write("New", "1")
        try await expectRefusal(a, .noSpace)
        try b.write("Other", "2")
        try await b.sync()
        try await expectRefusal(a, .noSpace)
        #expect(FileManager.default.fileExists(atPath: a.path("Other")))
    }

    /// It may be why the store is full, and is not to wait for room once it is gone.
    @Test func ofWhatIsLargeAFullStoreLeavesNoCopyHere() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        try a.write("Large", "")
        #expect(truncate(a.path("Large"), 64 << 20 + 1) == 0)
        try a.write("Small", "1")
        try await expectRefusal(a, .noSpace)
        let known = try DriveReader(a.folder).items().map(\.path)
        #expect(known.contains("Small") && !known.contains("Large"))
        #expect(try a.why("Large").cause == .storeFull)
        #expect(kept(a).count == 1)
    }

    /// The disk that has no room for the drive's own files has none for copies either.
    @Test func whatIsWrongHereIsToldAndNothingIsCopied() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        try a.write("New", "1")
        var changes = WiringChanges()
        let error = DriveError(.noSpace, "the disk is full", path: a.path(".docdrive/index.sqlite"))
        changes.store = { FaultyStore(base: $0, error: error) }
        #expect(await #expect(throws: DriveError.self) { try await a.sync(changes) } == error)
        #expect(kept(a).isEmpty)
        #expect(try a.why("New").cause == .diskFull)
    }

    private func notes(_ a: WhyDevice) -> Set<String> {
        let own = FileManager.default.enumerator(atPath: a.path(".docdrive"))?.compactMap { $0 as? String } ?? []
        return Set(own.filter { $0.contains("/.noted/") })
    }

    /// For an index that may be lost: of what the store has by now it needs to be told nothing, whatever else waits.
    @Test(arguments: [true, false]) func whatIsNotedOfSomethingGoesOnceThatIsSent(byOneProgram isOne: Bool) async throws
    {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        let answer = Mutex((isAway: false, limit: 500_000))
        var changes = WiringChanges()
        changes.store = {
            ChoosyStore(base: $0) { bytes in
                let (isAway, limit) = answer.withLock { $0 }
                if isAway { return .unreachable }
                return bytes.count > limit ? .noSpace : nil
            }
        }
        let one = isOne ? try a.drive(changes) : nil
        func syncInVain(isAway: Bool) async throws {
            answer.withLock { $0.isAway = isAway }
            let drive = try one ?? a.drive(changes)
            await #expect(throws: DriveError.self) { try await drive.sync() }
        }
        try writeLarge(a, "Photo")
        try await syncInVain(isAway: true)
        let first = notes(a)
        #expect(first.count == 1)
        for round in 1...3 {
            for text in ["one", "another"] {
                try a.write("Letter.txt", String(repeating: text, count: round))
                try await syncInVain(isAway: true)
            }
            #expect(notes(a).count == 3 && notes(a).isSuperset(of: first))
            try await syncInVain(isAway: false)
            #expect(notes(a) == first)
        }
        let others = [FileVersion.Place](repeating: .store, count: 6)
        #expect(try places(a, "Letter.txt") == [.folder] + others)
        answer.withLock { $0.limit = .max }
        let drive = try one ?? a.drive(changes)
        #expect(try await drive.sync().isComplete)
        #expect(notes(a).isEmpty && kept(a).isEmpty)
    }

    /// The list goes first: it is small.
    @Test func ofALargeFileWhatIsNotedStaysUntilAllOfItIsSent() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        let drive = try a.drive()
        let unsent = drive.unsent
        let (id, access) = (try #require(unsent.store).id, try #require(drive.access))
        let store = unsent.store(over: access.objects)
        func chunk(_ bytes: [UInt8], _ object: ObjectKey) -> ChunkReference {
            ChunkReference(
                id: .sha256(bytes), length: UInt32(bytes.count), object: object, offset: 0,
                storedLength: UInt32(bytes.count), encoding: .raw)
        }
        let part: [UInt8] = [1, 2, 3]
        let list = ChunkListCodec.encode([chunk(part, "blob/part")])
        let body = Content.Body.list(chunk(list, "blob/list"))
        try unsent.makeFolder()
        unsent.hold.isOn = true
        for (key, bytes) in [("blob/list", list), ("blob/part", part)] {
            try await store.put(id.objectPrefix + key, bytes)
        }
        unsent.hold.isOn = false
        try await drive.engine.use { engine in
            let state = engine.parts.state
            let items = try state.allItems().map(\.state)
            var record = try #require(items.first { !$0.heads.isEmpty })
            record.heads[0].content.body = body
            try unsent.note(RecordGroup(records: [record]), state)
        }
        #expect(notes(a).count == 1)
        let objects = store.unsent(of: id)
        try await objects.send("blob/list")
        objects.settle()
        #expect(notes(a).count == 1)
        try await objects.send("blob/part")
        objects.settle()
        #expect(notes(a).isEmpty)
    }

    /// By whoever opens the drive after one that was killed while it did so.
    @Test func whatIsSpentIsRemovedHoweverFarThatHadCome() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        let places = ["unsent-gone", "unsent-there"].map { FolderPath(a.path(".docdrive/\($0)")) }
        try FileManager.default.createDirectory(
            atPath: "\(places[1])/dd1", withIntermediateDirectories: true)
        try await a.drive().engine.use { engine in
            try engine.parts.state.transaction { try UnsentContents.setSpent(places, engine.parts.state) }
        }
        try await a.sync()
        #expect(!places[1].exists)
        try await a.sync()
    }
}
