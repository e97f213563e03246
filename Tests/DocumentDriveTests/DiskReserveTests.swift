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

    /// Finds no room until what it needs of the reserve is gone.
    @Test func whoFindsNoRoomTriesOnceMoreWithoutTheReserve() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "docdrive-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let state = folder.appending(path: ".docdrive")
        try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
        let (first, last) = (state.appending(path: "reserve"), state.appending(path: "reserve-for-making-room"))
        for file in [first, last] { try Data(count: 1).write(to: file) }
        func isThere(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }
        let reserve = DiskReserve(drive: FolderPath(folder.path))
        var attempts = 0
        func attempt(without file: URL?) throws -> Int {
            attempts += 1
            guard let file, !isThere(file) else { throw DriveError(.noSpace, "full") }
            return attempts
        }
        #expect(try reserve.opening(mayUseAll: false) { try attempt(without: first) } == 2)
        // The rest is left to who makes room.
        #expect(throws: DriveError.self) { try reserve.opening(mayUseAll: false) { try attempt(without: last) } }
        #expect(isThere(last) && attempts == 3)
        #expect(try reserve.opening(mayUseAll: true) { try attempt(without: last) } == 5)
        #expect(throws: DriveError.self) { try reserve.opening(mayUseAll: true) { try attempt(without: nil) } }
        #expect(attempts == 6)
    }
}
