import DriveCore
import Foundation
import Testing

@testable import DocumentDrive

struct TemporaryFilesTests {
    /// Texts of documents lie in it: it goes, wherever it is.
    @Test(arguments: [[0x78], [0x78, 0xFF]] as [[UInt8]]) func theFolderGoesWithWhatIsInIt(name: [UInt8]) throws {
        let place = FolderPath(NSTemporaryDirectory()).appending(FileName("docdrive-temporary-\(UUID().uuidString)"))
        let parent = place.appending(FileName(bytes: name))
        try parent.make(0o700, to: "try it")
        defer { for folder in [parent, place] { folder.withPointer { _ = rmdir($0) } } }
        let files = try TemporaryFiles(in: parent.bytes)
        #expect(try files.write([1, 2], "text").exists)
        #expect(try parent.names()?.count == 1)
        files.remove()
        #expect(try parent.names() == [])
    }
}
