import CLinux
import DriveCore
import Glibc
import Testing

@testable import DriveFiles

/// A small file system in memory, mounted on a folder for as long as the value lives.
private final class ScratchMount {
    let path: String

    init(on path: String, options: String = "size=256k") throws {
        mkdir(path, 0o755)
        guard mount("none", path, "tmpfs", 0, options) == 0 else { try Test.cancel("mounting is not allowed here") }
        self.path = path
    }

    func makeReadOnly() -> Bool { mount("none", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 }

    deinit { umount2(path, Int32(MNT_DETACH)) }
}

/// What only another file system shows: foreign items, a full one, one that cannot be written.
struct MountTests {
    @Test func itemsOnAnotherFileSystemAreForeign() throws {
        let drive = try ScratchDrive()
        let mount = try ScratchMount(on: drive.scratch("m"))
        try drive.scratch.write("m/f", "1")
        let (store, root) = (drive.store, drive.root)
        #expect(try store.look(at: "m", in: root)?.isForeignMount == true)
        let inner = try #require(try store.open("m", in: root))
        #expect(try store.look(at: "f", in: inner)?.isForeignMount == true)
        #expect(try store.read("f", in: inner)?.facts.isForeignMount == true)
        #expect(kind { _ = try store.move("f", in: inner, to: "g", in: root) } == .unmovable)
        #expect(drive.scratch.read("m/f") == "1")
        withExtendedLifetime(mount) {}
    }

    /// Of two disks that were filled alike, as two sticks are, the same files have the same numbers.
    @Test func whoWorksOnAnotherDiskIsNotTakenForWhoWorksHere() throws {
        let scratch = try ScratchDrive().scratch
        let mounts = try ["one", "other"].map { try ScratchMount(on: scratch($0)) }
        for mount in mounts { mkdir("\(mount.path)/.docdrive", 0o700) }
        guard case .taken(let lock) = try DriveLock.take(at: Array(mounts[0].path.utf8)) else {
            Issue.record("the lock of a new drive was taken")
            return
        }
        // As it is there.
        close(open("\(mounts[1].path)/.docdrive/lock", O_CREAT | O_RDWR, 0o600))
        var inodes: Set<UInt64> = []
        for mount in mounts {
            var facts = stat()
            #expect(stat("\(mount.path)/.docdrive/lock", &facts) == 0)
            inodes.insert(UInt64(facts.st_ino))
        }
        #expect(inodes.count == 1)
        #expect(DriveLock.holder(at: Array(mounts[0].path.utf8)) == getpid())
        #expect(DriveLock.holder(at: Array(mounts[1].path.utf8)) == nil)
        withExtendedLifetime(lock) {}
    }

    @Test func aBindMountIsForeignToo() throws {
        let drive = try ScratchDrive()
        for name in ["a", "b"] { mkdir(drive.scratch(name), 0o755) }
        let flags = UInt(MS_BIND)
        guard mount(drive.scratch("a"), drive.scratch("b"), nil, flags, nil) == 0 else {
            try Test.cancel("mounting is not allowed here")
        }
        defer { umount2(drive.scratch("b"), Int32(MNT_DETACH)) }
        #expect(try drive.store.look(at: "a", in: drive.root)?.isForeignMount == false)
        #expect(try drive.store.look(at: "b", in: drive.root)?.isForeignMount == true)
    }

    @Test func aMountOverTheDriveChangesItsIdentity() throws {
        let scratch = try Scratch()
        let store = try DiskFileStore.create(at: Array(scratch("d").utf8), replica: "r")
        let mount = try ScratchMount(on: scratch("d"))
        #expect(kind { _ = try store.open(.root) } == .identityChanged)
        // The other way round: the disk is not mounted.
        #expect(kind { _ = try DiskFileStore.open(at: Array(scratch("d").utf8), replica: "r") } == .identityChanged)
        withExtendedLifetime(mount) {}
    }

    @Test func aBellTellsThatADriveWasUnmountedOrCovered() async throws {
        let scratch = try Scratch()
        let mount = try ScratchMount(on: scratch("d"))
        // As somebody who still uses it.
        let open = try DiskFileStore.create(at: Array(scratch("d").utf8), replica: "r")
        let (rings, ring) = AsyncStream<Void>.makeStream()
        var next = rings.makeAsyncIterator()
        let bell = try #require(MountBell(at: Array(scratch("d").utf8), beneath: { [] }) { ring.yield() })
        // Of no concern.
        let other = try ScratchMount(on: scratch("other"))
        var cover: ScratchMount? = try ScratchMount(on: scratch("d"))
        await next.next()
        withExtendedLifetime(cover) {}
        cover = nil
        umount2(mount.path, Int32(MNT_DETACH))
        await next.next()
        withExtendedLifetime((bell, open, other)) {}
    }

    @Test func aBellTellsOfWhatIsMountedBeneath() async throws {
        let scratch = try Scratch()
        mkdir(scratch("d"), 0o755)
        mkdir(scratch("d/m"), 0o755)
        let (rings, ring) = AsyncStream<Void>.makeStream()
        var next = rings.makeAsyncIterator()
        let place = Array(scratch("d/m").utf8)
        let beneath: @Sendable () -> [DrivePath] = {
            var facts = dd_facts()
            _ = place.withPathPointer { dd_look_at_path($0, &facts) }
            return [DrivePath("\(facts.mount)")]
        }
        let bell = try #require(MountBell(at: Array(scratch("d").utf8), beneath: beneath) { ring.yield() })
        var cover: ScratchMount? = try ScratchMount(on: scratch("d/m"))
        await next.next()
        withExtendedLifetime(cover) {}
        cover = nil
        await next.next()
        withExtendedLifetime(bell) {}
    }

    @Test func aDriveIsRefusedBeforeAnythingIsMadeForIt() throws {
        let scratch = try Scratch()
        mkdir(scratch("d"), 0o755)
        let mount = try ScratchMount(on: scratch("d/.docdrive"))
        #expect(kind { try DiskFileStore.checkCreating(at: Array(scratch("d").utf8)) } == .usage)
        withExtendedLifetime(mount) {}
        try DiskFileStore.checkCreating(at: Array(scratch("new").utf8))
        #expect(access(scratch("new"), F_OK) != 0)
        mkdir(scratch("there"), 0o755)
        try DiskFileStore.checkCreating(at: Array(scratch("there").utf8))
        #expect(access(scratch("there/.docdrive"), F_OK) != 0 && access(scratch("there"), F_OK) == 0)
    }

    @Test func aFullDiskIsSaidToBeFull() async throws {
        let scratch = try Scratch()
        let mount = try ScratchMount(on: scratch("d"))
        let drive = try DiskFileStore.create(at: Array(scratch("d").utf8), replica: "r")
        let bytes = [UInt8](repeating: 1, count: 1 << 20)
        let failure = kind {
            let writer = try drive.stageFile("small", size: 0)
            try bytes.withUnsafeBytes { try writer.write($0) }
        }
        #expect(failure == .noSpace)
        try drive.discard("small", in: .incoming)
        // A file of some size does not even begin.
        #expect(kind { _ = try drive.stageFile("big", size: 1 << 30) } == .noSpace)
        try drive.discard("big", in: .incoming)

        let store = FolderObjectStore(at: Array(scratch("d").utf8))
        #expect(await kind { try await store.put("a/b", bytes) } == .noSpace)
        #expect(try await store.get("a/b", range: nil) == nil)
        #expect(try await store.list(prefix: "", after: nil, limit: 9) == [])
        // Nor does the attempt stay behind and fill the disk.
        try await store.put("a/b", [1])
        #expect(try drive.freeSpace().available > 0)
        withExtendedLifetime(mount) {}
    }

    @Test func aReadOnlyDiskIsSaidToBeReadOnly() async throws {
        let scratch = try Scratch()
        let mount = try ScratchMount(on: scratch("d"))
        let path = Array(scratch("d").utf8)
        let drive = try DiskFileStore.create(at: path, replica: "r")
        let store = FolderObjectStore(at: path)
        try await store.put("a", [1])
        #expect(mount.makeReadOnly())
        #expect(kind { _ = try drive.stageFile("x", size: 0) } == .readOnly)
        #expect(await kind { try await store.put("b", [1]) } == .readOnly)
        #expect(await kind { try await store.delete("a") } == .readOnly)
        #expect(try await store.get("a", range: nil) == [1])
        // Reading commands still open the drive.
        let again = try DiskFileStore.open(at: path, replica: "r")
        #expect(try again.list(again.open(.root)).map(\.name) == ["a"])
    }
}
