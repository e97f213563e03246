import DriveCore
import DriveIndex
import Foundation
import Testing

@testable import DocumentDrive

/// What searches note of a search index that is damaged.
struct SearchDoubtTests {
    private func device() async throws -> (WhyWorld, SearchFile) {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        try device.write("Letter.txt", "a note on the budget\n")
        try await read(device.folder)
        return (world, SearchFile(drive: device.folder))
    }

    private func read(_ folder: FolderPath) async throws {
        let drive = try Drive.open(folder)
        _ = try await drive.readDocuments()
        await drive.close()
    }

    private func error(_ kind: DriveError.Kind, of path: FolderPath) -> DriveError {
        DriveError(kind, "page 97 is damaged", path: path.description)
    }

    @Test func damageIsOfOneFile() async throws {
        let (world, file) = try await device()
        #expect(file.doubt.finding == nil)
        file.doubt.note(error(.corrupt, of: IndexFile(drive: file.drive).path), in: file.place)
        #expect(file.doubt.finding == nil)
        file.doubt.note(error(.internalFault, of: file.path), in: file.place)
        #expect(file.doubt.finding == .unclear)
        file.doubt.note(error(.corrupt, of: file.path), in: SearchFile.Place(device: 0, inode: 0))
        #expect(file.doubt.finding == .unclear)
        file.doubt.note(error(.corrupt, of: file.path), in: file.place)
        #expect(file.doubt.finding == .damage)
        // It is no less damaged for what else goes wrong.
        file.doubt.note(error(.internalFault, of: file.path), in: file.place)
        #expect(file.doubt.finding == .damage)
        withExtendedLifetime(world) {}
    }

    /// Also where it looks sound, as a text does that cannot be unpacked.
    @Test func whatIsDamagedIsMadeAnewAndWhatIsDoubtfulIsLookedOver() async throws {
        let (world, file) = try await device()
        file.doubt.note(error(.internalFault, of: file.path), in: file.place)
        let place = file.place
        try await read(file.drive)
        #expect(file.doubt.finding == nil && file.place == place)
        file.doubt.note(error(.corrupt, of: file.path), in: place)
        // Its number is not to be given to the next one.
        let held = try FileHandle(forReadingFrom: URL(fileURLWithPath: file.path.description))
        try await read(file.drive)
        #expect(file.doubt.finding == nil && file.place != place)
        try held.close()
        withExtendedLifetime(world) {}
    }
}
