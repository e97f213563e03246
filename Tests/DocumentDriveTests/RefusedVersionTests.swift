import DriveCore
import FileCoordination
import Foundation
import Glibc
import TestSupport
import Testing

@testable import DocumentDrive

/// What files held that the store refuses is recorded nowhere, and can be restored here all the same.
struct RefusedVersionTests {
    private static let marker = "EICAR-TEST"

    /// Refuses what bears the marker.
    private static var refusing: WiringChanges {
        var changes = WiringChanges()
        changes.store = {
            ChoosyStore(base: $0) { bytes in
                bytes.firstRange(of: Array(marker.utf8)) == nil ? nil : .refused
            }
        }
        return changes
    }

    private func write(_ a: WhyDevice, _ name: String, _ text: String) throws {
        try a.write(name, "\(Self.marker) \(text) \(UUID().uuidString)")
    }

    private func edit(_ a: WhyDevice, _ name: String, _ text: String) async throws -> String {
        try write(a, name, text)
        #expect(try await a.sync(Self.refusing).problems >= 1)
        return try a.text(name)
    }

    private func versions(_ a: WhyDevice, _ path: DrivePath) throws -> [FileVersion] {
        try DriveReader(a.folder).versions(of: path)
    }

    private func copies(_ a: WhyDevice) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: a.path(".docdrive/trash")).filter {
            $0.hasPrefix("refused-")
        }
    }

    private func restore(_ a: WhyDevice, _ path: String, _ version: FileVersion) async throws {
        let content = RestoredContent(path: DrivePath(path).bytes, content: version.persistentIdentifier)
        let outcomes = try await a.drive(Self.refusing).outcomes(of: .restore([content]))
        #expect(outcomes.map(\.isDone) == [true], "\(outcomes)")
    }

    @Test func editsAreVersionsThatComeBack() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["File": "old"])
        let first = try await edit(a, "File", "first")
        let before = world.objects.count
        let second = try await edit(a, "File", "second")
        #expect(world.objects.count == before)
        let found = try versions(a, "File")
        #expect(found.map(\.place) == [.folder, .trash, .store] && found.map(\.kind) == [.current, .past, .past])
        #expect(try DriveReader(a.folder).trash().map(\.reason) == [.replaced] && copies(a).count == 2)
        try await b.sync()
        #expect(try b.text("File") == "old" && versions(b, "File").count == 1)

        try await restore(a, "File", found[1])
        #expect(try a.text("File") == first)
        try await a.sync(Self.refusing)
        let now = try versions(a, "File")
        #expect(now.count == 3 && now[0].content == found[1].content && now[1].content == found[0].content)
        try await restore(a, "File", now[1])
        #expect(try a.text("File") == second)
        try await restore(a, "File", now[2])
        #expect(try a.text("File") == "old")
        #expect(try await a.sync(Self.refusing).problems == 0)
        #expect(try Set(versions(a, "File").map(\.content)) == Set(found.map(\.content)))
        try await b.sync()
        #expect(try b.text("File") == "old")
    }

    @Test func whatNoRecordHasIsAVersionToo() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        let first = try await edit(a, "New", "first")
        _ = try await edit(a, "New", "second")
        #expect(try versions(a, "New").map(\.place) == [.folder, .trash])
        try a.remove("New")
        #expect(try versions(a, "New").map(\.kind) == [.deleted, .past])
        #expect(try await a.sync(Self.refusing).problems == 0)
        let gone = try versions(a, "New")
        #expect(gone.map(\.kind) == [.deleted, .past] && gone.map(\.place) == [.trash, .trash])
        #expect(try await DriveReader(a.folder).deletedVersions(in: .root).map(\.path) == ["New"])
        try await restore(a, "New", gone[1])
        #expect(try a.text("New") == first)
        try await b.sync()
        #expect(try b.names == ["Letter.txt"])
    }

    /// Before a pass has looked, too.
    @Test func whatTheFileHeldLastIsThatWhateverTheRecordSays() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair(["File": "old"])
        _ = try await edit(a, "File", "first")
        let last = try versions(a, "File")[0].content
        try write(a, "File", "second")
        var found = try versions(a, "File")
        #expect(found.count == 3 && found[1].content == last && found[1].kind == .past && found[1].place == .trash)
        try a.remove("File")
        found = try versions(a, "File")
        #expect(found.count == 2 && found[0].content == last && found[0].kind == .deleted)
        try await a.sync(Self.refusing)
        found = try versions(a, "File")
        #expect(found.count == 2 && found[0].content == last && found[0].place == .trash)
    }

    @Test func aRenameMakesNoVersionAndNothingThatWasDeleted() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["File": "old", "Next": "new"])
        let first = try await edit(a, "File", "first")
        _ = try await edit(a, "folder/New", "in it")
        try a.move("File", to: "Moved")
        try a.move("Next", to: "File")
        try a.move("folder", to: "other")
        try await a.sync(Self.refusing)
        #expect(try copies(a).count == 2 && DriveReader(a.folder).trash().isEmpty)
        #expect(try versions(a, "File").map(\.kind) == [.current])
        _ = try await edit(a, "Moved", "second")
        _ = try await edit(a, "other/New", "second")
        let found = try versions(a, "Moved")
        #expect(found.map(\.place) == [.folder, .trash, .store])
        #expect(try versions(a, "other/New").map(\.place) == [.folder, .trash])
        try await restore(a, "Moved", found[1])
        #expect(try a.text("Moved") == first)
        try await b.sync()
        #expect(try b.text("Moved") == "old" && b.text("File") == "new")
    }

    /// As editors do that make another file of the name.
    private func saveAnew(_ a: WhyDevice, _ name: String) async throws {
        try "\(Self.marker) anew".write(toFile: a.path(name), atomically: true, encoding: .utf8)
        #expect(try await a.sync(Self.refusing).problems >= 1)
    }

    /// Between two looks: a file that is known, one that no record names, and one in a folder that was renamed.
    @Test func aRenameAndAnEditMakeAVersionAndNothingThatWasDeleted() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair(["File": "old", "Taken": "old", "folder/In it": "old"])
        let first = try await edit(a, "File", "first")
        let inIt = try await edit(a, "folder/In it", "first")
        _ = try await edit(a, "Taken", "first")
        _ = try await edit(a, "New", "first")
        try a.move("File", to: "Moved")
        try a.move("Taken", to: "Taken on")
        try a.move("New", to: "Other")
        try a.move("folder", to: "other")
        try write(a, "Moved", "second")
        try write(a, "Other", "second")
        try a.write("Taken on", "what the store takes")
        try await saveAnew(a, "other/In it")
        #expect(try DriveReader(a.folder).trash().map(\.reason) == [.replaced, .replaced, .replaced, .replaced])
        let (moved, other) = (try versions(a, "Moved"), try versions(a, "other/In it"))
        #expect(moved.map(\.place) == [.folder, .trash, .store] && other.map(\.place) == [.folder, .trash, .store])
        #expect(try versions(a, "Taken on").map(\.place) == [.folder, .trash, .store])
        #expect(try versions(a, "Other").map(\.place) == [.folder, .trash])
        try #require(moved.count == 3 && other.count == 3)
        try await restore(a, "Moved", moved[1])
        try await restore(a, "other/In it", other[1])
        #expect(try a.text("Moved") == first && a.text("other/In it") == inIt)
    }

    @Test func itsVersionsGoWithAFolderThatAnotherDeviceHasRenamed() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["folder/File": "old"])
        _ = try await edit(a, "folder/File", "first")
        try b.move("folder", to: "other")
        try await b.sync()
        try await a.sync(Self.refusing)
        try await saveAnew(a, "other/File")
        #expect(try versions(a, "other/File").map(\.place) == [.folder, .trash, .store])
        #expect(try DriveReader(a.folder).trash().map(\.reason) == [.replaced])
    }

    /// Of the second no record knows anything.
    @Test(arguments: [true, false]) func whatCameBeforeGoesWithARenameToo(isOfTheFile: Bool) async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair(["folder/File": "old"])
        for name in ["File", "New"] {
            _ = try await edit(a, "folder/\(name)", "first")
            _ = try await edit(a, "folder/\(name)", "second")
        }
        if isOfTheFile {
            for name in ["File", "New"] { try a.move("folder/\(name)", to: "folder/\(name) moved") }
        } else {
            try a.move("folder", to: "other")
        }
        _ = try await a.sync(Self.refusing)
        let paths: [DrivePath] =
            isOfTheFile ? ["folder/File moved", "folder/New moved"] : ["other/File", "other/New"]
        #expect(try versions(a, paths[0]).map(\.place) == [.folder, .trash, .store])
        #expect(try versions(a, paths[1]).map(\.place) == [.folder, .trash])
        for path in paths { try a.remove("\(path)") }
        _ = try await a.sync(Self.refusing)
        #expect(try versions(a, paths[0]).map(\.place) == [.trash, .trash, .store])
        #expect(try versions(a, paths[1]).map(\.place) == [.trash, .trash])
    }

    /// As editors do that keep a backup: the file is the one that has the name.
    @Test(arguments: ["File", "New"])
    func whatCameBeforeStaysWithAFileThatIsSavedBesideABackup(name: String) async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair(["File": "old"])
        let known = name == "File" ? 1 : 0
        for text in ["first", "second", "third"] { _ = try await edit(a, name, text) }
        let path = DrivePath(name)
        #expect(try versions(a, path).count == 3 + known)
        for backup in ["\(name)~", "\(name).bak"] {
            try a.move(name, to: backup)
            _ = try await edit(a, name, "after \(backup)")
            let places = try versions(a, path).map(\.place)
            #expect(places == [.folder, .trash, .trash] + (known == 1 ? [.store] : []), "\(places)")
        }
    }

    /// Another one had the name before, and was deleted.
    @Test func whatAnEarlierFileHeldGoesWithNoOtherOne() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair(["Old": "old"])
        for text in ["first", "second"] { _ = try await edit(a, "File", text) }
        try a.remove("File")
        _ = try await a.sync(Self.refusing)
        let before = try versions(a, "File")
        #expect(before.count == 2)
        for text in ["third", "fourth"] { _ = try await edit(a, "File", text) }
        try a.move("File", to: "Moved")
        _ = try await a.sync(Self.refusing)
        #expect(try versions(a, "File").map(\.content) == before.map(\.content))
        #expect(try versions(a, "Moved").map(\.place) == [.folder, .trash])
    }

    /// What left the name before it got it is another file, which the log tells of; of the refused one it tells nothing.
    @Test func whatCameBeforeGoesWithNoFileThatHadTheNameBefore() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair(["Name": "clean"])
        for text in ["first", "second"] { _ = try await edit(a, "File", text) }
        let before = try versions(a, "File").map(\.content)
        for (from, to) in [("Name", "Other"), ("File", "Name")] {
            try a.move(from, to: to)
            _ = try await a.sync(Self.refusing)
        }
        #expect(try versions(a, "Name").map(\.content) == before)
        #expect(try versions(a, "Other").map(\.place) == [.folder])
    }

    /// What comes to its name from elsewhere, by itself or in its folder, is not the file, saved anew.
    @Test(arguments: [
        ["folder/File", "folder/Moved", "Next", "folder/File"], ["folder", "other", "next", "folder"],
    ])
    func whatCameBeforeLeavesANameThatAnotherFileGets(moves: [String]) async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair(["Next": "ordinary", "next/File": "ordinary too"])
        for text in ["first", "second"] { _ = try await edit(a, "folder/File", text) }
        let before = try versions(a, "folder/File").map(\.content)
        try a.move(moves[0], to: moves[1])
        try a.move(moves[2], to: moves[3])
        _ = try await a.sync(Self.refusing)
        let moved: DrivePath = moves[0] == "folder" ? "other/File" : "folder/Moved"
        #expect(try versions(a, moved).map(\.content) == before)
        #expect(try versions(a, "folder/File").map(\.place) == [.folder])
    }

    @Test func whatCameBeforeGoesWithEachOfTwoThatChangePlaces() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair(["One": "old one", "Two": "old two"])
        for name in ["One", "Two"] {
            for text in ["first", "second"] { _ = try await edit(a, name, "\(name) \(text)") }
        }
        func replaced(_ path: DrivePath) throws -> [ContentHash] {
            try versions(a, path).filter { $0.place == .trash }.map(\.content)
        }
        let (one, two) = (try replaced("One"), try replaced("Two"))
        #expect(one.count == 1 && two.count == 1)
        for (from, to) in [("One", "Third"), ("Two", "One"), ("Third", "Two")] { try a.move(from, to: to) }
        _ = try await a.sync(Self.refusing)
        #expect(try replaced("Two") == one)
        #expect(try replaced("One") == two)
    }

    /// No record names it, so that no log has its delete.
    @Test func whatADeletedFileHeldGoesWithNoneThatIsRenamedLater() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        for text in ["first", "second", "third"] { _ = try await edit(a, "File", text) }
        try a.remove("File")
        _ = try await a.sync(Self.refusing)
        try a.write("File", "ordinary")
        _ = try await a.sync(Self.refusing)
        try a.move("File", to: "Moved")
        _ = try await a.sync(Self.refusing)
        #expect(try versions(a, "Moved").map(\.place) == [.folder])
        #expect(try versions(a, "File").map(\.kind) == [.deleted, .past, .past])
    }

    @Test func whatCameBeforeGoesOnFromWhereAnotherWasDeleted() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        for name in ["File", "Gone"] {
            for text in ["first", "second"] { _ = try await edit(a, name, text) }
        }
        let before = try versions(a, "File").map(\.content)
        try a.remove("Gone")
        _ = try await a.sync(Self.refusing)
        for (from, to) in [("File", "Gone"), ("Gone", "Moved")] {
            try a.move(from, to: to)
            _ = try await a.sync(Self.refusing)
        }
        #expect(try versions(a, "Moved").map(\.content) == before)
        #expect(try versions(a, "Gone").map(\.kind) == [.deleted, .past])
    }

    @Test func aCopyIsClosedAsItsFile() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair(["File": "old"])
        try write(a, "File", "first")
        try #require(chmod(a.path("File"), 0o600) == 0)
        #expect(try await a.sync(Self.refusing).problems >= 1)
        let name = try #require(try copies(a).first)
        var facts = stat()
        try #require(stat(a.path(".docdrive/trash/\(name)"), &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o600)
    }

    /// A mebibyte a minute: of three contents within moments the second is in no version, and the last one is when it goes.
    @Test func whatIsSavedAllTheTimeFillsNoDisk() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair(["File": "old"])
        let large = String(repeating: "a line of a mailbox\n", count: 200_000)
        let first = try await edit(a, "File", "first \(large)")
        _ = try await edit(a, "File", "second \(large)")
        let third = try await edit(a, "File", "third \(large)")
        let kept = { try Self.versionSizes(a) }
        #expect(try kept() == [third.utf8.count, first.utf8.count, 3])
        try a.remove("File")
        _ = try await a.sync(Self.refusing)
        #expect(try kept() == [third.utf8.count, first.utf8.count, 3])
    }

    private static func versionSizes(_ a: WhyDevice) throws -> [Int] {
        try DriveReader(a.folder).versions(of: "File").map { Int($0.size) }
    }

    @Test func onceTheStoreTakesItNoCopyStays() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["File": "old"])
        let first = try await edit(a, "File", "first")
        _ = try await edit(a, "New", "new")
        #expect(try copies(a).count == 2)
        try a.move("New", to: "Moved")
        #expect(try await a.sync().problems == 0)
        #expect(try copies(a).isEmpty && DriveReader(a.folder).index.trash().isEmpty)
        #expect(try versions(a, "File").map(\.place) == [.folder, .store])
        try await b.sync()
        #expect(try b.text("File") == first && b.names.count == 2)
    }

    /// Records have the one before as in force until then.
    @Test func whatWasRefusedIsLaterThanWhatRecordsHave() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair(["File": "old"])
        _ = try await edit(a, "File", "first")
        _ = try await edit(a, "File", "second")
        let before = try versions(a, "File").map(\.content)
        #expect(try await a.sync().problems == 0)
        let after = try versions(a, "File")
        #expect(after.map(\.content) == before && after.map(\.kind) == [.current, .past, .past])
        #expect(after[2].replaced ?? 0 <= after[1].replaced ?? 0)
    }

    /// One process that watches, in whose looks nothing is sent again.
    @Test func looksThatFindNothingMakeNoMore() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair(["File": "old"])
        try write(a, "File", "first")
        let drive = try a.drive(Self.refusing)
        for _ in 0..<3 { _ = try await drive.engine.use { try await $0.scan().records } }
        #expect(try copies(a).count == 1 && DriveReader(a.folder).trash().isEmpty)
        try a.move("File", to: "Moved")
        for _ in 0..<2 { _ = try await drive.engine.use { try await $0.scan().records } }
        #expect(try copies(a).count == 1 && DriveReader(a.folder).trash().isEmpty)
        try write(a, "Moved", "second")
        _ = try await drive.engine.use { try await $0.scan().records }
        #expect(try copies(a).count == 2 && versions(a, "Moved").map(\.place) == [.folder, .trash, .store])
        try a.remove("Moved")
        _ = try await drive.engine.use { try await $0.scan().records }
        let found = try versions(a, "Moved")
        #expect(found.map(\.place) == [.trash, .trash, .store] && found.map(\.kind) == [.deleted, .past, .past])
    }

    /// What an act took out is in the trash once.
    @Test func whatIsRestoredOverIsInTheTrashOnce() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair(["File": "old"])
        _ = try await edit(a, "File", "first")
        try await restore(a, "File", try versions(a, "File")[1])
        try await a.sync(Self.refusing)
        #expect(try DriveReader(a.folder).index.trash().map(\.reason) == [.restored] && copies(a).isEmpty)
        let restored = try #require(
            try DriveReader(a.folder).index.operations(limit: .max).first { $0.kind == .restore })
        _ = try await a.drive(Self.refusing).perform(.undo(operations: [restored.id], device: nil))
        #expect(try a.text("File").hasPrefix(Self.marker))
    }

    /// It had written it down, and not come to the file.
    @Test func whoWasKilledLeavesNothingThatCannotBeRead() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair(["File": "old"])
        _ = try await edit(a, "File", "first")
        for name in try copies(a) { try a.remove(".docdrive/trash/\(name)") }
        #expect(try versions(a, "File").map(\.place) == [.folder, .store])
        try await a.sync(Self.refusing)
        #expect(try copies(a).count == 1)
        for name in try copies(a) { try a.remove(".docdrive/trash/\(name)") }
        _ = try await edit(a, "File", "second")
        #expect(try copies(a).count == 1 && DriveReader(a.folder).trash().isEmpty)
        try a.write("File", "small")
        #expect(try await a.sync(Self.refusing).problems == 0)
        #expect(try versions(a, "File").count == 3)
    }

    /// All of it is in the file once nobody has it open any more.
    private func closedIndex(_ a: WhyDevice) async throws -> URL {
        let path = a.path(".docdrive/index.sqlite")
        try await until { !FileManager.default.fileExists(atPath: "\(path)-wal") }
        return URL(fileURLWithPath: path)
    }

    /// As one process that goes on.
    private func syncTwice(_ a: WhyDevice) async throws {
        let drive = try a.drive(Self.refusing)
        for _ in 0..<2 { _ = try await drive.sync() }
    }

    /// Nothing was deleted: the file is found again of which they are copies.
    @Test(arguments: [true, false]) func anIndexThatKnowsNothingOfCopiesFindsTheirFile(isOlder: Bool) async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        let older = try await Data(contentsOf: closedIndex(a))
        for text in ["first", "second"] { _ = try await edit(a, "New", text) }
        try a.write("Next", "of which the store hears")
        _ = try await a.sync(Self.refusing)
        let index = try await closedIndex(a)
        let before = try versions(a, "New").map(\.content)
        for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: index.path + ending) }
        if isOlder { try older.write(to: index) } else { try FileManager.default.removeItem(at: index) }
        try await syncTwice(a)
        #expect(try DriveReader(a.folder).trash().map(\.path) == ["New"])
        #expect(try versions(a, "New").map(\.content) == before)
        #expect(try copies(a).count == 2)
        try a.remove("New")
        _ = try await a.sync(Self.refusing)
        #expect(try versions(a, "New").map(\.kind) == [.deleted, .past])
    }

    @Test func ofWhatIsLargeNoCopyIsKept() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        try write(a, "Large", "large")
        #expect(truncate(a.path("Large"), 64 << 20 + 1) == 0)
        #expect(try await a.sync(Self.refusing).problems == 1)
        #expect(try copies(a).isEmpty)
    }
}
