import DriveCore
import FileCoordination
import Foundation
import Synchronization
import Testing

@testable import DocumentDrive

/// A store that refuses some of what it is given, and takes the rest: nothing else waits for what it refuses.
struct RefusedContentTests {
    private static let marker = Array("EICAR-TEST".utf8)

    private func refusing(_ refusal: @escaping @Sendable ([UInt8]) -> DriveError.Kind?) -> WiringChanges {
        var changes = WiringChanges()
        changes.store = { ChoosyStore(base: $0, refusal: refusal) }
        return changes
    }

    private func marked(_ kind: DriveError.Kind) -> WiringChanges {
        refusing { bytes in bytes.firstRange(of: Self.marker) == nil ? nil : kind }
    }

    private func writeRandom(_ a: WhyDevice, _ name: String, _ count: Int, marked: Bool = false) throws {
        var random = SystemRandomNumberGenerator()
        var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        if marked { bytes += Self.marker }
        try Data(bytes).write(to: URL(fileURLWithPath: a.path(name)))
    }

    private func kept(_ a: WhyDevice) -> Int {
        let all = FileManager.default.enumerator(atPath: a.path(".docdrive"))?.compactMap { $0 as? String } ?? []
        return all.count { $0.hasPrefix("unsent-") && ($0.contains("/pack/") || $0.contains("/blob/")) }
    }

    private func files(_ a: WhyDevice) -> Set<String> {
        let all = FileManager.default.enumerator(atPath: a.folder.description)?.compactMap { $0 as? String } ?? []
        return Set(
            all.filter {
                !$0.hasPrefix(".") && (try? FileManager.default.contentsOfDirectory(atPath: a.path($0))) == nil
            })
    }

    private func recordAway(_ a: WhyDevice) async throws {
        await #expect(throws: DriveError.self) { try await a.sync(.failing(.unreachable, "away")) }
    }

    @Test func whatWasRecordedAndIsTooLargeHasNothingElseWait() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try writeRandom(a, "Photo", 5_000_000)
        try a.write("Small", "1")
        try await recordAway(a)
        let limited = refusing { $0.count > 1 << 20 ? .tooLarge : nil }
        #expect(try await a.sync(limited).problems == 1)
        #expect(try a.why("Photo").cause == .tooLargeForStore && a.why("Small").cause == .inStep)
        try a.write("Later", "2")
        let summary = try await a.sync(limited)
        #expect(summary.problems == 1 && summary.sent == 1, "\(summary)")
        try await b.sync()
        #expect(try Set(b.names) == ["Letter.txt", "Small", "Later"])
        // With more room for it, it goes.
        #expect(try await a.sync().problems == 0)
        #expect(try a.why("Photo").cause == .inStep)
        try await b.sync()
        #expect(FileManager.default.contentsEqual(atPath: a.path("Photo"), andPath: b.path("Photo")))
        try await a.sync()
        #expect(kept(a) == 0)
    }

    @Test func whatWasRecordedAndIsGoneIsSentToNobody() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try writeRandom(a, "Photo", 5_000_000)
        try await recordAway(a)
        let limited = refusing { $0.count > 1 << 20 ? .tooLarge : nil }
        #expect(try await a.sync(limited).problems == 1)
        try a.remove("Photo")
        try a.write("Later", "2")
        let summary = try await a.sync(limited)
        #expect(summary.problems == 0 && summary.sent > 0, "\(summary)")
        #expect(try await a.sync(limited).sent == 0)
        try await b.sync()
        #expect(try Set(b.names) == ["Letter.txt", "Later"])
        #expect(try await StoreLook(DriveReader(b.folder)).run().damage.isEmpty)
    }

    /// It names what the file held last, with which that lives on where another device has moved it meanwhile.
    @Test func aDeleteOfWhatOthersKnowWaitsForWhatIsRefused() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["Letter.txt": "dear\n", "File": "old"])
        try writeRandom(a, "File", 200, marked: true)
        try await recordAway(a)
        #expect(try await a.sync(marked(.refused)).problems == 1)
        try a.remove("File")
        try b.move("File", to: "Moved")
        #expect(try await a.sync(marked(.refused)).problems == 1)
        try await b.sync()
        try await a.sync(marked(.refused))
        #expect(try Set(b.names) == ["Letter.txt", "Moved"])
        #expect(try b.text("Moved") == "old")
        #expect(try await StoreLook(DriveReader(b.folder)).run().damage.isEmpty)
        #expect(try await a.sync().problems == 0)
        try await b.sync()
        try await a.sync()
        #expect(try Set(a.names) == Set(b.names))
        #expect(FileManager.default.contentsEqual(atPath: a.path("Moved"), andPath: b.path("Moved")))
        #expect(try await StoreLook(DriveReader(b.folder)).run().damage.isEmpty)
    }

    /// It was recorded again and again meanwhile, and other things were published.
    @Test func whatWasRefusedTwiceAndIsGoneIsSentToNobody() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try writeRandom(a, "Bad", 200, marked: true)
        try a.write("First", "1")
        try await recordAway(a)
        #expect(try await a.sync(marked(.refused)).problems == 1)
        try writeRandom(a, "Bad", 300, marked: true)
        try await recordAway(a)
        #expect(try await a.sync(marked(.refused)).problems == 1)
        try a.remove("Bad")
        try a.write("Second", "2")
        #expect(try await a.sync(marked(.refused)).problems == 0)
        #expect(try await a.sync(marked(.refused)).sent == 0)
        try await b.sync()
        #expect(try Set(b.names) == ["Letter.txt", "First", "Second"])
    }

    @Test func whatOthersKnowByAnEarlierVersionIsKnownToThem() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try writeRandom(a, "File", 200)
        try await recordAway(a)
        try writeRandom(a, "File", 300, marked: true)
        try await recordAway(a)
        #expect(try await a.sync(marked(.refused)).problems == 1)
        try await b.sync()
        #expect(try b.names.contains("File"))
        try a.remove("File")
        for _ in 0..<2 { #expect(try await a.sync(marked(.refused)).problems == 1) }
        #expect(try await a.sync().problems == 0)
        try await b.sync()
        #expect(try b.names == ["Letter.txt"])
    }

    private func threeVersions(_ a: WhyDevice) async throws {
        try writeRandom(a, "File", 200, marked: true)
        try await recordAway(a)
        try writeRandom(a, "File", 300)
        try await recordAway(a)
    }

    /// Others have what waits where it was: they would make a conflict copy of what they are told is there now.
    @Test(arguments: [false, true])
    func whatTakesThePlaceOfWhatWaitsWaitsWithIt(_ waitedBefore: Bool) async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["x": "old", "y": "text", "z": "last"])
        try writeRandom(a, "x", 200, marked: true)
        try await recordAway(a)
        if waitedBefore { #expect(try await a.sync(marked(.refused)).problems == 1) }
        for (from, to) in [("x", "x.bak"), ("y", "x"), ("z", "y")] { try a.move(from, to: to) }
        try a.write("Other", "1")
        for _ in 0..<2 { #expect(try await a.sync(marked(.refused)).problems == 3) }
        try a.write("x", "text and more")
        #expect(try await a.sync(marked(.refused)).problems == 3)
        try await b.sync()
        #expect(try Set(b.names) == ["x", "y", "z", "Other"] && b.text("x") == "old" && b.text("y") == "text")
        try await a.sync(marked(.refused))
        #expect(try Set(a.names) == ["x", "x.bak", "y", "Other"])
        #expect(try await a.sync().problems == 0)
        try await b.sync()
        #expect(try Set(b.names) == ["x", "x.bak", "y", "Other"])
        #expect(try b.text("x") == "text and more" && b.text("y") == "last")
        #expect(FileManager.default.contentsEqual(atPath: a.path("x.bak"), andPath: b.path("x.bak")))
    }

    /// What is in it would have to wait, too.
    @Test func aFolderInThePlaceOfWhatWaitsGoesWithWhatIsInIt() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["thesis": "old", "ch1": "one"])
        try writeRandom(a, "thesis", 200, marked: true)
        try await recordAway(a)
        try a.move("thesis", to: "thesis.big")
        try await recordAway(a)
        try a.write("thesis/ch2", "two")
        try a.move("ch1", to: "thesis/ch1")
        for _ in 0..<2 { #expect(try await a.sync(marked(.refused)).problems == 1) }
        try await b.sync()
        #expect(try b.text("thesis/ch1") == "one" && b.text("thesis/ch2") == "two")
        #expect(files(b).count == 3, "the old one beside them: \(files(b))")
        try await a.sync()
        try await b.sync()
        try await a.sync()
        #expect(files(a) == ["thesis.big", "thesis/ch1", "thesis/ch2"] && files(b) == files(a))
    }

    /// It is in no folder any more; what it held before tells the others as much.
    @Test(arguments: [false, true])
    func aDeleteDoesNotKeepBackWhatHasItsPlace(_ waitedBefore: Bool) async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["v": "old"])
        try writeRandom(a, "v", 200, marked: true)
        try await recordAway(a)
        try a.move("v", to: "v.old")
        try await recordAway(a)
        try a.write("v", "small")
        if waitedBefore {
            #expect(try await a.sync(marked(.refused)).problems == 2)
        } else {
            try await recordAway(a)
        }
        try a.remove("v.old")
        #expect(try await a.sync(marked(.refused)).problems == 0)
        try await b.sync()
        #expect(try b.names == ["v"] && b.text("v") == "small")
        #expect(try await a.sync(marked(.refused)).isComplete)
        #expect(try await StoreLook(DriveReader(b.folder)).run().damage.isEmpty)
    }

    /// To the others it is one with that which is gone.
    @Test(arguments: [false, true])
    func aFolderMadeAnewIsThePlaceOfWhatTheOldOneHeld(_ waitedBefore: Bool) async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["d/v": "old", "d/k": "k"])
        func record() async throws {
            if waitedBefore { try await a.sync(marked(.refused)) } else { try await recordAway(a) }
        }
        try writeRandom(a, "d/v", 3_000, marked: true)
        // What the store refuses at once is not recorded.
        try await recordAway(a)
        try await record()
        try a.remove("d")
        try await record()
        try a.write("d/v", "small")
        try a.write("d/k", "other")
        #expect(try await a.sync(marked(.refused)).problems == 0)
        try await b.sync()
        #expect(try files(b) == ["d/v", "d/k"] && b.text("d/v") == "small" && b.text("d/k") == "other")
        let versions = try DriveReader(a.folder).versions(of: "d/v")
        #expect(versions.map(\.size) == [5, 3_010, 3])
        try await a.sync()
        try await b.sync()
        #expect(files(a) == files(b) && files(b).count == 2)
    }

    /// Where others have it is a place in a folder, wherever that is by now.
    @Test func whatTakesThePlaceThatIsNobodysAnyMoreIsSent() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["th/video": "old", "v": "old too", "n": "text"])
        try writeRandom(a, "th/video", 200, marked: true)
        try writeRandom(a, "v", 300, marked: true)
        try await recordAway(a)
        #expect(try await a.sync(marked(.refused)).problems == 2)
        try a.move("th", to: "th-old")
        try a.write("th/video", "small")
        #expect(try await a.sync(marked(.refused)).problems == 2)
        try await b.sync()
        #expect(try b.text("th-old/video") == "old" && b.text("th/video") == "small")

        // Another device has moved it since.
        try a.move("v", to: "v.old")
        try a.move("n", to: "v")
        #expect(try await a.sync(marked(.refused)).problems == 3)
        try b.move("v", to: "vB")
        try await b.sync()
        // What waited for that goes in the pass that learns of it.
        #expect(try await a.sync(marked(.refused)).problems == 2)
        try await b.sync()
        #expect(try files(b) == ["th-old/video", "th/video", "v", "vB"] && b.text("v") == "text")
    }

    /// Each step was recorded, and others know of none.
    @Test func thePlaceThatOthersKnowIsThatBeforeAllThatWaits() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["video": "old", "d/x": "old", "w": "old"])
        for name in ["video", "d/x"] { try writeRandom(a, name, 200, marked: true) }
        try await recordAway(a)
        try a.move("video", to: "v1")
        try a.move("d/x", to: "d/y")
        try a.move("w", to: "w.old")
        try await recordAway(a)
        try a.move("v1", to: "v2")
        try a.move("d", to: "e")
        try writeRandom(a, "w.old", 200, marked: true)
        try await recordAway(a)
        for name in ["video", "e/x", "w"] { try a.write(name, "small") }
        for _ in 0..<2 { #expect(try await a.sync(marked(.refused)).problems == 5) }
        try await b.sync()
        // That `w` was renamed could be told.
        #expect(files(b) == ["video", "e/x", "w", "w.old"], "\(files(b))")
        #expect(try files(b).allSatisfy { try b.text($0) == ($0 == "w" ? "small" : "old") })
        #expect(try await a.sync().problems == 0)
        try await b.sync()
        #expect(try files(b) == ["video", "v2", "e/x", "e/y", "w", "w.old"] && b.text("video") == "small")
    }

    /// Only a moment keeps it from being sent, or a store that takes nothing at all.
    @Test(arguments: [DriveError.Kind.temporary, .unreachable, .noSpace])
    func anEarlierVersionIsSentOnceTheStoreTakesIt(_ kind: DriveError.Kind) async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["Letter.txt": "dear\n", "File": "old"])
        try await threeVersions(a)
        let error = await #expect(throws: DriveError.self) {
            try await a.sync(kind == .noSpace ? refusing { _ in kind } : marked(kind))
        }
        #expect(error?.kind == kind)
        #expect(try await a.sync().problems == 0)
        try await b.sync()
        #expect(try DriveReader(b.folder).versions(of: "File").count == 3)
        #expect(kept(a) == 0)
    }

    @Test func anEarlierVersionThatIsRefusedIsInNobodysWay() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["Letter.txt": "dear\n", "File": "old"])
        try await threeVersions(a)
        #expect(try await a.sync(marked(.refused)).problems == 0)
        try await b.sync()
        #expect(FileManager.default.contentsEqual(atPath: a.path("File"), andPath: b.path("File")))
        #expect(try DriveReader(b.folder).versions(of: "File").count == 2)
    }

    @Test(arguments: [DriveError.Kind.permissionDenied, .refused])
    func oneFileThatIsRefusedIsNamed(_ kind: DriveError.Kind) async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["Letter.txt": "dear\n", "Old": "o"])
        try writeRandom(a, "Virus", 200, marked: true)
        for number in 0..<5 { try writeRandom(a, "Good \(number)", 300) }
        try a.remove("Old")
        for _ in 0..<2 { #expect(try await a.sync(marked(kind)).problems == 1) }
        #expect(try a.why("Virus").cause == .refusedByStore)
        try await b.sync()
        #expect(try Set(b.names) == ["Letter.txt", "Good 0", "Good 1", "Good 2", "Good 3", "Good 4"])
        try a.remove("Virus")
        #expect(try await a.sync(marked(kind)).problems == 0)
        // Nothing that was put to find out stays.
        #expect(try await StoreLook(DriveReader(a.folder)).run().damage.isEmpty)
    }

    @Test func oneFileOfThoseThatWereRecordedTogetherIsNamed() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try writeRandom(a, "Virus", 200, marked: true)
        for number in 0..<5 { try writeRandom(a, "Good \(number)", 300) }
        try await recordAway(a)
        #expect(try await a.sync(marked(.permissionDenied)).problems == 1)
        #expect(try a.why("Virus").cause == .refusedByStore && a.why("Good 0").cause == .inStep)
        try await b.sync()
        #expect(try b.names.count == 6)
        #expect(try await a.sync().problems == 0)
        try await b.sync()
        #expect(FileManager.default.contentsEqual(atPath: a.path("Virus"), andPath: b.path("Virus")))
    }

    @Test(arguments: [DriveError.Kind.permissionDenied, .refused])
    func aStoreThatTakesNothingIsToldAsThat(_ kind: DriveError.Kind) async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        try a.write("New", "1")
        for _ in 0..<2 {
            let error = await #expect(throws: DriveError.self) { try await a.sync(refusing { _ in kind }) }
            #expect(error?.kind == kind)
        }
        try await a.sync()
        #expect(try a.why("New").cause == .inStep)
    }

    /// Nothing tells when the store takes it: that is no reason to look again at once.
    @Test func whatIsRefusedIsNotSentWithEachLook() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        try writeRandom(a, "Virus", 200, marked: true)
        let tries = Mutex(0)
        let counting = refusing { bytes in
            tries.withLock { $0 += 1 }
            return bytes.firstRange(of: Self.marker) == nil ? nil : .refused
        }
        let drive = try a.drive(counting)
        var counts: [Int] = []
        for _ in 0..<3 {
            let (isUnsettled, isIncomplete) = try await drive.engine.use { engine in
                let outcome = try await engine.scan()
                return (outcome.isUnsettled, outcome.isIncomplete)
            }
            #expect(!isUnsettled && isIncomplete)
            counts.append(tries.withLock { $0 })
        }
        #expect(counts[0] > 0 && Set(counts).count == 1)
        #expect(try a.why("Virus").cause == .refusedByStore)
        try writeRandom(a, "Virus", 300)
        _ = try await drive.engine.use { try await $0.scan().records }
        #expect(tries.withLock { $0 } == counts[0] + 1)
    }

    @Test func whatTakesTheNameOfWhatIsRefusedKeepsIt() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["Draft": "old", "Next": "new", "Folder": "f"])
        try writeRandom(a, "Draft", 200, marked: true)
        try writeRandom(a, "Folder", 300, marked: true)
        #expect(try await a.sync(marked(.refused)).problems == 2)
        try a.move("Draft", to: "Draft.bak")
        try a.move("Next", to: "Draft")
        try a.move("Folder", to: "File")
        try a.write("Folder/in", "in")
        for _ in 0..<2 { #expect(try await a.sync(marked(.refused)).problems == 2) }
        let names: Set<String> = ["Draft", "Draft.bak", "File", "Folder"]
        #expect(try Set(a.names) == names && a.text("Draft") == "new")
        try await b.sync()
        #expect(try Set(b.names) == names && b.text("Draft") == "new" && b.text("Draft.bak") == "old")
        try await a.sync()
        try await b.sync()
        #expect(FileManager.default.contentsEqual(atPath: a.path("Draft.bak"), andPath: b.path("Draft.bak")))
        #expect(FileManager.default.contentsEqual(atPath: a.path("File"), andPath: b.path("File")))
    }

    /// To find out which of many files a store means costs little more than the files.
    @Test func manyThatAreRefusedAreFoundWithFewTries() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        for number in 0..<60 { try writeRandom(a, "File \(number)", 300, marked: number % 3 == 0) }
        let tries = Mutex(0)
        let counting = refusing { bytes in
            tries.withLock { $0 += 1 }
            return bytes.firstRange(of: Self.marker) == nil ? nil : .refused
        }
        #expect(try await a.sync(counting).problems == 20)
        #expect(tries.withLock { $0 } < 300)
        try await b.sync()
        #expect(try b.names.count == 41)
    }

    /// It was open a moment ago: nobody sends it all again and again to find out which file it means.
    @Test func aStoreThatClosesInTheMiddleIsClosed() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        for number in 0..<40 { try writeRandom(a, "File \(number)", 300_000) }
        let tries = Mutex(0)
        let closing = refusing { _ in
            tries.withLock {
                $0 += 1; return $0 > 3 ? .permissionDenied : nil
            }
        }
        let error = await #expect(throws: DriveError.self) { try await a.sync(closing) }
        #expect(error?.kind == .permissionDenied && tries.withLock { $0 } < 20)
        #expect(try await a.sync().isComplete)
    }

    @Test func whatFindsNoRoomHasNothingWaitThatFindsSome() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try writeRandom(a, "Photo", 5_000_000)
        try a.write("Small", "1")
        try await recordAway(a)
        let full = refusing { $0.count > 500_000 ? .noSpace : nil }
        let error = await #expect(throws: DriveError.self) { try await a.sync(full) }
        #expect(error?.kind == .noSpace)
        try await b.sync()
        #expect(try Set(b.names) == ["Letter.txt", "Small"])
        let before = world.objects.count { $0.contains("/blob/") }
        try a.remove("Photo")
        #expect(try await a.sync(full).problems == 0)
        // The room that there is now is not for what is gone.
        try await a.sync()
        #expect(world.objects.count { $0.contains("/blob/") } == before)
    }

    /// The others are told of its delete by what it held before. With room for it, it is sent, also where nothing else is.
    @Test(arguments: [DriveError.Kind.refused, .noSpace], [false, true])
    func whatADeletedFileHeldLastStaysAVersionHere(_ kind: DriveError.Kind, hasNews: Bool) async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["v": "old"])
        try writeRandom(a, "v", 3_000, marked: true)
        let last = try Data(contentsOf: URL(fileURLWithPath: a.path("v")))
        try await recordAway(a)
        try a.remove("v")
        try await recordAway(a)
        try a.write("v", "small")
        for _ in 0..<2 { _ = try? await a.sync(marked(kind)) }
        try await b.sync()
        #expect(try b.text("v") == "small")
        #expect(try await a.sync(marked(kind)).isComplete)
        let versions = try DriveReader(a.folder).versions(of: "v")
        #expect(versions.map(\.size) == [5, 3_010, 3])
        #expect(versions.map(\.kind) == [.current, .deleted, .past])
        #expect(versions.map(\.place) == [.folder, .unsent, .store])
        // A store that takes it no more is asked once, however many passes there are, and keeps nobody from being in step.
        let tries = Mutex(0)
        let counting = refusing { bytes in
            if bytes.firstRange(of: Self.marker) == nil { return nil }
            tries.withLock { $0 += 1 }
            return kind
        }
        do {
            let drive = try a.drive(counting)
            for _ in 0..<3 { _ = try await drive.engine.use { try await $0.step().records } }
        }
        #expect(tries.withLock { $0 } == 1)
        // A version as any then.
        if hasNews { try a.write("Later", "2") }
        try await a.sync()
        #expect(try DriveReader(a.folder).versions(of: "v").map(\.place) == [.folder, .store, .store])
        #expect(kept(a) == 0)

        let content = RestoredContent(path: Array("v".utf8), content: versions[1].persistentIdentifier)
        _ = try await a.drive().perform(.restore([content]))
        #expect(try Data(contentsOf: URL(fileURLWithPath: a.path("v"))) == last)
        try await a.sync()
        try await b.sync()
        #expect(FileManager.default.contentsEqual(atPath: a.path("v"), andPath: b.path("v")))
        #expect(try await StoreLook(DriveReader(b.folder)).run().damage.isEmpty)
    }
}

/// Refuses what somebody does not like.
struct ChoosyStore: ObjectStore {
    let base: any ObjectStore
    let refusal: @Sendable ([UInt8]) -> DriveError.Kind?
    var capabilities: StoreCapabilities { base.capabilities }

    func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        try await base.get(key, range: range)
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
        if let kind = refusal(bytes) { throw DriveError(kind, "no, said the server", path: key) }
        try await base.put(key, bytes)
    }

    func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        try await base.list(prefix: prefix, after: after, limit: limit)
    }

    func delete(_ key: ObjectKey) async throws(DriveError) { try await base.delete(key) }
}
