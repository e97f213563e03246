import DriveCore
import Glibc
import Testing

@testable import DriveFiles

struct DiskNamesTests {
    @Test(arguments: scratchPlaces)
    func aMoveNeverReplaces(place: String) throws {
        let drive = try ScratchDrive(in: place)
        let (store, root) = (drive.store, drive.root)
        try drive.scratch.write("a", "mine")
        try drive.scratch.write("b", "theirs")
        #expect(try store.move("a", in: root, to: "b", in: root) == .occupied)
        #expect(drive.scratch.read("b") == "theirs")
        #expect(try store.move("a", in: root, to: "c", in: root) == .done)
        #expect(try store.move("a", in: root, to: "d", in: root) == .missing)
        #expect(drive.scratch.read("c") == "mine")
        #expect(try store.move("c", in: root, to: "c", in: root) == .occupied)
    }

    @Test(arguments: scratchPlaces)
    func anExchangeKeepsBoth(place: String) throws {
        let drive = try ScratchDrive(in: place)
        let (store, root) = (drive.store, drive.root)
        try drive.scratch.write("a", "old")
        _ = try drive.stage("s", "new")
        let incoming = try store.open(.incoming)
        #expect(try store.exchange("s", in: incoming, with: "a", in: root) == .done)
        #expect(drive.scratch.read("a") == "new")
        #expect(drive.scratch.read(".docdrive/staging/in/s") == "old")
        #expect(try store.exchange("s", in: incoming, with: "gone", in: root) == .missing)
        #expect(try store.exchange("gone", in: incoming, with: "a", in: root) == .missing)
    }

    @Test func aFolderThatMayNotBeChangedIsToldWithoutATry() throws {
        let drive = try ScratchDrive()
        let (store, root) = (drive.store, drive.root)
        try drive.scratch.write("f", "1")
        #expect(store.obstruction(at: "f", in: root) == nil)
        #expect(store.obstruction(at: "new", in: root) == nil)
        #expect(store.obstruction(at: "a/b", in: root)?.kind == .usage)
        mkdir(drive.scratch("d"), 0o500)
        let closed = try #require(try store.open("d", in: root))
        // Root may change every folder.
        let isClosed = store.obstruction(at: "new", in: closed)?.kind == .permissionDenied
        #expect(isClosed == (geteuid() != 0))
    }

    @Test func aFolderDoesNotGoIntoItself() throws {
        let drive = try ScratchDrive()
        let (store, root) = (drive.store, drive.root)
        mkdir(drive.scratch("d"), 0o755)
        mkdir(drive.scratch("d/e"), 0o755)
        let outer = try #require(try store.open("d", in: root))
        let inner = try #require(try store.open("e", in: outer))
        #expect(try store.move("d", in: root, to: "x", in: inner) == .impossible)
        try drive.scratch.write("d/e/f", "1")
        #expect(try store.exchange("d", in: root, with: "f", in: inner) == .impossible)
        #expect(drive.scratch.read("d/e/f") == "1")
    }

    @Test func onlyAnEmptyFolderIsRemoved() throws {
        let drive = try ScratchDrive()
        let (store, root) = (drive.store, drive.root)
        mkdir(drive.scratch("d"), 0o755)
        try drive.scratch.write("d/f", "1")
        #expect(try store.removeFolder("d", in: root) == .occupied)
        unlink(drive.scratch("d/f"))
        #expect(try store.removeFolder("d", in: root) == .done)
        #expect(try store.removeFolder("d", in: root) == .missing)
        try drive.scratch.write("f", "1")
        #expect(try store.removeFolder("f", in: root) == .missing)
        #expect(drive.scratch.read("f") == "1")
    }

    @Test func onlyIncomingAndTrashAreDiscarded() throws {
        let drive = try ScratchDrive()
        let store = drive.store
        for area in FileArea.allCases {
            _ = try drive.stage("x", "1")
            if area != .incoming {
                #expect(try store.move("x", in: store.open(.incoming), to: "x", in: store.open(area)) == .done)
            }
            let mayGo = area == .incoming || area == .trash
            #expect(kind { try store.discard("x", in: area) } == (mayGo ? nil : .internalFault))
            #expect(try drive.names(store.open(area)).contains("x") == !mayGo)
        }
        #expect(kind { try store.discard("never was", in: .trash) } == nil)
        _ = try store.stageFolder("d")
        try store.discard("d", in: .incoming)
        #expect(try drive.names(store.open(.incoming)) == [])
    }
}
