import FileCoordination
import TestSupport
import Testing

@testable import DocumentDrive

/// What nobody announces is found by looking at everything, in time.
@Suite(.mayBlock)
struct RescanTests {
    @Test(arguments: ["nfs4", "fuse.sshfs", "virtiofs", "9p"])
    func aFileSystemOfOtherMachinesIsLookedAtEveryFifteenMinutes(_ kind: String) {
        #expect(WatchedDrive.pace(on: kind).rescan == .seconds(15 * 60))
    }

    @Test(arguments: ["ext4", "tmpfs", "btrfs", nil])
    func aLocalOneIsTrusted(_ kind: String?) {
        #expect(WatchedDrive.pace(on: kind).rescan == WatchPace().rescan)
    }
}
