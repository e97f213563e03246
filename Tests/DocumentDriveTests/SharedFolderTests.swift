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
        func status(_ name: String) throws -> stat {
            var status = stat()
            try #require(lstat(a.path(name), &status) == 0)
            return status
        }
        // Only root may choose any group.
        if geteuid() == 0 { chown(a.path("team"), uid_t.max, 54_321) }
        chmod(a.path("team"), 0o2775)
        try b.write("team/new", "new")
        try b.write("team/sub/deep", "deep")
        try await b.sync()
        try await a.sync()
        let group = try status("team").st_gid
        for name in ["team/new", "team/sub", "team/sub/deep"] {
            let found = try status(name)
            #expect(found.st_gid == group, "\(name)")
        }
        let folder = try status("team/sub")
        #expect(folder.st_mode & 0o2000 != 0)
        withExtendedLifetime(world) {}
    }
}
