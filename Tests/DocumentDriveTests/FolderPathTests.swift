import DriveFiles
import Foundation
import Testing

@testable import DocumentDrive

/// Paths as people give them.
@Suite struct FolderPathTests {
    @Test(arguments: [
        ("/a//b/./c", "/a/b/c"), ("/a/b/../c", "/a/c"), ("/../..", "/"), ("/", "/"), ("/a/missing/../c/", "/a/c"),
    ]) func dotsAndSlashesAreGone(path: String, plain: String) {
        #expect(FolderPath(path).description == plain)
    }

    /// path_resolution(7): above the folder that a link leads to, not above the link.
    @Test func whatIsAboveALinkIsAboveItsTarget() throws {
        let root = NSTemporaryDirectory() + "docdrive-path-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        try FileManager.default.createDirectory(atPath: "\(root)/else/deep", withIntermediateDirectories: true)
        let link = "\(root)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "else/deep")
        let real = FolderPath(root).resolved
        #expect(FolderPath("\(link)/../new") == real.appending("else").appending("new"))
        #expect(FolderPath("\(link)/x/../../new") == real.appending("else").appending("new"))
        #expect(FolderPath("\(link)/x/..") == FolderPath(link))
        #expect(FolderPath(link).description == link)
    }
}
