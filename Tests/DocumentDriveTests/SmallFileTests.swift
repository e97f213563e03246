import DriveCore
import Foundation
import Testing

@testable import DocumentDrive

struct SmallFileTests {
    /// Another device may have sent what lies in a drive.
    @Test func whatIsNoFileIsNotRead() throws {
        let folder = FolderPath(NSTemporaryDirectory()).appending(FileName("docdrive-small-\(UUID().uuidString)"))
        try folder.make(0o700, to: "try it")
        defer { try? FileManager.default.removeItem(atPath: folder.description) }
        let (file, link, device, pipe) = ("file", "link", "device", "pipe") as (FileName, FileName, FileName, FileName)
        try SmallFile.write([1, 2], to: folder.appending(file))
        for (name, target) in [(link, folder.appending(file).description), (device, "/dev/zero")] {
            #expect(folder.appending(name).withPointer { symlink(target, $0) } == 0)
        }
        #expect(folder.appending(pipe).withPointer { mkfifo($0, 0o600) } == 0)
        #expect(try SmallFile.read(folder.appending("none")) == nil)
        // Settings may be kept elsewhere.
        #expect(try SmallFile.read(folder.appending(link)) == [1, 2])
        for name in [device, pipe] {
            #expect(throws: DriveError.self) { try SmallFile.read(folder.appending(name)) }
        }
        #expect(CleaningFile.text(folder.appending(file)) == [1, 2])
        for name in [link, device, pipe] { #expect(CleaningFile.text(folder.appending(name)) == nil) }
    }
}
