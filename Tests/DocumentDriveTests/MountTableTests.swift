import DriveCore
import Testing

@testable import DocumentDrive

/// What the kernel says of mounts.
struct MountTableTests {
    private static let table = """
        sysfs /sys sysfs rw,nosuid 0 0
        /dev/sda1 / ext4 rw,relatime 0 0
        none /home/a/My\\040Drive/in\\134side\\012 fuse.sshfs rw 0 0
        none /home/a/My\\040Drive tmpfs rw 0 0
        none /home/a/My\\040Drive2/x tmpfs rw 0 0
        none
        """

    private let table = MountTable(Array(Self.table.utf8))

    @Test func onlyWhatIsBeneathAFolderIsNamed() {
        #expect(table.places(in: FolderPath("/home/a/My Drive")) == [DrivePath([FileName("in\\side\n")])])
        #expect(table.places(in: FolderPath("/home/a")).count == 3)
        #expect(table.places(in: FolderPath("/")).count == 4)
        #expect(table.places(in: FolderPath("/srv")).isEmpty)
        let odd = MountTable(Array("a /x\\04 b c".utf8))
        #expect(odd.places(in: FolderPath("/")) == [DrivePath([FileName("x\\04")])])
    }

    @Test func theLongestPathTellsTheKind() {
        #expect(table.kind(of: FolderPath("/home/a/My Drive/b")) == "tmpfs")
        #expect(table.kind(of: FolderPath("/home/a/My Drive/in\\side\n")).map(MountTable.isRemote) == true)
        #expect(table.kind(of: FolderPath("/home/a/b")) == "ext4")
    }
}
