import CLinux
import DriveCore
import Glibc
import Testing

@testable import DriveFiles

struct DiskAttributesTests {
    @Test(arguments: [
        FileTime(seconds: 0), FileTime(seconds: -1, nanoseconds: 999_999_999),
        FileTime(seconds: -86_400, nanoseconds: 1),
        FileTime(seconds: 1_700_000_000, nanoseconds: 123_456_789), FileTime(seconds: 4_102_444_800, nanoseconds: 5),
        FileTime(seconds: 1 << 33, nanoseconds: 42),
    ])
    func timesAreExact(time: FileTime) throws {
        let drive = try ScratchDrive()
        let facts = try drive.stage("x", "1", Attributes(modified: time))
        #expect(facts.modified == time)
        let incoming = try drive.store.open(.incoming)
        let other = FileTime(seconds: time.seconds + 1, nanoseconds: 3)
        #expect(
            try drive.store.setAttributes(Attributes(modified: other), of: "x", in: incoming, expecting: facts.identity)
        )
        #expect(try drive.store.look(at: "x", in: incoming)?.modified == other)
    }

    @Test(arguments: [
        (0o640, true, 0o750), (0o644, true, 0o755), (0o600, true, 0o700), (0o755, false, 0o644), (0o744, true, 0o744),
        (0o4644, true, 0o755), (0o6755, false, 0o644), (0o040, true, 0o150),
    ])
    func executeFollowsRead(mode: Int, isExecutable: Bool, expected: Int) throws {
        let drive = try ScratchDrive()
        try drive.scratch.write("x", "1", mode: UInt32(mode))
        let facts = try #require(try drive.store.look(at: "x", in: drive.root))
        let attributes = Attributes(isExecutable: isExecutable, modified: facts.modified)
        #expect(try drive.store.setAttributes(attributes, of: "x", in: drive.root, expecting: facts.identity))
        #expect(try drive.scratch.status("x").st_mode & 0o7777 == UInt32(expected))
    }

    /// No file system keeps more than 64 KiB of one (xattr(7)).
    @Test func whatIsTooLargeKeepsTheRestFromNothing() throws {
        let drive = try ScratchDrive()
        try drive.scratch.write("x", "1", mode: 0o644)
        let facts = try #require(try drive.store.look(at: "x", in: drive.root))
        let time = FileTime(seconds: 1_000, nanoseconds: 5)
        let key = try #require(AttributeKey.extendedAttributes.first)
        let attributes = Attributes(
            isExecutable: true, modified: time, extended: [key: [UInt8](repeating: 1, count: 70_000)])
        #expect(throws: DriveError.self) {
            try drive.store.setAttributes(attributes, of: "x", in: drive.root, expecting: facts.identity)
        }
        let now = try drive.store.look(at: "x", in: drive.root)
        #expect(now?.isExecutable == true && now?.modified == time)
    }

    @Test func anotherFileIsLeftAlone() throws {
        let drive = try ScratchDrive()
        try drive.scratch.write("x", "1")
        let facts = try #require(try drive.store.look(at: "x", in: drive.root))
        try drive.scratch.write("y", "2")
        rename(drive.scratch("y"), drive.scratch("x"))
        let attributes = Attributes(isExecutable: true)
        #expect(try !drive.store.setAttributes(attributes, of: "x", in: drive.root, expecting: facts.identity))
        #expect(try !drive.store.setAttributes(attributes, of: "gone", in: drive.root, expecting: facts.identity))
        #expect(try drive.scratch.status("x").st_mode & 0o111 == 0)
    }

    @Test func aFolderKeepsItsSearchBitsAndTime() throws {
        let drive = try ScratchDrive()
        mkdir(drive.scratch("d"), 0o755)
        let facts = try #require(try drive.store.look(at: "d", in: drive.root))
        let attributes = Attributes(modified: FileTime(seconds: 1))
        #expect(try drive.store.setAttributes(attributes, of: "d", in: drive.root, expecting: facts.identity))
        #expect(try drive.scratch.status("d").st_mode & 0o777 == 0o755)
        #expect(try drive.store.look(at: "d", in: drive.root)?.modified == facts.modified)
    }

    @Test(arguments: scratchPlaces)
    func carriedAttributesAreSetReadAndRemoved(place: String) throws {
        let drive = try ScratchDrive(in: place)
        try drive.needExtendedAttributes()
        let binary: [UInt8] = [0, 0xFF, 1, 0]
        let facts = try drive.stage("x", "1", Attributes(extended: [.tags: Array("a,b".utf8), .comment: binary]))
        let incoming = try drive.store.open(.incoming)
        #expect(
            try drive.store.extendedAttributes(of: "x", in: incoming) == [.tags: Array("a,b".utf8), .comment: binary])
        let wanted: [AttributeKey: [UInt8]] = [.tags: [], .originURL: Array("https://example.org".utf8)]
        #expect(
            try drive.store.setAttributes(
                Attributes(modified: facts.modified, extended: wanted), of: "x", in: incoming, expecting: facts.identity
            ))
        #expect(try drive.store.extendedAttributes(of: "x", in: incoming) == wanted)
        #expect(kind { _ = try drive.store.extendedAttributes(of: "gone", in: incoming) } == .notFound)
    }

    @Test func sameAttributesChangeNothing() throws {
        let drive = try ScratchDrive()
        try drive.needExtendedAttributes()
        let attributes = Attributes(isExecutable: true, modified: FileTime(seconds: 9), extended: [.tags: [1]])
        let facts = try drive.stage("x", "1", attributes)
        let incoming = try drive.store.open(.incoming)
        #expect(try drive.store.setAttributes(attributes, of: "x", in: incoming, expecting: facts.identity))
        // Not even the change time.
        #expect(try drive.store.look(at: "x", in: incoming) == facts)
    }

    @Test func localMetadataSurvivesAReplace() throws {
        let drive = try ScratchDrive()
        try drive.needExtendedAttributes()
        try drive.scratch.write("x", "old", mode: 0o6640)
        // Version 2; owner rw, user 12345 r, group r, mask r, others none (acl(5), linux/posix_acl_xattr.h).
        let list: [UInt8] =
            [2, 0, 0, 0] + [1, 0, 6, 0, 255, 255, 255, 255] + [2, 0, 4, 0, 0x39, 0x30, 0, 0]
            + [4, 0, 4, 0, 255, 255, 255, 255] + [16, 0, 4, 0, 255, 255, 255, 255] + [32, 0, 0, 0, 255, 255, 255, 255]
        let old = try #require(try Descriptor.pin("x", in: drive.root.descriptor))
        try old.setAttribute("user.mine", [7, 7])
        try old.setAttribute("user.xdg.comment", [8])
        let hasList = dd_set_attribute(old.number, "system.posix_acl_access", list, list.count) == 0
        _ = try drive.stage("s", "new", Attributes(isExecutable: true, extended: [.tags: [5]]))
        try drive.store.adoptLocalMetadata(from: "x", in: drive.root, to: "s")
        let staged = try #require(try Descriptor.pin("s", in: drive.store.open(.incoming).descriptor))
        #expect(try staged.attribute("user.mine") == [7, 7])
        // Carried ones come from the view, not from the disk.
        #expect(try staged.attribute("user.xdg.tags") == [5])
        #expect(try staged.attribute("user.xdg.comment") == nil)
        #expect(try staged.facts().mode & 0o7777 == 0o750)
        if hasList { #expect(try staged.attribute("system.posix_acl_access") != nil) }
        try drive.store.adoptLocalMetadata(from: "gone", in: drive.root, to: "s")
    }

    /// The group's bits of a file that has an access list are the list's mask.
    @Test func anAccessListThatHasNoRoomWidensNothing() throws {
        let mount = try ImageMount("ext4", "-I", "128", "-b", "1024")
        let drive = try DiskFileStore.create(at: Array("\(mount.path)/d".utf8), replica: "r")
        try mount.scratch.write("m/d/x", "old", mode: 0o600)
        let (root, incoming) = try (drive.open(.root), drive.open(.incoming))
        // Version 2; owner rw, user 12345 rw, group none, mask rw, others none.
        let list: [UInt8] =
            [2, 0, 0, 0] + [1, 0, 6, 0, 255, 255, 255, 255] + [2, 0, 6, 0, 0x39, 0x30, 0, 0]
            + [4, 0, 0, 0, 255, 255, 255, 255] + [16, 0, 6, 0, 255, 255, 255, 255] + [32, 0, 0, 0, 255, 255, 255, 255]
        #expect(AccessList(bytes: list).groupPermissions == 0)
        let old = try #require(try Descriptor.pin("x", in: root.descriptor))
        try old.setAttribute("system.posix_acl_access", list)
        #expect(try old.facts().mode & 0o777 == 0o660)
        let attributes = Attributes(extended: [.tags: [UInt8](repeating: 1, count: 960)])
        for (name, given) in [("s", attributes), ("t", Attributes())] as [(FileName, Attributes)] {
            let writer = try drive.stageFile(name, size: 3)
            try Array("new".utf8).withUnsafeBytes { try writer.write($0) }
            _ = try writer.finish(given)
        }
        #expect(throws: DriveError.self) { try drive.adoptLocalMetadata(from: "x", in: root, to: "s") }
        let staged = try #require(try Descriptor.pin("s", in: incoming.descriptor))
        #expect(try staged.facts().mode & 0o077 == 0)
        // Where it comes first it has room.
        try drive.adoptLocalMetadata(from: "x", in: root, to: "t")
        let other = try #require(try Descriptor.pin("t", in: incoming.descriptor))
        #expect(try other.attribute("system.posix_acl_access") == list)
        withExtendedLifetime(mount) {}
    }

    /// What is staged for a folder is as what somebody makes in it.
    @Test(arguments: [false, true])
    func whatIsNewIsAsTheFolderHasIt(hasList: Bool) throws {
        let drive = try ScratchDrive()
        mkdir(drive.scratch("team"), 0o755)
        if geteuid() == 0 { chown(drive.scratch("team"), UInt32.max, 54_321) }
        chmod(drive.scratch("team"), 0o2775)
        let team = try #require(try drive.store.open("team", in: drive.root))
        // Version 2; owner rwx, user 12345 rwx, group rwx, mask rwx, others none.
        let list: [UInt8] =
            [2, 0, 0, 0] + [1, 0, 7, 0, 255, 255, 255, 255] + [2, 0, 7, 0, 0x39, 0x30, 0, 0]
            + [4, 0, 7, 0, 255, 255, 255, 255] + [16, 0, 7, 0, 255, 255, 255, 255] + [32, 0, 0, 0, 255, 255, 255, 255]
        if hasList {
            let result = dd_set_attribute(team.descriptor, "system.posix_acl_default", list, list.count)
            guard result == 0 else { try Test.cancel("this volume has no access lists") }
        }
        let made = Glibc.open(drive.scratch("team/file"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
        try #require(made >= 0)
        close(made)
        mkdir(drive.scratch("team/folder"), 0o777)
        _ = try drive.stage("file", "new")
        _ = try drive.stage("program", "new", Attributes(isExecutable: true))
        _ = try drive.store.stageFolder("folder")
        let incoming = try drive.store.open(.incoming)
        for name in ["file", "program", "folder"] as [FileName] {
            drive.store.adoptSurroundings(of: team, to: name)
        }
        for name in ["file", "folder"] {
            let (wanted, found) = try (
                drive.scratch.status("team/\(name)"), drive.scratch.status(".docdrive/staging/in/\(name)")
            )
            #expect(found.st_mode == wanted.st_mode && found.st_gid == wanted.st_gid, "\(name)")
            let there = try #require(try Descriptor.pin(FileName(name), in: team.descriptor))
            let here = try #require(try Descriptor.pin(FileName(name), in: incoming.descriptor))
            let (listThere, listHere) = try (
                there.attribute("system.posix_acl_access"), here.attribute("system.posix_acl_access")
            )
            #expect(listHere == listThere, "\(name)")
        }
        if hasList {
            let folder = try #require(try Descriptor.pin("folder", in: incoming.descriptor))
            #expect(try folder.attribute("system.posix_acl_default") == list)
        }
        #expect(try drive.store.look(at: "program", in: incoming)?.isExecutable == true)
        #expect(try drive.store.look(at: "file", in: incoming)?.isExecutable == false)
    }

    @Test func ownerIsAdoptedByRoot() throws {
        guard geteuid() == 0 else { try Test.cancel("only root may give files away") }
        let drive = try ScratchDrive()
        try drive.scratch.write("x", "old")
        chown(drive.scratch("x"), 12_345, 54_321)
        _ = try drive.stage("s", "new")
        try drive.store.adoptLocalMetadata(from: "x", in: drive.root, to: "s")
        let status = try drive.scratch.status(".docdrive/staging/in/s")
        #expect(status.st_uid == 12_345 && status.st_gid == 54_321 && status.st_mode & 0o777 == 0o644)
    }

    @Test func powersAreNeverAdopted() throws {
        guard geteuid() == 0 else { try Test.cancel("only root may give capabilities") }
        let drive = try ScratchDrive()
        try drive.scratch.write("x", "old", mode: 0o4755)
        let old = try #require(try Descriptor.pin("x", in: drive.root.descriptor))
        // VFS_CAP_REVISION_2 with cap_net_raw (linux/capability.h).
        let capability: [UInt8] = [1, 0, 0, 2, 0, 0x20, 0, 0] + Array(repeating: 0, count: 12)
        let hasCapability =
            dd_set_attribute(old.number, "security.capability", capability, capability.count) == 0
        guard hasCapability else { try Test.cancel("capabilities cannot be set here") }
        _ = try drive.stage("s", "new", Attributes(isExecutable: true))
        try drive.store.adoptLocalMetadata(from: "x", in: drive.root, to: "s")
        let staged = try #require(try Descriptor.pin("s", in: drive.store.open(.incoming).descriptor))
        #expect(try staged.attribute("security.capability") == nil)
        #expect(try staged.facts().mode & 0o7777 == 0o755)
    }
}
