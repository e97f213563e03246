import Foundation
import Glibc
import Testing

/// A folder that cannot be a drive, as shows only where one is made of it: no store is made for it before.
@Suite(.mayBlock)
struct UnfitFolderTests {
    @Test func noStoreIsMadeForAFolderWhoseOwnFolderIsAnotherDisk() throws {
        let machine = try Machine()
        try machine.write("a", to: "drive/a")
        let own = "\(machine.root)/drive/.docdrive"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        guard mount("none", own, "tmpfs", 0, "size=256k") == 0 else { try Test.cancel("mounting is not allowed here") }
        let refused = try machine.run("sync", "drive", "--to", "store", "--yes")
        umount2(own, Int32(MNT_DETACH))
        #expect(refused.code == 64 && refused.error.contains("lies on another file system"), "\(refused.error)")
        #expect(!FileManager.default.fileExists(atPath: "\(machine.root)/store"))
        #expect(try machine.run("sync", "drive", "--to", "store", "--yes").code == 0)
    }

    /// Nor does what was tried stay where the store is what cannot be had.
    @Test func nothingStaysOfAFolderWhoseStoreCannotBeMade() throws {
        let machine = try Machine()
        try machine.write("a", to: "file")
        let refused = try machine.run("sync", "drive", "--to", "file", "--yes")
        #expect(refused.code != 0)
        #expect(!FileManager.default.fileExists(atPath: "\(machine.root)/drive"))
    }
}
