import DriveCore
import Glibc
import Testing

@testable import DriveFiles

struct DiskIdentityTests {
    @Test func createMakesPrivateAreasAndOpensAgain() throws {
        let drive = try ScratchDrive()
        for area in [".docdrive", ".docdrive/staging", ".docdrive/staging/in", ".docdrive/trash"] {
            #expect(try drive.scratch.status(area).st_mode & 0o7777 == 0o700)
        }
        #expect(try DiskFileStore.replica(at: drive.scratch.path) == "replica-1")
        let again = try DiskFileStore.open(at: drive.scratch.path, replica: "replica-1")
        for area in FileArea.allCases { _ = try again.open(area) }
    }

    @Test func createMakesOnlyTheLastFolder() throws {
        let scratch = try Scratch()
        _ = try DiskFileStore.create(at: Array(scratch("new").utf8), replica: "r")
        #expect(scratch.exists("new/.docdrive/replica"))
        #expect(kind { _ = try DiskFileStore.create(at: Array(scratch("no/such").utf8), replica: "r") } == .notFound)
        #expect(!scratch.exists("no"))
    }

    @Test func aDriveIsNotMadeTwice() throws {
        let drive = try ScratchDrive()
        #expect(kind { _ = try DiskFileStore.create(at: drive.scratch.path, replica: "other") } == .usage)
        #expect(try DiskFileStore.replica(at: drive.scratch.path) == "replica-1")
    }

    @Test func aMissingMarkerChangesTheIdentity() throws {
        let drive = try ScratchDrive()
        unlink(drive.scratch(".docdrive/replica"))
        #expect(kind { _ = try drive.store.open(.root) } == .identityChanged)
        #expect(kind { _ = try DiskFileStore.open(at: drive.scratch.path, replica: "replica-1") } == .identityChanged)
        #expect(try DiskFileStore.replica(at: drive.scratch.path) == nil)
    }

    @Test func anotherReplicaChangesTheIdentity() throws {
        let drive = try ScratchDrive()
        try drive.scratch.write(".docdrive/replica", "replica-2\n")
        #expect(kind { _ = try drive.store.open(.root) } == .identityChanged)
    }

    @Test func aReplacedOrMissingRootChangesTheIdentity() throws {
        let scratch = try Scratch()
        let path = Array(scratch("drive").utf8)
        let store = try DiskFileStore.create(at: path, replica: "r")
        let before = try store.open(.root)
        rename(scratch("drive"), scratch("away"))
        #expect(kind { _ = try store.open(.root) } == .identityChanged)
        // Even one with the right marker.
        _ = try DiskFileStore.create(at: path, replica: "r")
        #expect(kind { _ = try store.open(.root) } == .identityChanged)
        // What was opened stays the folder that it was.
        try scratch.write("away/f", "1")
        #expect(try store.list(before).map(\.name) == ["f"])
    }

    @Test func aRemovedAreaIsNoticedAndMadeAnewAtStart() throws {
        let drive = try ScratchDrive()
        rmdir(drive.scratch(".docdrive/trash"))
        #expect(kind { _ = try drive.store.open(.trash) } == .identityChanged)
        let again = try DiskFileStore.open(at: drive.scratch.path, replica: "replica-1")
        #expect(try again.list(again.open(.trash)) == [])
    }

    @Test func ownFolderThatIsALinkIsRefused() throws {
        let outside = try Scratch()
        let scratch = try Scratch()
        symlink(outside.text, scratch(".docdrive"))
        #expect(kind { _ = try DiskFileStore.create(at: scratch.path, replica: "r") } == .identityChanged)
        #expect(!outside.exists("replica"))
    }

    @Test func durabilityAndSpaceAreAnswered() throws {
        let drive = try ScratchDrive()
        try drive.store.makeDurable()
        let space = try drive.store.freeSpace()
        #expect(space.total > 0 && space.available <= space.total)
    }
}
