import DriveCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DocumentDrive
@testable import FileCoordination

/// A drive that a program watches with the library: how it begins, what it asks, and how it ends.
@Suite struct WatchedDriveTests {
    /// Ends once the drive is watched and has been looked at for the first time.
    private func started(_ watched: WatchedDrive) async throws -> Task<Void, any Error> {
        let (ready, bell) = AsyncStream<Void>.makeStream()
        let run = Task {
            defer { bell.finish() }
            try await watched.run { bell.yield() }
        }
        for await _ in ready { break }
        let client = try #require(try DriveClient(watched.drive.folder))
        _ = try await client.sync()
        return run
    }

    @Test(.timeLimit(.minutes(20))) func aWatchThatHasEndedLetsTheDriveGo() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        weak var drive: Drive?
        do {
            let watched = try WatchedDrive(device.folder, announce: { _ in })
            drive = watched.drive
            let run = try await started(watched)
            try await DriveClient(device.folder)?.stop()
            try await run.value
        }
        // Tasks that have ended let go of what they had a moment later.
        try await until { drive == nil }
        // It is no more for a weak reference before it has let go of its lock, which a process that another test has just
        // forked may hold for a moment as well.
        try await until { (try? device.drive()) != nil }
    }

    /// Its disk can be unmounted though somebody keeps the value.
    @Test(.timeLimit(.minutes(20))) func aWatchThatIsClosedHasNothingOpen() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        let watched = try WatchedDrive(device.folder, announce: { _ in })
        let run = try await started(watched)
        func open() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
                .filter { $0.hasPrefix(device.folder.description) && $0.contains("sqlite") }
        }
        try await until { try open().contains { $0.contains("search.sqlite") } }
        await watched.close()
        try await until { try open().isEmpty }
        try await run.value
        withExtendedLifetime(watched) {}
    }

    @Test func aWatchThatIsCancelledThrows() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        let run = try await started(WatchedDrive(device.folder, announce: { _ in }))
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }

    /// Whoever signs out means those, too, who work with the store already.
    @Test(.timeLimit(.minutes(20))) func aWatchForgetsHowToSignInWithWhoSignsOut() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha")
        try await device.sync()
        var settings = try DriveSettings.load(from: device.folder)
        // Nobody answers there.
        settings.store = try StoreAddress(Array("webdav://ada@127.0.0.1:9/x".utf8))
        try settings.save(to: device.folder)
        try CredentialFile.save(StoreCredentials(user: "ada", secret: Secret("secret")), in: device.folder)
        let watched = try WatchedDrive(device.folder, announce: { _ in })
        let (ready, bell) = AsyncStream<Void>.makeStream()
        // It watches while the test signs out; cancelled below.
        let run = Task {
            defer { bell.finish() }
            try await watched.run { bell.yield() }
        }
        for await _ in ready { break }
        #expect(watched.drive.access?.credentials?.user == "ada")
        #expect(try await StoreLogin(drive: device.folder).forget())
        #expect(watched.drive.access?.credentials == nil)
        try await DriveClient(device.folder)?.stop()
        _ = await run.result
    }

    /// Another device may put it back, and only whoever asks for a sync is told that it is damage.
    @Test(.timeLimit(.minutes(20))) func aWatchWaitsForWhatSaysWhichStoreItIs() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        let watched = try WatchedDrive(a.folder, announce: { _ in })
        let run = try await started(watched)
        let format = try #require(world.objects.first { $0.hasSuffix("/format") })
        let (place, aside) = ("\(world.root)/store/\(format)", "\(world.root)/format")
        try FileManager.default.moveItem(atPath: place, toPath: aside)
        let client = try #require(try DriveClient(a.folder))
        let error = await #expect(throws: DriveError.self) { try await client.sync() }
        #expect(error?.kind == .corrupt)
        try await until { watched.board.status.trouble == .corrupt }
        try a.write("New", "1")
        try FileManager.default.moveItem(atPath: aside, toPath: place)
        _ = try await client.sync()
        #expect(watched.board.status.trouble == nil)
        try await b.sync()
        #expect(try b.text("New") == "1")
        try await client.stop()
        try await run.value
    }

    @Test func aSecondRunIsRefusedAndTheFirstGoesOn() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        let watched = try WatchedDrive(device.folder, announce: { _ in })
        let run = try await started(watched)
        await #expect(throws: DriveError.self) { try await watched.run() }
        try device.write("Letter.txt", "dear\n")
        // The letter and .driveignore. A process that another test has just forked may have the letter open for a moment.
        try await until { try await DriveClient(device.folder)?.sync().items == 2 }
        try await DriveClient(device.folder)?.stop()
        try await run.value
        // Nor is it of use when the first has ended.
        await #expect(throws: DriveError.self) { try await watched.run() }
    }

    /// As one that was asked for by the socket.
    @Test(.timeLimit(.minutes(20))) func anActByTheDriveItselfIsFollowedByAPass() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        let watched = try WatchedDrive(a.folder, announce: { _ in })
        let run = try await started(watched)
        _ = try await watched.drive.perform(.pause(forMilliseconds: nil))
        try a.write("New", "1")
        try await DriveClient(a.folder)?.barrier()
        _ = try await watched.drive.perform(.resume)
        // A content is at the store before the head that tells of it.
        try await until {
            try await b.sync()
            return FileManager.default.fileExists(atPath: b.path("New"))
        }
        run.cancel()
        _ = try? await run.value
    }

    /// A device with a conflict that it knows of once it has been at the store, and nobody has been asked about it.
    private func conflict(in world: WhyWorld) async throws -> WhyDevice {
        let (a, b) = try await world.pair()
        try a.write("Letter.txt", "dear Ada\n")
        try await a.sync()
        try b.write("Letter.txt", "dear Ben\n")
        return b
    }

    private func pass(_ drive: Drive) -> DrivePass {
        DrivePass(drive: drive, announcements: Announcements { _ in }, documents: DocumentFeed(drive, StatusBoard()))
    }

    @Test func aPassThatWasAskedForAsksTheHandler() async throws {
        let world = try WhyWorld()
        let device = try await conflict(in: world)
        let drive = try Drive.open(device.folder, conflictHandler: { _ in .merged(Array("dear both\n".utf8)) })
        let pass = pass(drive)
        let summary = try await drive.engine.use { try await pass.sync($0) }
        #expect(summary.conflicts == 0)
        #expect(try String(contentsOfFile: device.path("Letter.txt"), encoding: .utf8) == "dear both\n")
    }

    @Test func aHandlerThatThrewIsAskedAgainAfterAPassWithNothingToDo() async throws {
        struct Busy: Error {}
        let world = try WhyWorld()
        let device = try await conflict(in: world)
        let asked = Mutex(0)
        let drive = try Drive.open(device.folder) { _ in
        } conflictHandler: { _ in
            if asked.withLock({
                $0 += 1; return $0 == 1
            }) {
                throw Busy()
            }
            return .both
        }
        let pass = pass(drive)
        _ = try await drive.engine.use { try await pass.sync($0) }
        var work = WatchSchedule.Work()
        work.fetches = true
        for _ in 0..<2 {
            let (now, pass) = (work, pass)
            _ = try await drive.engine.use { try await pass.run(now, $0) { nil } }
        }
        #expect(asked.withLock { $0 } == 2, "and once it has answered, not again")
    }
}
