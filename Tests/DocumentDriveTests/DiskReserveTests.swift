import DriveCore
import DriveFiles
import Foundation
import Testing

@testable import DocumentDrive

/// The room that a drive keeps for the commands that make room.
struct DiskReserveTests {
    @Test func itIsForWhatMakesRoomAlone() async throws {
        let use = ReserveUse()
        #expect(!use.isAllowed)
        let isAllowed = try await use.during { use.isAllowed }
        #expect(isAllowed && !use.isAllowed)
    }

    /// Finds no room until the reserve is gone.
    @Test func whoFindsNoRoomTriesOnceMoreWithoutTheReserve() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "docdrive-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: ".docdrive/reserve")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(count: 1).write(to: file)
        let reserve = DiskReserve(drive: FolderPath(folder.path))
        var attempts = 0
        func attempt() throws -> Int {
            attempts += 1
            guard !FileManager.default.fileExists(atPath: file.path) else { throw DriveError(.noSpace, "full") }
            return attempts
        }
        // Who makes no room leaves it to who does.
        #expect(throws: DriveError.self) { try reserve.opening(isAllowed: false, attempt) }
        #expect(FileManager.default.fileExists(atPath: file.path))
        #expect(try reserve.opening(isAllowed: true, attempt) == 3)
        #expect(throws: DriveError.self) {
            try reserve.opening(isAllowed: true) {
                attempts += 1
                throw DriveError(.noSpace, "full")
            }
        }
        #expect(attempts == 4)
    }
}
