import DriveCore
import DriveTransport

extension FileStoreContract {
    static var reading: [Promise] {
        [
            Promise("a look finds kind, size and flag, and follows no link", looks),
            Promise("only folders are opened", opens),
            Promise("a path leads where its parts lead one by one", paths),
            Promise("a path may be longer than the kernel takes at once", longPaths),
            Promise("a list is complete and holds nothing else", lists),
            Promise("a digest changes with whatever a look at each entry tells", digests),
            Promise("names are bytes", names),
            Promise("where a name is found in other letters it is said", letters),
            Promise("an open folder stays the same folder when it is moved", movedFolder),
            Promise("a removed folder is never taken for an empty one", removedFolder),
            Promise("a file is read from its beginning to its end", reads),
            Promise("a reader notices that its file was written to", readerNotices),
            Promise("a file that is read as it was seen is that file, or another is noticed", readsAsSeen),
            Promise("the target of a link is its exact bytes", readsLinks),
            Promise("an identity lasts as long as its inode", identities),
            Promise("an open file outlives its name", outlives),
            Promise("impossible names lead nowhere", impossibleNames),
            Promise("the drive's own folder is out of reach through the root", ownFolder),
        ]
    }

    private static func looks(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        let person = fixture.person
        try person.create("file", [1, 2, 3])
        try person.create("program", [1])
        try person.setExecutable("program")
        try person.makeFolder("folder")
        try person.makeLink("link", to: Array("file".utf8))
        try person.makeLink("dangling", to: Array("nowhere".utf8))
        let root = try view.root()
        let file = try view.facts("file", in: root)
        try requireEqual(file.kind, .file, "kind of a file")
        try requireEqual(file.size, 3, "size of a file")
        try require(!file.isExecutable, "a plain file is not executable")
        try require(!file.isForeignMount, "a plain file is on the root's file system")
        try require(try view.facts("program", in: root).isExecutable, "an executable file is")
        try requireEqual(try view.facts("folder", in: root).kind, .folder, "kind of a folder")
        let link = try view.facts("link", in: root)
        try requireEqual(link.kind, .link, "kind of a link")
        try requireEqual(link.size, 4, "size of a link is that of its target")
        try require(!link.isExecutable, "a link is not executable")
        try requireEqual(try view.facts("dangling", in: root).kind, .link, "kind of a dangling link")
        try require(try fixture.store.look(at: "nothing", in: root) == nil, "nothing has no facts")
        if try person.makePipe("pipe") {
            try requireEqual(try view.facts("pipe", in: root).kind, .other, "kind of a pipe")
        }
    }

    private static func digests(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        let (store, person) = (fixture.store, fixture.person)
        try person.makeFolder("folder")
        let folder = try view.folder("folder", in: view.root())
        var seen: Set<FolderDigest> = []
        func differs(_ change: String, _ body: () throws -> Void) throws {
            try body()
            let digest = try requireValue(try store.digest(folder), "a digest after \(change)")
            try requireEqual(try store.digest(folder), digest, "a digest of the same")
            var wanted = FolderDigest()
            for entry in try store.list(folder).reversed() {
                wanted.add(store.fingerprint(of: entry.name, try view.facts(entry.name, in: folder)))
            }
            try requireEqual(digest, wanted, "the sum of all entries after \(change)")
            try require(seen.insert(digest).inserted, "another digest after \(change)")
        }
        try differs("nothing") {}
        try differs("a file") { try person.create("folder/a", [1]) }
        try differs("bytes") { try person.write("folder/a", [2, 3]) }
        try differs("a folder") { try person.makeFolder("folder/inner") }
        try differs("a link") { try person.makeLink("folder/link", to: [0x61]) }
        try differs("a move") { try person.move("folder/a", to: "folder/b") }
        try differs("a flag") { try person.setExecutable("folder/b") }
        try differs("something in a folder of it") { try person.create("folder/inner/file", [1]) }
        try differs("a removal") { try person.remove("folder/b") }
        if try person.makePipe("folder/pipe") {
            try requireEqual(try store.digest(folder), nil, "a digest with a pipe")
        }
        try requireEqual(try store.digest(view.root())?.count, 1, "entries of the root, without the drive's own")
    }

    private static func opens(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        let person = fixture.person
        try person.makeFolder("folder")
        try person.create("folder/file", [1])
        try person.makeLink("link", to: Array("folder".utf8))
        let root = try view.root()
        let folder = try view.folder("folder", in: root)
        try requireEqual(folder.identity, try view.facts("folder", in: root).identity, "identity of an open folder")
        try require(try fixture.store.open("file", in: folder) == nil, "a file is not opened as a folder")
        try require(try fixture.store.open("link", in: root) == nil, "a link to a folder is not opened")
        try require(try fixture.store.open("nothing", in: root) == nil, "nothing is not opened")
    }

    private static func paths(_ fixture: FolderFixture) throws {
        let (view, person, store) = (FolderView(fixture), fixture.person, fixture.store)
        for folder in ["a", "a/b", "a/b/c", "a/.docdrive"] as [DrivePath] { try person.makeFolder(folder) }
        try person.create("a/file", [1])
        try person.makeLink("a/link", to: Array("b".utf8))
        let root = try view.root()
        let a = try view.folder("a", in: root)
        let c = try view.folder("c", in: view.folder("b", in: a))
        try requireEqual(try store.open(path: .root, in: a)?.identity, a.identity, "the empty path")
        try requireEqual(try store.open(path: "a", in: root)?.identity, a.identity, "a path of one part")
        try requireEqual(try store.open(path: "a/b/c", in: root)?.identity, c.identity, "a path of three")
        try requireEqual(try store.open(path: "b/c", in: a)?.identity, c.identity, "a path from another folder")
        try require(
            try store.open(path: "a/.docdrive", in: root) != nil, "the own folder's name is anybody's elsewhere")
        for none in [
            "a/none/c", "a/b/none", "a/link/c", "a/link", "a/file", "a/file/c", ".docdrive", ".docdrive/trash",
        ] {
            try require(try store.open(path: DrivePath(none), in: root) == nil, "\(none) is no folder of the drive")
        }
        for names in [["a", "..", "a"], ["..", "a"], ["a/b", "c"], ["a", ""]] as [[FileName]] {
            try require(try store.open(path: DrivePath(names), in: root) == nil, "\(names) leads nowhere")
        }
    }

    /// Neither folder can be made by its path.
    private static func longPaths(_ fixture: FolderFixture) throws {
        let (view, person, store) = (FolderView(fixture), fixture.person, fixture.store)
        let name = FileName(String(repeating: "d", count: 250))
        var halves: [DrivePath] = ["a", "b"]
        for half in halves.indices {
            try person.makeFolder(halves[half])
            for _ in 0..<12 {
                halves[half] = halves[half].appending(name)
                try person.makeFolder(halves[half])
            }
        }
        try person.move("b", to: halves[0].appending("b"))
        let path = DrivePath(halves[0].components + halves[1].components)
        let folder = try path.components.reduce(try view.root()) { try view.folder($1, in: $0) }
        let found = try store.open(path: path, in: view.root())
        try requireEqual(found?.identity, folder.identity, "\(path.bytes.count) bytes")
    }

    private static func lists(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        let root = try view.root()
        try require(try fixture.store.list(root).isEmpty, "the drive's own folder and dots are not listed")
        var wanted: Set<FileName> = ["folder", "link"]
        for number in 0..<600 {
            let name = FileName("a file with a long name, so that one call of the kernel does not list all, \(number)")
            wanted.insert(name)
            try fixture.person.create(DrivePath([name]), [])
        }
        try fixture.person.makeFolder("folder")
        try fixture.person.makeLink("link", to: [0x61])
        let entries = try fixture.store.list(root)
        try requireEqual(entries.count, wanted.count, "entries of a list")
        try require(Set(entries.map(\.name)) == wanted, "a list has the names that are there")
        for entry in entries.prefix(20) + entries.filter({ !$0.name.bytes.contains(0x20) }) {
            let facts = try view.facts(entry.name, in: root)
            try requireEqual(entry.inode, facts.identity.inode, "inode of a listed entry")
            try require(entry.kind == facts.kind || entry.kind == .other, "kind of a listed entry")
        }
    }

    private static func names(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        let names: [FileName] = [
            FileName(bytes: [0xC3, 0xA9]), FileName(bytes: [0x65, 0xCC, 0x81]), FileName(bytes: [0xFF, 0xFE]),
            FileName(bytes: [0x0A]), FileName(bytes: [0x20]), FileName(bytes: [0x2D, 0x72]),
            FileName(bytes: Array(repeating: 0x78, count: 255)), "...", "a", "A",
        ]
        for (number, name) in names.enumerated() {
            try fixture.person.create(DrivePath([name]), [UInt8(number)])
        }
        let root = try view.root()
        try require(try view.names(root) == Set(names), "each name is listed as it is")
        for (number, name) in names.enumerated() {
            try requireEqual(try view.bytes(name, in: root), [UInt8(number)], "the file of the very name")
        }
    }

    private static func letters(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        try fixture.person.makeFolder("folder")
        try fixture.person.create("file", [1])
        try fixture.person.create("folder/file", [2])
        let root = try view.root()
        for folder in [root, try view.folder("folder", in: root)] {
            let isFound = try fixture.store.look(at: "FILE", in: folder) != nil
            try requireEqual(fixture.store.foldsCase(folder), isFound, "what the store says of letters")
        }
    }

    private static func movedFolder(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        let person = fixture.person
        try person.makeFolder("folder")
        try person.makeFolder("other")
        try person.create("folder/file", [7])
        let folder = try view.folder("folder", in: try view.root())
        try person.move("folder", to: "other/moved")
        try person.makeFolder("folder")
        try person.create("folder/file", [8])
        try requireEqual(try view.bytes("file", in: folder), [7], "what an open folder reads after a move")
        try view.stage("staged", [9])
        let outcome = try fixture.store.move("staged", in: try fixture.store.open(.incoming), to: "new", in: folder)
        try requireEqual(outcome, .done, "move into a moved folder")
        try requireEqual(try person.read("other/moved/new"), [9], "what was moved through an open folder")
        try require(try person.read("folder/new") == nil, "the folder that took the name is left alone")
    }

    private static func removedFolder(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        try fixture.person.makeFolder("folder")
        try fixture.person.create("folder/file", [7])
        let folder = try view.folder("folder", in: try view.root())
        try fixture.person.remove("folder")
        try fixture.person.makeFolder("folder")
        try requireThrows("the list of a removed folder") { _ = try fixture.store.list(folder) }
        try require(try fixture.store.look(at: "file", in: folder) == nil, "nothing is in a removed folder")
        try require(try fixture.store.open("file", in: folder) == nil, "nothing opens in a removed folder")
        try view.stage("staged", [9])
        let outcome = try fixture.store.move("staged", in: try fixture.store.open(.incoming), to: "new", in: folder)
        try requireEqual(outcome, .missing, "move into a removed folder")
        try requireEqual(
            try view.bytes("staged", in: try fixture.store.open(.incoming)), [9], "what could not be moved stays")
    }

    private static func reads(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        let long = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try fixture.person.create("long", long)
        try fixture.person.create("same", long)
        try fixture.person.create("other", long.dropLast() + [1])
        try fixture.person.create("empty", [])
        try fixture.person.makeFolder("folder")
        try fixture.person.makeLink("link", to: Array("long".utf8))
        let root = try view.root()
        var hashes: [ContentHash] = []
        for (name, piece) in [("long", 999), ("same", 100_001), ("other", 4096)] as [(FileName, Int)] {
            let reader = try requireValue(try fixture.store.read(name, in: root), "read \(name)")
            try requireEqual(reader.facts, try view.facts(name, in: root), "facts of a reader")
            let bytes = try FolderView.drain(reader, piece: piece)
            try require(bytes == (name == "other" ? long.dropLast() + [1] : long), "bytes of \(name)")
            try require(try reader.isUnchanged(), "a file that nobody touched is unchanged")
            let again = try requireValue(try fixture.store.read(name, in: root), "read \(name) again")
            hashes.append(try FolderView.digest(again, piece: piece))
        }
        try require(hashes[0] == hashes[1], "equal bytes have equal hashes, however they were read")
        try require(hashes[0] != hashes[2], "these different bytes have different hashes")
        try requireEqual(
            fixture.store.contentHash(ofLinkTarget: long), hashes[0], "the store has the hash that its readers have")
        try requireEqual(try view.bytes("empty", in: root), [], "bytes of an empty file")
        for name in ["folder", "link", "nothing"] as [FileName] {
            try require(try fixture.store.read(name, in: root) == nil, "\(name) is not read as a file")
        }
        if try fixture.person.makePipe("pipe") {
            try require(try fixture.store.read("pipe", in: root) == nil, "a pipe is not read, nor waited for")
        }
    }

    private static func readerNotices(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        try fixture.person.create("file", [1, 2, 3])
        let root = try view.root()
        let reader = try requireValue(try fixture.store.read("file", in: root), "read a file")
        _ = try FolderView.drain(reader)
        try fixture.person.write("file", [1, 2, 3, 4])
        try require(!(try reader.isUnchanged()), "a write while reading is noticed")
        try require(
            !(try view.facts("file", in: root)).looksUnchanged(since: reader.facts), "a write shows in the facts")
    }

    private static func readsAsSeen(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        let (store, person) = (fixture.store, fixture.person)
        try person.create("file", [1, 2, 3])
        let root = try view.root()
        let seen = try view.facts("file", in: root)
        let reader = try requireValue(try store.read("file", in: root, as: seen), "read a file as it was seen")
        try requireEqual(try FolderView.drain(reader), [1, 2, 3], "bytes of a file as it was seen")
        try require(try reader.isUnchanged(), "nothing changed")
        try require(reader.facts.looksUnchanged(since: seen), "facts of a file as it was seen")

        func differs(_ change: String, _ body: () throws -> Void) throws {
            try body()
            guard let reader = try store.read("file", in: root, as: seen) else { return }
            do {
                _ = try FolderView.drain(reader)
                let isAsSeen = reader.facts.looksUnchanged(since: seen)
                try require(try !(isAsSeen && reader.isUnchanged()), "\(change) is noticed")
            } catch is DriveError {}
        }
        try differs("a write") { try person.write("file", [4, 5, 6]) }
        try differs("another file") {
            try person.remove("file")
            try person.create("file", [1, 2, 3])
        }
        try differs("a link") {
            try person.remove("file")
            try person.makeLink("file", to: [0x61])
        }
        try differs("a folder") {
            try person.remove("file")
            try person.makeFolder("file")
        }
        try person.remove("file")
        try require(try store.read("file", in: root, as: seen) == nil, "nothing is not read")
        if try person.makePipe("file") { try differs("a pipe") {} }
    }

    private static func readsLinks(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        let target: [UInt8] = [0x2E, 0x2E, 0x2F, 0xFF, 0x20]
        try fixture.person.makeLink("link", to: target)
        try fixture.person.create("file", target)
        let root = try view.root()
        try requireEqual(try fixture.store.readLink("link", in: root), target, "target of a link")
        try require(try fixture.store.readLink("file", in: root) == nil, "a file is no link")
        try require(try fixture.store.readLink("nothing", in: root) == nil, "nothing is no link")
    }

    private static func identities(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        try fixture.person.create("file", [1])
        let root = try view.root()
        let before = try view.facts("file", in: root)
        try fixture.person.write("file", [2])
        try requireEqual(try view.facts("file", in: root).identity, before.identity, "identity after a write")
        try fixture.person.move("file", to: "moved")
        try requireEqual(try view.facts("moved", in: root).identity, before.identity, "identity after a rename")
        try fixture.person.create("other", [1])
        try require(try view.facts("other", in: root).identity != before.identity, "two files have two identities")
    }

    private static func outlives(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        try fixture.person.create("file", [1, 2, 3, 4])
        let reader = try requireValue(try fixture.store.read("file", in: try view.root()), "read a file")
        try fixture.person.remove("file")
        try fixture.person.create("file", [9])
        try requireEqual(try FolderView.drain(reader), [1, 2, 3, 4], "bytes of a file that was removed while open")
    }

    private static func impossibleNames(_ fixture: FolderFixture) throws {
        let (view, store) = (FolderView(fixture), fixture.store)
        try fixture.person.create("file", [1])
        try fixture.person.makeFolder("folder")
        let root = try view.root()
        let folder = try view.folder("folder", in: root)
        let identity = try view.facts("file", in: root).identity
        for name in impossible {
            try require(try store.look(at: name, in: folder) == nil, "nothing is looked at")
            try require(try store.open(name, in: folder) == nil, "nothing is opened")
            try require(try store.read(name, in: folder) == nil, "nothing is read")
            try require(try store.readLink(name, in: folder) == nil, "nothing is a link")
            try requireEqual(try store.move("file", in: root, to: name, in: folder), .impossible, "move to it")
            try requireEqual(try store.move(name, in: folder, to: "new", in: root), .impossible, "move of it")
            try requireEqual(try store.exchange("file", in: root, with: name, in: folder), .impossible, "exchange")
            try requireEqual(try store.removeFolder(name, in: folder), .impossible, "removal")
            try require(
                try !store.setAttributes(Attributes(isExecutable: true), of: name, in: folder, expecting: identity),
                "nothing has attributes")
            try requireThrows("a staged file", .usage) { _ = try store.stageFile(name, size: 0) }
            try requireThrows("a staged link", .usage) {
                _ = try store.stageLink(name, target: [0x61], modified: nil)
            }
            try requireThrows("a staged folder", .usage) { _ = try store.stageFolder(name) }
            try requireThrows("extended attributes", .usage) { _ = try store.extendedAttributes(of: name, in: folder) }
        }
        try require(try view.names(root) == ["file", "folder"], "nothing appears")
        try require(try store.list(try store.open(.incoming)).isEmpty, "nothing is staged")
    }

    private static let impossible: [FileName] = [
        "", ".", "..", "/", "a/b", "/etc", "../file", "file/", FileName(bytes: [0x66, 0]),
        FileName(bytes: Array(repeating: 0x78, count: 256)),
    ]

    private static func ownFolder(_ fixture: FolderFixture) throws {
        let (view, store) = (FolderView(fixture), fixture.store)
        try fixture.person.create("file", [1])
        try fixture.person.makeFolder("folder")
        try fixture.person.create("folder/.docdrive", [2])
        let root = try view.root()
        let own: FileName = ".docdrive"
        try require(try store.look(at: own, in: root) == nil, "it is not looked at")
        try require(try store.open(own, in: root) == nil, "it is not opened")
        try requireEqual(try store.move("file", in: root, to: own, in: root), .impossible, "move onto it")
        try requireEqual(try store.move(own, in: root, to: "new", in: root), .impossible, "move of it")
        try requireEqual(try store.exchange("file", in: root, with: own, in: root), .impossible, "exchange with it")
        try requireEqual(try store.removeFolder(own, in: root), .impossible, "removal of it")
        try requireEqual(
            try view.bytes(own, in: try view.folder("folder", in: root)), [2], "its name is anybody's elsewhere")
        try require(try view.names(root) == ["file", "folder"], "nothing appears")
    }
}
