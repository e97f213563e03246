import DriveCore
import Foundation
import TestSupport
import Testing

@testable import DocumentDrive

/// What whoever awaits a barrier may believe afterwards, where nothing watches the drive; and who is in whose way.
struct BarrierTests {
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
            for _ in 0..<3 {
                group.addTask { for _ in 0..<30 { try await DriveClient.barrier(device.folder) } }
            }
            for _ in 0..<60 {
                let drive = try device.drive()
                await Task.yield()
                await drive.close()
            }
            try await group.waitForAll()
        }
    }
}
