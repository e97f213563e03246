import DriveCore
import Glibc
import Testing

@testable import DocumentDrive
@testable import FileCoordination

@Suite struct WatchTroubleTests {
    /// Whether one pass of a watch ends the trouble of a drive whose last one was ended by a full disk.
    private func passEndsTrouble(_ device: WhyDevice, fetches: Bool) async throws -> Bool {
        let drive = try device.drive()
        let pass = DrivePass(
            drive: drive, announcements: Announcements { _ in }, documents: DocumentFeed(drive, StatusBoard()))
        let path = device.path("Letter.txt")
        try await drive.engine.use { $0.note(DriveError(.noSpace, "there is no space left", path: path)) }
        #expect(try await trouble(of: drive) != nil)
        var changed = WatchSchedule.Work()
        (changed.scansEverything, changed.fetches) = (true, fetches)
        let work = changed
        _ = try await drive.engine.use { try await pass.run(work, $0) { nil } }
        return try await trouble(of: drive) == nil
    }

    private func trouble(of drive: Drive) async throws -> Trouble? {
        try await drive.engine.use { try StandingMemory($0.parts.state).trouble() }
    }

    @Test func aLookEndsTheTroubleOfADriveWithoutAStore() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        try device.write("Letter.txt", "dear\n")
        try await device.sync()
        #expect(try await passEndsTrouble(device, fetches: false))
    }

    /// As after the folder of a drive that was watched was renamed.
    @Test func whatWasTheMatterInThePlaceBeforeIsNotToldOfTheNewOne() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha")
        try await device.sync()
        let drive = try device.drive()
        let error = DriveError(.identityChanged, "the drive's folder is not there", path: device.folder.description)
        try await drive.engine.use { $0.note(error) }
        await drive.close()
        #expect(try DriveReader(device.folder).waiting().map(\.cause) == [.stopped])
        let moved = FolderPath("\(device.folder)-moved")
        try #require(rename(device.folder.description, moved.description) == 0)
        #expect(try DriveReader(moved).waiting().isEmpty)
    }

    @Test func withAStoreOnlyAPassThatWasThereEndsIt() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        #expect(try await !passEndsTrouble(a, fetches: false))
        #expect(try await passEndsTrouble(a, fetches: true))
    }
}
