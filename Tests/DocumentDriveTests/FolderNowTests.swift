import DriveCore
import DriveTesting
import Testing

@testable import DocumentDrive

struct FolderNowTests {
    /// Nobody knows whether it is deleted, and nobody may pass over it in silence.
    @Test func whatCannotBeLookedAtIsTold() throws {
        let clock = ManualClock()
        let folder = MemoryFolder(clock: clock)
        for name in ["closed", "open"] as [FileName] {
            #expect(folder.makeFolder(at: Place(folder: MemoryFolder.root, name: name)))
        }
        folder.failures = [FolderFailure(.open, name: "closed", error: DriveError(.inputOutput, "no luck"))]
        let now = FolderNow(files: folder, state: MemoryState(device: DeviceID(high: 7, low: 7), label: "A"))
        var unseen: [String] = []
        let missing = try now.missing(of: ["closed/one", "closed/two", "open/three", "gone/four"]) {
            unseen.append($0.message)
        }
        #expect(missing == ["open/three", "gone/four"])
        #expect(unseen == ["no luck"])
    }
}
