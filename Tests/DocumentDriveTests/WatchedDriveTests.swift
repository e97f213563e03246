import DriveCore
import FileCoordination
import Foundation
import Synchronization
import Testing

@testable import DocumentDrive

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

    @Test(.timeLimit(.minutes(1))) func aWatchThatHasEndedLetsTheDriveGo() async throws {
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
        while drive != nil { try await Task.sleep(for: .milliseconds(5)) }
        _ = try device.drive()
    }
}
