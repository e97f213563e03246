import DriveCore
import DriveFiles
import FileCoordination
import Foundation
import Glibc
import Testing

@testable import DocumentDrive

/// What is to be said where several devices meet.
struct WhyElsewhereTests {
    @Test func whatIsGoneSaysWhoTookItAndHowItComesBack() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["Letter.txt": "dear\n", "Folder/Inside": "1", "Stays": "1"])
        try b.remove("Letter.txt")
        try b.remove("Folder")
        try await b.sync()
        let here = try b.why("Letter.txt")
        #expect(here.cause == .deletedHere && here.since != nil && here.remedy == "docdrive restore Letter.txt")
        try await a.sync()
        let there = try a.why("Letter.txt")
        #expect(there.cause == .deletedElsewhere && there.device == "beta" && there.standing == .gone)
        #expect(there.sentence == "deleted by beta")
        let remedy = try #require(there.remedy?.split(separator: " ").last)
        #expect(there.remedy?.hasPrefix("docdrive trash restore ") == true)
        let inside = try a.why("Folder/Inside")
        #expect(inside.cause == .deletedElsewhere && inside.device == "beta")
        #expect(try await a.drive().perform(.restoreTrash(names: ["\(remedy)"])) == ["Letter.txt: is back"])
        try await a.sync()
        #expect(try a.why("Letter.txt").standing == .synced)
    }

    /// The log of one that joins begins with that; records, `versions` and `restore` know what was before.
    @Test func whatWasDeletedBeforeADeviceJoinedWasDeleted() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair(["Letter.txt": "dear\n", "Folder/Inside": "1", "Stays": "1"])
        try a.remove("Letter.txt")
        try a.remove("Folder")
        try await a.sync()
        let c = try await world.device("gamma")
        try await c.sync()
        for path: DrivePath in ["Letter.txt", "Folder/Inside", "Folder"] {
            let why = try c.why(path)
            #expect(why.cause == .deletedEarlier && why.standing == .gone && why.since == nil)
            #expect(why.remedy == "docdrive restore \(path)")
        }
        #expect(try c.why("Other").cause == .unknown)
    }

    /// Between two passes of this device, which has a log and nothing of it there.
    @Test func whatCameAndWentBetweenTwoPassesWasNotBeforeTheLog() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try a.write("Note", "short\n")
        try a.write("Folder/Inside", "1")
        try await a.sync()
        try a.remove("Note")
        try a.remove("Folder")
        try await a.sync()
        try await b.sync()
        for path: DrivePath in ["Note", "Folder/Inside", "Folder"] {
            let why = try b.why(path)
            #expect(why.cause == .deletedUnseen && why.device == "alpha" && why.standing == .gone)
            #expect(why.remedy == "docdrive restore \(path)")
        }
        #expect(try b.why("Note").sentence == "deleted by alpha; it never was here by this name")
    }

    /// Another device had told of it, by a name that no record has any more.
    @Test func whatGotAnotherNameBeforeItCameIsNotSaidToBeUntold() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try a.write("Draft", "short\n")
        try await a.sync()
        try a.move("Draft", to: "Final")
        try await a.sync()
        try await b.sync()
        let why = try b.why("Draft")
        #expect(why.cause == .unknown)
        #expect(why.sentence == "nothing of this name is here, and this device never showed one")
    }

    /// It was here by another name, and the log has that name.
    @Test func whatWasRenamedAndDeletedBetweenTwoPassesIsFoundByItsFormerName() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["Draft": "short\n", "Stays": "1"])
        try a.move("Draft", to: "Final")
        try await a.sync()
        try a.remove("Final")
        try await a.sync()
        try await b.sync()
        let (former, why) = (try b.why("Draft"), try b.why("Final"))
        #expect(former.cause == .deletedElsewhere && former.since != nil)
        #expect(why.cause == .deletedElsewhere && why.device == "alpha" && why.since == former.since)
        #expect(why.remedy == former.remedy && why.remedy?.hasPrefix("docdrive trash restore ") == true)
        let versions = try DriveReader(b.folder).versions(of: "Final")
        #expect(versions.map(\.kind) == [.deleted] && versions.map(\.replaced) == [why.since])
    }

    @Test func whatHasMovedSaysWhoMovedItAndWhereItIs() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["Folder/Letter": "dear\n"])
        try b.move("Folder", to: "Other")
        try await b.sync()
        try b.move("Other/Letter", to: "Letter")
        try await b.sync()
        let here = try b.why("Folder/Letter")
        #expect(here.cause == .movedHere && here.others == ["Letter"])
        try await a.sync()
        let there = try a.why("Folder/Letter")
        #expect(there.cause == .movedElsewhere && there.device == "beta" && there.others == ["Letter"])
        #expect(there.remedy == "docdrive why Letter")
        #expect(try a.why("Folder").others == ["Other"])
        try b.remove("Letter")
        try await b.sync()
        #expect(try b.why("Folder/Letter").cause == .deletedHere)
    }

    @Test func bothSidesOfAConflictNameTheOther() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try a.write("Letter.txt", "from a\n")
        try b.write("Letter.txt", "from b, longer\n")
        for device in [a, b, a] { try await device.sync() }
        let file = try a.why("Letter.txt")
        let copy = try #require(file.others.first)
        // As a list has them: only the copy is one.
        #expect(file.cause == .conflictFile && file.standing == .synced)
        let other = try a.why(copy)
        #expect(other.standing == .conflict)
        #expect(other.cause == .conflictCopy && other.others == ["Letter.txt"])
        #expect(other.remedy == file.remedy && file.remedy?.hasPrefix("docdrive conflicts show ") == true)
        #expect(["alpha", "beta"].contains(other.device ?? ""))
    }

    @Test func aDeleteThatAnEditUndidIsSaidOnBothSides() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try a.write("Letter.txt", "edited\n")
        try b.remove("Letter.txt")
        for device in [a, b, a] { try await device.sync() }
        for device in [a, b] {
            let why = try device.why("Letter.txt")
            #expect(why.cause == .keptByEdit && why.standing == .synced && why.since != nil)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: b.folder.description).contains("Letter.txt"))
        try a.write("Letter.txt", "edited again\n")
        for device in [a, b] { try await device.sync() }
        #expect(try a.why("Letter.txt").cause == .inStep && b.why("Letter.txt").cause == .brought)
    }

    /// Whoever edits may have heard of the delete before: then no record tells whose it was.
    @Test func aDeleteIsTheDeletersWhereTheEditorKnewOfIt() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        let c = try await world.device("gamma")
        try await c.sync()
        try a.remove("Letter.txt")
        for device in [a, c] { try await device.sync() }
        _ = try await b.drive().engine.use { try await $0.fetch() }
        try b.write("Letter.txt", "dear Ada\n")
        for device in [b, c, a] { try await device.sync() }
        for device in [a, c] {
            #expect(try DriveReader(device.folder).conflicts().map(\.deleter) == ["alpha"])
        }
        let notes = try DriveReader(c.folder).index.events(limit: .max).compactMap(\.note)
        #expect(notes.contains { $0.hasPrefix("alpha deleted it while beta changed it") })
    }

    /// Also where others have given the folder another name meanwhile.
    @Test func whatComesIntoARenamedFolderWhoseDeleteIsHeldWaitsForTheDecision() async throws {
        let world = try WhyWorld()
        var files = Dictionary(uniqueKeysWithValues: (0..<30).map { ("Folder/\($0)", "\($0)") })
        files["Other/Leaf"] = "1"
        let (a, b) = try await world.pair(files)
        try b.remove("Folder")
        try await b.sync()
        try a.move("Folder", to: "Renamed")
        try a.move("Other/Leaf", to: "Renamed/Leaf")
        try a.write("Renamed/New", "1")
        for device in [a, b] { try await device.sync() }
        #expect(try b.why("Renamed").cause == .heldHere)
        for path: DrivePath in ["Renamed/New", "Other/Leaf"] { #expect(try b.why(path).cause == .heldFolder) }
        #expect(try DriveReader(b.folder).waiting().allSatisfy { $0.standing == .held && !$0.mayPass })
        let waiting = try await SyncPlan.make(for: b.folder).steps.filter(\.waitsForDelete)
        #expect(Set(waiting.map(\.path)) == ["Renamed/New", "Renamed/Leaf"], "\(waiting)")
        #expect(waiting.contains { $0.from == "Other/Leaf" })
    }

    @Test func aDeletedFolderStaysForWhatIsInIt() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["Folder/Old": "1"])
        try a.write("Folder/New", "2")
        try b.remove("Folder")
        for device in [a, b, a] { try await device.sync() }
        for device in [a, b] {
            #expect(try device.why("Folder").cause == .keptForContents)
            #expect(try device.why("Folder/New").standing == .synced)
        }
    }

    /// There is nothing left to decide of what others have deleted meanwhile.
    @Test func aHeldDeleteThatAnotherDeviceMadeToo() async throws {
        let world = try WhyWorld()
        var files: [String: String] = [:]
        for number in 0..<40 { files["Folder/f\(number)"] = "\(number)" }
        let (a, b) = try await world.pair(files)
        for device in [a, b] {
            for number in 0..<(device.folder == a.folder ? 20 : 15) { try device.remove("Folder/f\(number)") }
            try await device.sync()
        }
        let reader = try DriveReader(b.folder)
        _ = try await b.drive().perform(.confirmDeletes(ids: reader.heldDeletes().map(\.id)))
        for device in [b, a] { try await device.sync() }
        let held = try DriveReader(a.folder).heldDeletes()
        #expect(held.map(\.path) == ["Folder/f15", "Folder/f16", "Folder/f17", "Folder/f18", "Folder/f19"])
        let why = try a.why("Folder/f3")
        #expect(why.cause == .deletedElsewhere && why.device == "beta", "\(why)")
        _ = try await a.drive().perform(.restoreDeletes(ids: held.map(\.id)))
        for device in [a, b] { try await device.sync() }
        for device in [a, b] {
            #expect(try FileManager.default.contentsOfDirectory(atPath: device.path("Folder")).count == 25)
        }
    }

    /// It comes back on all devices: nobody there knew that it would be taken back.
    @Test func aHeldDeleteThatIsTakenBackAfterAnotherDeviceMadeItToo() async throws {
        let world = try WhyWorld()
        var files = ["keep": "k"]
        for number in 0..<20 { files["Folder/f\(number)"] = "\(number)" }
        let (a, b) = try await world.pair(files)
        for device in [a, b] {
            try device.remove("Folder")
            try await device.sync()
        }
        _ = try await b.drive().perform(.confirmDeletes(ids: DriveReader(b.folder).heldDeletes().map(\.id)))
        try await b.sync()
        let held = try DriveReader(a.folder).heldDeletes()
        #expect(held.count == 21)
        let told = try await a.drive().outcomes(of: .restoreDeletes(ids: held.map(\.id)))
        #expect(told.allSatisfy { $0.line.hasSuffix(": comes back") }, "\(told)")
        for device in [a, b, a] { try await device.sync() }
        for device in [a, b] {
            #expect(try Set(device.names).isSuperset(of: ["keep", "Folder"]))
            #expect(try FileManager.default.contentsOfDirectory(atPath: device.path("Folder")).count == 20)
            #expect(try device.why("Folder/f3").standing == .synced)
        }
        let notes = try DriveReader(b.folder).index.events(limit: .max)
            .filter { $0.path == "Folder/f3" && $0.kind == .recovered }.map(\.note)
        #expect(notes == ["It was deleted here while alpha kept it; it stays. Delete it again if nobody needs it."])
    }

    /// No delete wins over what it did not see, whoever decides last: so it is not said to be told.
    @Test func whatAnotherDeviceHasKeptIsNotSaidToGo() async throws {
        let world = try WhyWorld()
        let files = Dictionary(uniqueKeysWithValues: (0..<20).map { ("Folder/f\($0)", "\($0)") })
        let (a, b) = try await world.pair(files)
        for device in [a, b] {
            try device.remove("Folder")
            try await device.sync()
        }
        _ = try await b.drive().perform(.restoreDeletes(ids: DriveReader(b.folder).heldDeletes().map(\.id)))
        for device in [b, a] { try await device.sync() }
        let held = try DriveReader(a.folder).heldDeletes()
        #expect(held.count == 21)
        let told = try await a.drive().outcomes(of: .confirmDeletes(ids: held.map(\.id))).map(\.line)
        #expect(
            told.count { $0.contains("another device has kept or changed it since: it comes back") } == 21, "\(told)")
        for device in [a, b] { try await device.sync() }
        for device in [a, b] { #expect(try device.names.contains("Folder")) }
    }

    /// Another device has moved it meanwhile: it comes back there.
    @Test func whatIsTakenBackAndWasMovedElsewhereIsNamedAsItIsCalledByThen() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(Dictionary(uniqueKeysWithValues: (0..<20).map { ("f\($0)", "\($0)") }))
        for number in 0..<20 { try a.remove("f\(number)") }
        try await a.sync()
        try b.move("f7", to: "g7")
        for device in [b, a] { try await device.sync() }
        let held = try DriveReader(a.folder).heldDeletes()
        let told = try await a.drive().outcomes(of: .restoreDeletes(ids: held.map(\.id))).map(\.line)
        #expect(told.contains("f8: comes back"), "\(told)")
        #expect(told.contains("f7: comes back as g7, as another device calls it by now"), "\(told)")
        for device in [a, b] { try await device.sync() }
        for device in [a, b] {
            let names = try device.names
            #expect(names.contains("g7") && !names.contains("f7"), "\(names)")
        }
    }

    @Test func deletesThatAreHeldSayWhoseTheyAre() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(Dictionary(uniqueKeysWithValues: (0..<30).map { ("Folder/\($0)", "\($0)") }))
        try b.remove("Folder")
        let before = SystemClock().milliseconds()
        try await b.sync()
        let noticed = before...SystemClock().milliseconds()
        let here = try b.why("Folder/7")
        #expect(noticed.contains(try #require(here.since)))
        #expect(here.cause == .heldHere && here.standing == .held)
        #expect(here.remedy?.hasPrefix("docdrive deletes confirm d") == true)
        // Neither later passes nor who asks make it later.
        while SystemClock().milliseconds() <= noticed.upperBound { await Task.yield() }
        try await b.sync()
        #expect(try b.why("Folder/7").since == here.since)
        #expect(try DriveReader(b.folder).heldDeletes().allSatisfy { $0.since == here.since })
        let version = try #require(try DriveReader(b.folder).versions(of: "Folder/7").first)
        #expect(version.kind == .deleted && version.replaced == here.since)
        let held = try DriveReader(b.folder).heldDeletes().map(\.id)
        _ = try await b.drive().perform(.confirmDeletes(ids: held))
        try await b.sync()
        let sent = SystemClock().milliseconds()
        try await a.sync()
        let there = try a.why("Folder/7")
        #expect(there.cause == .heldElsewhere && there.device == "beta")
        #expect(there.sentence.hasPrefix("deleted by beta, "))
        // Not the file's own date, which is of before.
        #expect(try #require(there.since) >= sent)
        // The folder goes once nothing is in it.
        #expect(try a.why("Folder").cause == .heldElsewhere && a.why("Folder").remedy == "docdrive deletes ls")
        let waiting = try DriveReader(a.folder).waiting()
        #expect(waiting.count == 31 && waiting.allSatisfy { $0.standing == .held && !$0.mayPass })
    }

    /// A plan finds nothing to send, and a pass nothing to record: only the executable bit is synced, and what a file holds.
    @Test func permissionsThatAreNotSyncedAreNoChange() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair(["Letter.txt": "1", "Script": "2", "Edited": "3"])
        chmod(a.path("Letter.txt"), 0o600)
        #expect(try await SyncPlan.make(for: a.folder).isEmpty)
        #expect(try await DriveReader(a.folder).unseenChanges().isEmpty)
        #expect(try a.why("Letter.txt").cause == .inStep)
        chmod(a.path("Script"), 0o755)
        // Whoever puts the date back has changed it all the same.
        var before = stat()
        stat(a.path("Edited"), &before)
        try a.write("Edited", "4")
        var times = [before.st_atim, before.st_mtim]
        utimensat(AT_FDCWD, a.path("Edited"), &times, 0)
        #expect(try await DriveReader(a.folder).unseenChanges().map(\.path) == ["Edited", "Script"])
        for path: DrivePath in ["Edited", "Script"] { #expect(try a.why(path).cause == .editedHere) }
        #expect(try await SyncPlan.make(for: a.folder).steps.map(\.path) == ["Edited", "Script"])
    }

    /// The copy is the same file, with another content; who wrote that has not done it.
    @Test func whatIsDoneToAFileInConflictIsLoggedOfItsCopyAsOfWhoDidIt() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try a.write("Letter.txt", "by alpha")
        try b.write("Letter.txt", "by beta")
        for device in [a, b, a, b] { try await device.sync() }
        chmod(a.path("Letter.txt"), 0o755)
        for device in [a, b] { try await device.sync() }
        for (device, who) in [(a, nil), (b, "alpha")] {
            let told = try DriveReader(device.folder).index.events(limit: .max)
                .filter { $0.kind == .attributes && $0.path != ".driveignore" }
            #expect(told.count == 2 && told.allSatisfy { $0.device == who }, "\(told)")
        }
    }

    /// It is nobody's who has made the files.
    @Test func whatADecisionHereBringsBackIsLoggedAsItsOwn() async throws {
        let world = try WhyWorld()
        let (_, b) = try await world.pair(Dictionary(uniqueKeysWithValues: (0..<30).map { ("Folder/\($0)", "\($0)") }))
        func newest() throws -> DriveEvent? { try DriveReader(b.folder).index.newestEvent(at: "Folder/7") }
        for _ in 0..<2 {
            try b.remove("Folder")
            try await b.sync()
            let held = try DriveReader(b.folder).heldDeletes().map(\.id)
            #expect(held.count == 31)
            _ = try await b.drive().perform(.restoreDeletes(ids: held))
            try await b.sync()
            let event = try #require(try newest())
            #expect(event.kind == .added && event.device == nil && event.operation?.kind == .deletes, "\(event)")
            #expect(try b.why("Folder/7").standing == .synced)
        }
        try b.move("Folder", to: "Other")
        try await b.sync()
        #expect(try DriveReader(b.folder).index.newestEvent(at: "Other")?.operation?.kind == .local)
    }

    /// Of what others make in such a folder nobody may think that the next pass brings it.
    @Test func whatComesIntoAFolderWhoseDeleteIsHeldWaitsForTheDecision() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(Dictionary(uniqueKeysWithValues: (0..<30).map { ("Folder/\($0)", "\($0)") }))
        try b.remove("Folder")
        try await b.sync()
        try a.write("Folder/Inner/New", "1")
        try await a.sync()
        try await b.sync()
        // What a sync would do is that too.
        let plan = try await SyncPlan.make(for: b.folder)
        #expect(plan.isEmpty && plan.steps.count == 33, "\(plan.steps)")
        #expect(plan.steps.filter(\.waitsForDelete).map(\.path) == ["Folder/Inner", "Folder/Inner/New"])
        let held = try DriveReader(b.folder).heldDeletes()
        let folder = try #require(held.first { $0.path == "Folder" })
        for path: DrivePath in ["Folder/Inner/New", "Folder/Inner"] {
            let why = try b.why(path)
            #expect(why.cause == .heldFolder && why.standing == .held)
            #expect(why.remedy == "docdrive deletes confirm \(folder.id)")
        }
        #expect(try DriveReader(b.folder).waiting().allSatisfy { $0.standing == .held && !$0.mayPass })
        _ = try await b.drive().perform(.confirmDeletes(ids: held.map(\.id)))
        for _ in 0..<2 { try await b.sync() }
        #expect(try b.why("Folder/Inner/New").cause == .brought && b.why("Folder").standing == .synced)
    }

    @Test func aNameThatIsTakenHereIsNamed() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        mkfifo(a.path("Notes"), 0o600)
        try b.write("Notes", "text")
        try await b.sync()
        try await a.sync()
        let why = try a.why("Notes")
        #expect(why.cause == .nameTaken && why.store?.size == 4 && why.remedy == "mv Notes Notes.other")
        try a.move("Notes", to: "Notes.other")
        try await a.sync()
        #expect(try a.why("Notes").cause == .brought)
    }

    @Test func aNameThatIsNotFreeYetWaits() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try b.write("Note", "a note\n")
        try await b.sync()
        try await a.sync()
        mkfifo(a.path("Old"), 0o600)
        try b.move("Letter.txt", to: "Old")
        try b.move("Note", to: "Letter.txt")
        try await b.sync()
        try await a.sync()
        #expect(try Set(a.names) == ["Letter.txt", "Note", "Old"])
        let why = try a.why("Letter.txt")
        #expect(why.cause == .nameWaits && why.standing == .waiting && why.remedy == "docdrive status", "\(why)")
        #expect(try a.why("Old").cause == .nameTaken)
        let other = try a.why("Note")
        #expect(other.cause == .nameWaits && other.others == ["Letter.txt"], "\(other)")
        #expect(other.sentence == "it is to be called Letter.txt, and what has that name here cannot leave it")
        try a.remove("Old")
        try await a.sync()
        #expect(try a.why("Letter.txt").standing == .synced && a.why("Old").standing == .synced)
    }

    @Test func whatIsFetchedAndNotAppliedIsOnItsWay() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try b.write("Letter.txt", "news\n")
        try b.write("New", "1")
        try await b.sync()
        _ = try await a.drive().engine.use { try await $0.fetch() }
        let why = try a.why("Letter.txt")
        #expect(why.cause == .notBrought && why.device == "beta" && why.standing == .downloading)
        #expect(try a.why("New").cause == .notBrought)
        #expect(Set(try DriveReader(a.folder).waiting().map(\.path)) == ["Letter.txt", "New"])
    }

    @Test func bytesThatTheStoreLacksAreWaitedFor() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        let before = Set(world.objects)
        try b.write("New", "some bytes")
        try await b.sync()
        let packs = world.objects.filter { $0.contains("/pack/") && !before.contains($0) }
        for pack in packs {
            try FileManager.default.moveItem(
                atPath: "\(world.root)/store/\(pack)", toPath: "\(world.root)/\(packs.firstIndex(of: pack)!)")
        }
        try await a.sync()
        let why = try a.why("New")
        #expect(why.cause == .contentMissing && why.standing == .waiting && why.since != nil)
        for (place, pack) in packs.enumerated() {
            try FileManager.default.moveItem(
                atPath: "\(world.root)/\(place)", toPath: "\(world.root)/store/\(pack)")
        }
        try await a.sync()
        #expect(try a.why("New").cause == .brought)
    }

    @Test func bytesThatTheStoreHasDamagedAreNamed() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        let before = Set(world.objects)
        try b.write("New", "some bytes")
        try await b.sync()
        try world.damage("pack", but: before)
        try await a.sync()
        #expect(try a.why("New").cause == .damagedInStore && a.why("New").standing == .error)
    }

    @Test func aJournalThatCannotBeReadIsSaidOfTheDrive() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        let before = Set(world.objects)
        try b.write("New", "some bytes")
        try await b.sync()
        for name in world.objects where !before.contains(name) && !name.contains("/pack/") && !name.contains("/head/") {
            try FileManager.default.removeItem(atPath: "\(world.root)/store/\(name)")
        }
        try await a.sync()
        #expect(try a.why(.root).cause == .journalUnreadable)
        #expect(try a.why("New").cause == .unknown)
    }

    @Test func anItemWhoseFolderIsUnknownWaitsForIt() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        try await a.drive().engine.use { engine in
            let state = engine.parts.state
            let dot = Dot(device: DeviceID(high: 7, low: 7), n: 1)
            let tag = Tag(time: HybridTime(milliseconds: 1_000), dot: dot)
            let folder = ItemID(high: 1, low: 1)
            let item = ItemState(
                id: ItemID(high: 2, low: 2), kind: .folder, context: DeviceVector(dot.device, 1),
                name: Register(tag: tag, value: "Early"),
                placement: Register(tag: tag, value: Placement(parent: folder, from: folder)), life: [LifeDot(dot: dot)]
            )
            try state.transaction {
                var maintenance = ViewMaintenance(state)
                try maintenance.put([item])
            }
        }
        #expect(try a.why("Early").cause == .folderMissing)
    }

    /// Two files change names, and somebody takes one of the names in the moment between.
    @Test func whatLostItsPlaceIsSetAside() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["X": "1", "Y": "22"])
        try b.move("X", to: "Z")
        try b.move("Y", to: "X")
        try b.move("Z", to: "Y")
        try await b.sync()
        let place = a.path("Y")
        let drive = try Drive.open(a.folder) { event in
            guard case .happened(let event) = event, event.kind == .moved, event.path == "X" else { return }
            _ = FileManager.default.createFile(atPath: place, contents: Data("333".utf8))
        }
        try await drive.engine.use { engine in
            _ = try await engine.fetch()
            _ = try await engine.apply()
        }
        #expect(try DriveReader(a.folder).waiting().contains { $0.cause == .setAside })
        _ = try await drive.sync()
        #expect(try DriveReader(a.folder).waiting().isEmpty)
    }

    @Test func aClockThatIsAheadIsNamed() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        var changes = WiringChanges()
        changes.clock = SkewedClock(advance: 2 * RecordNumbers.greatestAdvance)
        try b.write("Letter.txt", "from tomorrow\n")
        try await b.sync(changes)
        try await a.sync()
        let why = try a.why("Letter.txt")
        #expect(why.cause == .clockAhead && why.device == "beta" && why.standing == .synced)
    }

    @Test func whatAProgramHasSaysWhichOne() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try a.write("Letter.txt", "dear Ben\n")
        try await a.sync()
        let drive = try b.drive()
        try await drive.coordination.coordinator().coordinate(reading: "Letter.txt") { _ in
            _ = try await drive.sync()
            let why = try drive.explanation(of: "Letter.txt")
            #expect(why.cause == .inUse && why.standing == .waiting && why.mayPass)
            #expect(why.user?.process == getpid() && why.user?.program != nil && why.since != nil)
            #expect(try DriveReader(b.folder).waiting().map(\.cause) == [.inUse])
        }
        _ = try await drive.sync()
        #expect(try drive.explanation(of: "Letter.txt").cause == .brought)
    }

    @Test func whatIsToComeIntoAFolderThatAProgramHasSaysSo() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["Work/Letter.txt": "dear\n"])
        try a.write("Work/New/Deep/Note", "new\n")
        try await a.sync()
        let drive = try b.drive()
        try await drive.coordination.coordinator().coordinate(writing: "Work", options: .forDeleting) { _ in
            _ = try await drive.sync()
            for path: DrivePath in ["Work/New", "Work/New/Deep", "Work/New/Deep/Note"] {
                let why = try drive.explanation(of: path)
                #expect(why.cause == .inUse && why.standing == .waiting && why.user?.process == getpid(), "\(path)")
            }
        }
        _ = try await drive.sync()
        #expect(try drive.explanation(of: "Work/New/Deep/Note").cause == .brought)
        withExtendedLifetime(world) {}
    }
}
