import DriveCore
import Foundation
import Glibc
import TestSupport
import Testing

@testable import DocumentDrive

/// Folders that several people of one machine share.
@Suite(.mayBlock)
struct SharedFolderTests {
    @Test func whatArrivesBelongsToTheGroup() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["team/old": "old"])
        Self.share("team", of: a)
        try b.write("team/new", "new")
        try b.write("team/sub/deep", "deep")
        try await b.sync()
        try await a.sync()
        try Self.expectShared(["team/new", "team/sub", "team/sub/deep"], folder: "team/sub", of: a)
        withExtendedLifetime(world) {}
    }

    /// The store alone has the content, and nothing here tells whose it was.
    @Test func whatIsRestoredBelongsToTheGroup() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["team/old": "old", "team/sub/deep": "deep"])
        Self.share("team", of: a)
        try b.remove("team/sub")
        for device in [b, a] { try await device.sync() }
        let drive = try a.drive()
        let trash = try DriveReader(a.folder).trash().map(\.name.description)
        _ = try await drive.perform(.emptyTrash(names: trash))
        let content = ContentHasher.hash(of: Array("deep".utf8)).description
        _ = try await drive.perform(.restore([RestoredContent(path: Array("team/sub/deep".utf8), content: content)]))
        #expect(try a.text("team/sub/deep") == "deep")
        try Self.expectShared(["team/sub", "team/sub/deep"], folder: "team/sub", of: a)
        withExtendedLifetime(world) {}
    }

    private static func share(_ name: String, of device: WhyDevice) {
        // Only root may choose any group.
        if geteuid() == 0 { chown(device.path(name), uid_t.max, 54_321) }
        chmod(device.path(name), 0o2775)
    }

    private static func expectShared(_ names: [String], folder: String, of device: WhyDevice) throws {
        let group = try status("team", of: device).st_gid
        for name in names {
            let found = try status(name, of: device)
            #expect(found.st_gid == group, "\(name)")
        }
        let mode = try status(folder, of: device).st_mode
        #expect(mode & 0o2000 != 0)
    }

    private static func status(_ name: String, of device: WhyDevice) throws -> stat {
        var status = stat()
        try #require(lstat(device.path(name), &status) == 0)
        return status
    }
}
