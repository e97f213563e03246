import DriveCore
import Foundation
import TestSupport
import Testing

@testable import DocumentDrive

/// What whoever awaits a barrier may believe afterwards, where nothing watches the drive; and who is in whose way.
struct BarrierTests {
    private func query(_ device: WhyDevice) async throws -> MetadataQuery {
        let query = try MetadataQuery(device.folder, MetadataPredicate(format: "kMDItemFSName == 'Letter.txt'"))
        await query.start()
        return query
    }

    private func isBlank(_ device: WhyDevice) throws -> Bool { try DriveReader(device.folder).index.isBlank }

    // Before the first sync.

    @Test func beforeTheFirstSyncItIsAWholePass() async throws {
        let world = try WhyWorld()
        let (a, b) = (try await world.device("alpha"), try await world.device("beta"))
        for device in [a, b] { try device.write("Letter.txt", "dear\n") }
        try await a.sync()
        let query = try await query(b)
        try await query.barrier()
        #expect(await query.resultCount == 1)
        await query.stop()
        // The store was read first: what both have is one file.
        try await a.sync()
        #expect(try a.names == ["Letter.txt"] && b.names == ["Letter.txt"])
        #expect(try DriveReader(a.folder).versions(of: "Letter.txt").count == 1)
    }

    @Test func documentsAreReadBeforeTheFirstSync() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha")
        try device.write("Letter.txt", "a note on the budget\n")
        let drive = try device.drive()
        _ = try await drive.readDocuments()
        #expect(try DriveReader(device.folder).items().contains { $0.path == "Letter.txt" })
        await drive.close()
    }

    @Test func beforeTheFirstSyncItSaysWhatKeepsItFromLooking() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha")
        try device.write("Letter.txt", "dear\n")
        let store = URL(fileURLWithPath: "\(world.root)/store")
        let aside = URL(fileURLWithPath: "\(world.root)/aside")
        try FileManager.default.moveItem(at: store, to: aside)
        let query = try await query(device)
        let error = await #expect(throws: DriveError.self) { try await query.barrier() }
        #expect(error?.kind == .unreachable)
        #expect(try isBlank(device))
        try FileManager.default.moveItem(at: aside, to: store)

        let drive = try device.drive()
        _ = try await drive.perform(.pause(forMilliseconds: nil))
        let pause = await #expect(throws: DriveError.self) { try await query.barrier() }
        #expect(pause?.kind == .temporary && pause?.message.contains("paused") == true)
        await #expect(throws: DriveError.self) { try await drive.readDocuments() }
        #expect(try isBlank(device))
        _ = try await drive.perform(.resume)
        try await query.barrier()
        #expect(await query.resultCount == 1)
        await query.stop()
        await drive.close()
    }

    /// Nor does whoever watches say that it has looked.
    @Test(.timeLimit(.minutes(20))) func aWatchThatMayNotAskTheStoreSaysSo() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha")
        let drive = try device.drive()
        _ = try await drive.perform(.pause(forMilliseconds: nil))
        await drive.close()
        let watched = try WatchedDrive(device.folder, announce: { _ in })
        let (ready, bell) = AsyncStream<Void>.makeStream()
        let run = Task { try await watched.run { bell.yield() } }
        for await _ in ready { break }
        let error = await #expect(throws: DriveError.self) { try await DriveClient.barrier(device.folder) }
        #expect(error?.kind == .temporary)
        _ = try await watched.drive.perform(.resume)
        try await DriveClient.barrier(device.folder)
        _ = try await watched.drive.perform(.pause(forMilliseconds: nil))
        // An empty drive that was synced is known to be empty.
        try await DriveClient.barrier(device.folder)
        await watched.close()
        try await run.value
    }

    // With whoever opens and closes the drive meanwhile.

    @Test(.timeLimit(.minutes(20))) func whoOpensTheDriveDuringALookWaitsForItsEnd() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        try device.write("Letter.txt", "dear\n")
        let look = try OpenDrives.beginLook(device.folder)
        // Who has it and lets it go is nobody.
        _ = try device.drive()
        let drive = try device.drive()
        #expect(throws: DriveError.self) { try device.drive() }
        #expect(OpenDrives.drive(at: device.folder) === drive)
        let sync = Task { try await drive.sync() }
        let late = Task { try await drive.sync() }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
        OpenDrives.end(look)
        #expect(try await sync.value.items == 2)
        // The lock is its own.
        #expect(throws: DriveError.self) { try OpenDrives.beginLook(device.folder) }
        await drive.close()
        OpenDrives.end(try OpenDrives.beginLook(device.folder))
        let again = try device.drive()
        await again.close()
    }

    @Test(.timeLimit(.minutes(20))) func aDriveThatIsClosedUnderABarrierIsNotItsBusiness() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        try device.write("Letter.txt", "dear\n")
        let drive = try device.drive()
        // As between the moment in which it was found and its turn.
        await drive.engine.close()
        try await DriveClient.barrier(device.folder)
        #expect(try DriveReader(device.folder).items().contains { $0.path == "Letter.txt" })
        withExtendedLifetime(drive) {}
    }

    @Test(.timeLimit(.minutes(20))) func barriersAndWhoOpensTheDriveAreNotInOneAnothersWay() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        try await device.sync()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<3 {
                group.addTask {
                    var passed = 0
                    for _ in 0..<30 where try await Self.passesBarrier(device.folder) { passed += 1 }
                    #expect(passed > 0, "none of the barriers of task \(number) had its turn")
                }
            }
            for _ in 0..<60 {
                let drive = try device.drive()
                await Task.yield()
                await drive.close()
            }
            try await group.waitForAll()
        }
    }

    /// Whether a barrier had its turn: on a machine that does other work it may have none within the half minute that it waits.
    private static func passesBarrier(_ folder: FolderPath) async throws -> Bool {
        let began = ContinuousClock.now
        do {
            try await DriveClient.barrier(folder)
            return true
        } catch let error as DriveError where error.kind == .temporary && .now >= began + .seconds(30) {
            return false
        }
    }
}
