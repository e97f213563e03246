import DriveCore
import FileCoordination
import Foundation
import Glibc
import Testing

@testable import DocumentDrive

/// What is to be said where the store, or the drive as a whole, is in the way.
struct WhyStoreTests {
    private static let faults: [(DriveError.Kind, Cause, Bool)] = [
        (.unreachable, .storeUnreachable, true), (.temporary, .storeBusy, true), (.noSpace, .storeFull, false),
        (.permissionDenied, .storeDenied, false), (.tooLarge, .tooLargeForStore, false),
        (.needsDecision, .stopped, false),
        (.newerFormat, .storeNewer, false), (.corrupt, .storeDamaged, false),
    ]

    @Test(arguments: faults)
    func whatTheStoreRefusesIsSaidOfEveryItemThatWaits(_ kind: DriveError.Kind, _ cause: Cause, _ mayPass: Bool)
        async throws
    {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        try a.write("New", "1")
        for _ in 0..<2 {
            await #expect(throws: DriveError.self) { try await a.sync(.failing(kind, "no, said the store")) }
        }
        let why = try a.why("New")
        #expect(why.cause == cause && why.mayPass == mayPass && why.since != nil)
        #expect(why.waitsFor == "no, said the store: dd1/pack")
        #expect(try a.why(.root).cause == cause)
        #expect(try a.why("Letter.txt").cause == .inStep)
        let trouble = try #require(try await a.drive().engine.use { try StandingMemory($0.parts.state).trouble() })
        #expect(trouble.attempts == 2 && trouble.last >= trouble.since && !trouble.isHere)
        try await a.sync()
        #expect(try a.why("New").cause == .inStep && a.why(.root).cause == .inStep)
    }

    /// Its parts alone are refused: the other files go on, and nothing is said of the file itself.
    @Test func aFileOfWhichTheServerTakesNoPartIsSaid() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        var changes = WiringChanges()
        changes.store = { LimitedStore(base: $0, limit: 1 << 20) }
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<5 << 20).map { _ in UInt8.random(in: 0...255, using: &random) }
        try Data(bytes).write(to: URL(fileURLWithPath: a.path("Large")))
        try a.write("Small", "1")
        for _ in 0..<2 { #expect(try await a.sync(changes).problems == 1) }
        let why = try a.why("Large")
        #expect(why.cause == .tooLargeForStore && why.remedy == nil, "\(why)")
        #expect(why.waitsFor?.contains("client_max_body_size of nginx, LimitRequestBody of Apache") == true, "\(why)")
        #expect(try a.why("Small").cause == .inStep)
        try await b.sync()
        #expect(FileManager.default.fileExists(atPath: b.path("Small")))
        try await a.sync()
        #expect(try a.why("Large").cause == .inStep)
    }

    /// No server has anything to do with it.
    @Test func aFileThatNoRecordCanNameIsSaid() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try a.write("Huge", "")
        try #require(truncate(a.path("Huge"), 5 << 40) == 0)
        try a.write("Small", "1")
        for _ in 0..<2 { #expect(try await a.sync().problems == 1) }
        let why = try a.why("Huge")
        #expect(why.cause == .tooLarge && why.waitsFor == nil, "\(why)")
        #expect(why.remedy == #"printf '\n%s\n' /Huge >> .driveignore"#, "\(why)")
        try await b.sync()
        #expect(try Set(b.names) == ["Letter.txt", "Small"])
    }

    /// Small files go together: where the server does not take so much, they go in smaller parts, and only what is too large by
    /// itself waits.
    @Test func smallFilesThatTheServerRefusesTogetherGoInParts() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        var changes = WiringChanges()
        changes.store = { LimitedStore(base: $0, limit: 100_000) }
        var random = SystemRandomNumberGenerator()
        let small = (0..<60).map { "Folder/Small \($0)" }
        for name in small + ["Folder/Small 30 and larger"] {
            let size = small.contains(name) ? 30_000 : 200_000
            let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
            try a.write(name, "")
            try Data(bytes).write(to: URL(fileURLWithPath: a.path(name)))
        }
        for _ in 0..<2 { #expect(try await a.sync(changes).problems == 1) }
        #expect(try a.why("Folder/Small 30 and larger").cause == .tooLargeForStore)
        #expect(try small.allSatisfy { try a.why(DrivePath(bytes: Array($0.utf8))).cause == .inStep })
        try await b.sync()
        for name in small {
            #expect(FileManager.default.contentsEqual(atPath: a.path(name), andPath: b.path(name)))
        }
        try await a.sync()
        #expect(try a.why("Folder/Small 30 and larger").cause == .inStep)
    }

    /// A single chunk that nothing follows is refused when its pack is put, and is its file's all the same.
    @Test func aSmallFileThatTheServerDoesNotTakeIsSaid() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        var changes = WiringChanges()
        changes.store = { LimitedStore(base: $0, limit: 100_000) }
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        try Data(bytes).write(to: URL(fileURLWithPath: a.path("Small")))
        #expect(try await a.sync(changes).problems == 1)
        #expect(try a.why("Small").cause == .tooLargeForStore)
        try a.write("Other", "1")
        #expect(try await a.sync(changes).problems == 1)
        try await b.sync()
        #expect(try b.why("Other").cause == .brought)
    }

    /// What waits here while nothing may be sent cannot be cut later.
    @Test func whatIsKeptIsSmallEnoughForMostServers() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        _ = try await a.drive().perform(.pause(forMilliseconds: nil))
        var random = SystemRandomNumberGenerator()
        for number in 0..<30 {
            let bytes = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
            try Data(bytes).write(to: URL(fileURLWithPath: a.path("Small \(number)")))
        }
        try await a.drive().look()
        var changes = WiringChanges()
        changes.store = { LimitedStore(base: $0, limit: 1 << 20) }
        #expect(try await a.sync(changes).problems == 0)
        try await b.sync()
        #expect(try b.why("Small 29").cause == .brought)
    }

    /// Not of the file that was being read when the store broke.
    @Test(arguments: [DriveError.Kind.permissionDenied, .notFound, .inputOutput, .corrupt])
    func whatTheStoreDoesIsNotSaidOfTheFileThatIsRead(_ kind: DriveError.Kind) async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        try Data(count: 3 << 20).write(to: URL(fileURLWithPath: a.path("Large")))
        let error = await #expect(throws: DriveError.self) { try await a.sync(.failing(kind, "no, said the store")) }
        #expect(error?.kind == kind && error?.message == "no, said the store")
        #expect(try a.why("Large").waitsFor == "no, said the store: dd1/pack")
    }

    @Test func aStoreThatIsNotThereIsSaid() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        try a.write("New", "1")
        try FileManager.default.moveItem(atPath: "\(world.root)/store", toPath: "\(world.root)/away")
        await #expect(throws: DriveError.self) { try await a.sync() }
        var running = RunningStatus()
        running.nextTry = 4_711
        let why = try a.why("New", running: running)
        #expect(why.cause == .storeUnreachable && why.nextTry == 4_711)
        try FileManager.default.moveItem(atPath: "\(world.root)/away", toPath: "\(world.root)/store")
        try await a.sync()
        #expect(try a.why("New").cause == .inStep)
    }

    /// A call is made three times, each for a minute, before the pass ends.
    @Test func aStoreThatDoesNotAnswerIsSaidWhileThePassGoesOn() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        try a.write("New", "1")
        var running = RunningStatus()
        running.storeWait = Trouble(DriveError(.unreachable, "no answer"), isHere: false, now: 17)
        let why = try a.why("New", running: running)
        #expect(why.cause == .storeUnreachable && why.since == 17 && why.waitsFor == "no answer")
    }

    @Test func aDamagedStoreIsSaid() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        try a.write("New", "1")
        for name in world.objects where name.hasSuffix("/format") {
            try FileManager.default.removeItem(atPath: "\(world.root)/store/\(name)")
        }
        await #expect(throws: DriveError.self) { try await a.sync() }
        #expect(try a.why("New").cause == .storeDamaged)
    }

    @Test func aPauseIsSaidAndASyncByHandWorks() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        _ = try await a.drive().perform(.pause(forMilliseconds: nil))
        try a.write("New", "1")
        let why = try a.why("New")
        #expect(why.cause == .paused && why.nextTry == nil && !why.mayPass && why.remedy == "docdrive resume")
        let before = Set(world.objects)
        try await a.drive().look()
        #expect(Set(world.objects) == before)
        #expect(try DriveReader(a.folder).items().map(\.path).contains("New"))
        #expect(try DriveReader(a.folder).waiting(for: []).map(\.cause) == [.paused])
        try await a.sync()
        #expect(try DriveReader(a.folder).pause() != nil)
        try await b.sync()
        #expect(try b.why("New").cause == .brought)
        _ = try await a.drive().perform(.resume)
        #expect(try a.why("New").cause == .inStep && DriveReader(a.folder).pause() == nil)
    }

    @Test func aDeleteThatWaitsForTheStoreIsNotForgotten() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["Folder/Letter": "1", "Note": "2"])
        _ = try await a.drive().perform(.pause(forMilliseconds: nil))
        try a.remove("Folder")
        try a.remove("Note")
        try await a.drive().look()
        #expect(try a.why("Note").cause == .paused && a.why("Folder").cause == .paused)
        #expect(Set(try DriveReader(a.folder).waiting(for: []).map(\.path)) == ["Note", "Folder"])
        try await a.sync()
        #expect(try a.why("Note").cause == .deletedHere && DriveReader(a.folder).waiting(for: []).isEmpty)
        try await b.sync()
        #expect(try b.why("Folder/Letter").cause == .deletedElsewhere)
    }

    @Test func aPauseWithAnEndIsOverByItself() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        _ = try await a.drive().perform(.pause(forMilliseconds: 3_600_000))
        try a.write("New", "1")
        let why = try a.why("New")
        #expect(why.cause == .paused && why.nextTry == (why.since ?? 0) + 3_600_000 && why.mayPass)
        _ = try await a.drive().perform(.pause(forMilliseconds: 0))
        #expect(try a.why("New").cause == .newHere)
    }

    @Test(.enabled(if: SmallDisk.mayMount, "a tmpfs cannot be mounted here"))
    func aDiskThatIsNearlyFullTakesNoMore() async throws {
        let world = try WhyWorld()
        let disk = try SmallDisk(at: "\(world.root)/small", size: "8m")
        defer { disk.unmount() }
        let (small, b) = (try await world.device("small/alpha"), try await world.device("beta"))
        try await small.sync()
        try b.write("Large", String(repeating: "x", count: 1 << 20))
        try await b.sync()
        let filler = FileManager.default.createFile(
            atPath: "\(world.root)/small/filler", contents: Data(count: 6 << 20))
        #expect(filler)
        try await small.sync()
        let why = try small.why("Large")
        #expect(why.cause == .diskFull && why.standing == .error && why.since != nil)
        let space = await Doctor(small.folder).run().filter { $0.check == "space" }
        #expect(space.count == 1, "\(space)")
        #expect(space.allSatisfy { $0.level > .ok && $0.advice?.hasPrefix("make room") == true }, "\(space)")
        try FileManager.default.removeItem(atPath: "\(world.root)/small/filler")
        try await small.sync()
        #expect(try small.why("Large").cause == .brought)
    }
}
