import CLinux
import DriveCore
import Glibc
import Testing

@testable import DriveFiles

struct DiskLookingTests {
    @Test(arguments: scratchPlaces)
    func listsEverythingButTheDrivesOwnFolder(place: String) throws {
        let drive = try ScratchDrive(in: place)
        try drive.scratch.write("a", "1")
        try drive.scratch.write(".hidden", "2")
        mkdir(drive.scratch("folder"), 0o755)
        symlink("a", drive.scratch("link"))
        mkfifo(drive.scratch("pipe"), 0o644)
        let entries = try drive.store.list(drive.root)
        let kinds = Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.kind) })
        #expect(kinds == ["a": .file, ".hidden": .file, "folder": .folder, "link": .link, "pipe": .other])
        // Twice through one open folder: the reading position is not shared.
        #expect(try Set(drive.store.list(drive.root)) == Set(entries))
        for entry in entries {
            #expect(try drive.store.look(at: entry.name, in: drive.root)?.identity.inode == entry.inode)
        }
    }

    @Test func ownFolderIsFoundByIdentityAfterARename() throws {
        let drive = try ScratchDrive()
        rename(drive.scratch(".docdrive"), drive.scratch("innocent"))
        #expect(try drive.names() == [])
        #expect(try drive.store.look(at: "innocent", in: drive.root) == nil)
        #expect(try drive.store.open("innocent", in: drive.root) == nil)
        #expect(try drive.store.move("innocent", in: drive.root, to: "b", in: drive.root) == .impossible)
        #expect(kind { _ = try drive.store.open(.root) } == .identityChanged)
    }

    @Test func ownFolderIsOutOfReachThroughTheRoot() throws {
        let drive = try ScratchDrive()
        let (store, root) = (drive.store, drive.root)
        try drive.scratch.write("a", "1")
        #expect(try store.open(".docdrive", in: root) == nil)
        #expect(try store.look(at: ".docdrive", in: root) == nil)
        #expect(try store.exchange("a", in: root, with: ".docdrive", in: root) == .impossible)
        #expect(try store.move("a", in: root, to: ".docdrive", in: root) == .impossible)
        #expect(try store.removeFolder(".docdrive", in: root) == .impossible)
        // Deeper down the name is anybody's.
        mkdir(drive.scratch("folder"), 0o755)
        mkdir(drive.scratch("folder/.docdrive"), 0o755)
        let folder = try #require(try store.open("folder", in: root))
        #expect(try drive.names(folder) == [".docdrive"])
    }

    @Test func namesAreBytes() throws {
        let drive = try ScratchDrive()
        let names: Set<FileName> = [
            FileName(bytes: [0x62, 0xFF]), FileName(bytes: [0x62, 0xFE]), "\u{E9}", "e\u{301}", "new\nline", " ",
            "-rf", "$(x)", FileName(bytes: Array(repeating: 0x78, count: 255)),
        ]
        for (place, name) in names.enumerated() {
            _ = try drive.stage("draft-\(place)".name, "\(place)")
            let incoming = try drive.store.open(.incoming)
            #expect(try drive.store.move("draft-\(place)".name, in: incoming, to: name, in: drive.root) == .done)
        }
        #expect(try drive.names() == names)
        for name in names { #expect(try drive.store.look(at: name, in: drive.root)?.kind == .file) }
    }

    @Test(arguments: [
        FileName(""), ".", "..", "a/b", "/etc", "../x", FileName(bytes: [0x61, 0]),
        FileName(bytes: Array(repeating: 0x78, count: 256)),
    ])
    func impossibleNamesLeadNowhere(name: FileName) throws {
        let drive = try ScratchDrive()
        let (store, root) = (drive.store, drive.root)
        try drive.scratch.write("a", "1")
        #expect(try store.look(at: name, in: root) == nil)
        #expect(try store.open(name, in: root) == nil)
        #expect(try store.read(name, in: root) == nil)
        #expect(try store.readLink(name, in: root) == nil)
        #expect(try store.move("a", in: root, to: name, in: root) == .impossible)
        #expect(try store.exchange("a", in: root, with: name, in: root) == .impossible)
        #expect(kind { _ = try store.stageFile(name, size: 0) } == .usage)
        #expect(kind { _ = try store.stageFolder(name) } == .usage)
    }

    @Test func linksAreNeverFollowed() throws {
        let outside = try Scratch()
        try outside.write("secret", "s")
        let drive = try ScratchDrive()
        symlink(outside.text, drive.scratch("folder"))
        symlink(outside("secret"), drive.scratch("file"))
        #expect(try drive.store.open("folder", in: drive.root) == nil)
        #expect(try drive.store.read("file", in: drive.root) == nil)
        #expect(try drive.store.look(at: "file", in: drive.root)?.kind == .link)
        #expect(try drive.store.readLink("file", in: drive.root) == Array(outside("secret").utf8))
        #expect(try drive.store.readLink("nothing", in: drive.root) == nil)
        let link = try #require(try drive.store.look(at: "file", in: drive.root))
        let attributes = Attributes(isExecutable: true, modified: FileTime(seconds: 5), extended: [.tags: [1]])
        #expect(try drive.store.setAttributes(attributes, of: "file", in: drive.root, expecting: link.identity))
        #expect(try drive.store.look(at: "file", in: drive.root)?.modified == FileTime(seconds: 5))
        let target = try outside.status("secret")
        #expect(target.st_mtim.tv_sec != 5 && target.st_mode & 0o111 == 0)
    }

    @Test func aFolderSwappedForALinkIsNotEntered() throws {
        let outside = try Scratch()
        let drive = try ScratchDrive()
        mkdir(drive.scratch("d"), 0o755)
        let open = try #require(try drive.store.open("d", in: drive.root))
        rename(drive.scratch("d"), drive.scratch("moved"))
        symlink(outside.text, drive.scratch("d"))
        _ = try drive.stage("x", "1")
        #expect(try drive.store.move("x", in: drive.store.open(.incoming), to: "x", in: open) == .done)
        #expect(drive.scratch.exists("moved/x"))
        #expect(!outside.exists("x"))
    }

    @Test func pipesAndSocketsDoNotHang() throws {
        let drive = try ScratchDrive()
        mkfifo(drive.scratch("pipe"), 0o644)
        #expect(try drive.store.read("pipe", in: drive.root) == nil)
        #expect(try drive.store.look(at: "pipe", in: drive.root)?.kind == .other)
        #expect(try drive.store.open("pipe", in: drive.root) == nil)
    }

    @Test func aListingThatFailsThrows() throws {
        let drive = try ScratchDrive()
        mkdir(drive.scratch("d"), 0o755)
        let folder = try #require(try drive.store.open("d", in: drive.root))
        rmdir(drive.scratch("d"))
        #expect(kind { _ = try drive.store.list(folder) } == .notFound)
    }

    @Test func pathsLongerThanTheKernelTakesWork() throws {
        let drive = try ScratchDrive()
        let name = FileName(bytes: Array(repeating: 0x64, count: 200))
        var folder = drive.root
        for depth in 0..<30 {
            _ = try drive.store.stageFolder("f\(depth)".name)
            #expect(
                try drive.store.move("f\(depth)".name, in: drive.store.open(.incoming), to: name, in: folder) == .done)
            folder = try #require(try drive.store.open(name, in: folder))
        }
        _ = try drive.stage("deep", "bytes")
        #expect(try drive.store.move("deep", in: drive.store.open(.incoming), to: "deep", in: folder) == .done)
        #expect(try drive.names(folder) == ["deep"])
        #expect(try drive.store.look(at: "deep", in: folder)?.size == 5)
        #expect(try drive.store.extendedAttributes(of: "deep", in: folder) == [:])
    }

    @Test func factsTellWhatIsThere() throws {
        let drive = try ScratchDrive()
        try drive.scratch.write("a", "12345", mode: 0o750)
        let status = try drive.scratch.status("a")
        let facts = try #require(try drive.store.look(at: "a", in: drive.root))
        #expect(facts.kind == .file && facts.size == 5 && facts.isExecutable && !facts.isForeignMount)
        #expect(facts.identity.inode == UInt64(status.st_ino))
        #expect(
            facts.modified
                == FileTime(seconds: Int64(status.st_mtim.tv_sec), nanoseconds: UInt32(status.st_mtim.tv_nsec)))
        #expect(try drive.store.look(at: "b", in: drive.root) == nil)
        #expect(try drive.store.look(at: "b", in: drive.root) == nil)
    }

    @Test func anOpenWriterIsNoticed() throws {
        let drive = try ScratchDrive()
        try drive.scratch.write("a", "1")
        guard drive.store.isBeingWritten("a", in: drive.root) != nil else { try Test.cancel("no leases here") }
        #expect(drive.store.isBeingWritten("a", in: drive.root) == false)
        let writer = Descriptor(Glibc.open(drive.scratch("a"), O_WRONLY | O_CLOEXEC))
        #expect(drive.store.isBeingWritten("a", in: drive.root) == true)
        withExtendedLifetime(writer) {}
        #expect(drive.store.isBeingWritten("missing", in: drive.root) == nil)
    }
}

extension String {
    var name: FileName { FileName(self) }
}
