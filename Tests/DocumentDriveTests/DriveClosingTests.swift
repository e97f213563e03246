import DriveCore
import FileCoordination
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DocumentDrive

/// How a program lets a drive go, and what becomes of those who use it.
struct DriveClosingTests {
    private final class Flag: Sendable {
        private let state = Mutex(false)
        var isSet: Bool { state.withLock { $0 } }
        func set() { state.withLock { $0 = true } }
    }

    @Test func whatCanBeNoDriveIsRefusedAsThat() async throws {
        let device = try await WhyWorld().device("alpha", hasStore: false)
        try device.write("Letter.txt", "dear\n")
        for (name, reason) in [
            ("Nothing", "there is no such folder"), ("Letter.txt/x", "there is no such folder"),
            ("Letter.txt", "this is no folder"),
        ] {
            let place = FolderPath(device.path(name))
            let error = #expect(throws: DriveError.self) { try Drive.open(place) }
            #expect(error?.kind == .usage && error?.path == place.description)
            #expect(error?.message.hasPrefix(reason) == true)
        }
    }

    @Test func aClosedDriveIsFreeForOthersAndSaysSo() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha")
        try device.write("Letter.txt", "dear\n")
        let drive = try device.drive()
        _ = try await drive.sync()
        #expect(throws: DriveError.self) { try device.drive() }
        await drive.close()
        await drive.close()
        let error = await #expect(throws: DriveError.self) { try await drive.sync() }
        #expect(error?.kind == .usage && error?.path == device.folder.description)
        #expect(error?.message == "this drive has been closed; open it again")
        let answer = await #expect(throws: DriveError.self) { try await drive.checkStore() }
        #expect(answer?.kind == .usage)
        // While the value is still there.
        let again = try device.drive()
        #expect(try await again.sync().items == 2)
        // Nor does a barrier take it for open.
        await again.close()
        try await DriveClient.barrier(device.folder)
        withExtendedLifetime(drive) {}
    }

    @Test(.timeLimit(.minutes(20))) func closingWaitsForWhatRunsAndRefusesWhoWaits() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        let drive = try device.drive()
        let (entered, bell) = AsyncStream<Void>.makeStream()
        let (go, starter) = AsyncStream<Void>.makeStream()
        let isOver = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await drive.engine.use { _ in
                    bell.yield()
                    for await _ in go { break }
                }
            }
            for await _ in entered { break }
            group.addTask { await #expect(throws: DriveError.self) { try await drive.engine.use { _ in } } }
            group.addTask {
                await drive.close()
                isOver.set()
                _ = try device.drive()
            }
            // Whoever waited is refused, and whoever comes now; what runs goes on.
            try await group.next()
            await #expect(throws: DriveError.self) { try await drive.engine.use { _ in } }
            #expect(!isOver.isSet)
            starter.yield()
            try await group.waitForAll()
        }
        #expect(isOver.isSet)
    }

    @Test func anEngineThatIsKeptKeepsOthersAway() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        let engine = try device.drive().engine
        #expect(throws: DriveError.self) { try device.drive() }
        await engine.close()
        _ = try device.drive()
    }

    /// Also while the engine's thread is at work and waits for nothing.
    @Test(.timeLimit(.minutes(20))) func whoWaitsForABusyDriveAndIsCancelledThrowsAtOnce() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        let drive = try device.drive()
        let isDone = Flag()
        let (entered, bell) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await drive.engine.use { _ in
                    bell.yield()
                    while !isDone.isSet { usleep(1000) }
                }
            }
            for await _ in entered { break }
            let waiting = Task { try await drive.sync() }
            let late = Task { try await drive.sync() }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            #expect(!isDone.isSet)
            isDone.set()
            _ = try await late.value
            try await group.waitForAll()
        }
    }

    @Test(.timeLimit(.minutes(20))) func closingAWatchedDriveEndsTheWatch() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        let watched = try WatchedDrive(device.folder, announce: { _ in })
        let (ready, bell) = AsyncStream<Void>.makeStream()
        let run = Task { try await watched.run { bell.yield() } }
        for await _ in ready { break }
        await watched.close()
        #expect(try DriveClient(device.folder) == nil)
        _ = try device.drive()
        try await run.value
        await watched.close()
    }
}
