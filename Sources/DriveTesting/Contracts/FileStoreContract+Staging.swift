import DriveCore
import DriveTransport

extension FileStoreContract {
    static var staging: [Promise] {
        [
            Promise("the areas are five different folders", areas),
            Promise("a staged file has its bytes and attributes, and is not in the root", stagesFiles),
            Promise("what is written as another file has it is written", stagesShared),
            Promise("a snapshot stays as it was", snapshots),
            Promise("links and folders are staged", stagesOthers),
            Promise("a staged name is used once", stagesOnce),
            Promise("a link has a possible target or is not made", linkTargets),
            Promise("a lie about the size takes no room", sizes),
            Promise("only incoming and trash are ever unlinked from", discards),
            Promise("a staged folder is discarded if it is empty, and nothing twice", discardsFolders),
            Promise("from the trash a folder is discarded with all in it", discardsTrashedFolders),
            Promise("all of it can be made durable, and free space is told", durable),
        ]
    }

    private static func areas(_ fixture: FolderFixture) throws {
        var identities: Set<FileIdentity> = []
        for area in FileArea.allCases {
            let folder = try fixture.store.open(area)
            identities.insert(folder.identity)
            try require(try fixture.store.list(folder).isEmpty, "\(area) is empty at first")
        }
        try requireEqual(identities.count, FileArea.allCases.count, "number of areas")
    }

    private static func stagesFiles(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
        let modified = FileTime(seconds: 1_600_000_000, nanoseconds: 0)
        let facts = try view.stage("staged", bytes, Attributes(isExecutable: true, modified: modified))
        let incoming = try fixture.store.open(.incoming)
        try requireEqual(facts, try view.facts("staged", in: incoming), "facts that finish returns")
        try requireEqual(facts.kind, .file, "kind of a staged file")
        try requireEqual(facts.size, 10_000, "size of a staged file")
        try require(facts.isExecutable, "a staged file has its flag")
        try requireEqual(facts.modified, modified, "modification time of a staged file")
        try require(try view.bytes("staged", in: incoming, piece: 777) == bytes, "bytes of a staged file")
        try require(try fixture.store.look(at: "staged", in: try view.root()) == nil, "staging is not the root")
        try requireEqual(try view.stage("empty", []).size, 0, "size of an empty staged file")
        try require(!(try view.stage("plain", [1])).isExecutable, "a plain staged file is not executable")
    }

    private static func stagesShared(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 9) }
        try view.stage("source", bytes)
        let incoming = try fixture.store.open(.incoming)
        let source = try requireValue(try fixture.store.read("source", in: incoming), "the source")
        let writer = try fixture.store.stageFile("shared", size: 40_004, isSharing: true)
        func share(_ range: Range<Int>) throws {
            try bytes[range].withUnsafeBytes { try writer.write($0, asAt: UInt64(range.lowerBound), of: source) }
        }
        try share(0..<9_000)
        try share(9_000..<20_000)
        let between: [UInt8] = [1, 2, 3, 4]
        try between.withUnsafeBytes { try writer.write($0) }
        try share(0..<20_000)
        try requireEqual(try writer.finish(Attributes()).size, 40_004, "size of a file that shares blocks")
        try require(
            try view.bytes("shared", in: incoming, piece: 4_096) == bytes + between + bytes,
            "bytes of a file that shares blocks")
    }

    private static func snapshots(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        try view.stage("file", [UInt8](repeating: 7, count: 10_000))
        let incoming = try fixture.store.open(.incoming)
        let reader = try requireValue(try fixture.store.read("file", in: incoming), "the file")
        guard let snapshot = try fixture.store.snapshot(of: reader) else { return }
        try fixture.store.discard("file", in: .incoming)
        try requireEqual(snapshot.facts.size, 10_000, "size of a snapshot")
        try require(
            try FolderView.digest(snapshot, piece: 777) == FolderView.digest(reader, piece: 777), "bytes of a snapshot")
    }

    private static func stagesOthers(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        let incoming = try fixture.store.open(.incoming)
        let modified = FileTime(seconds: 1_500_000_000, nanoseconds: 0)
        let link = try fixture.store.stageLink("link", target: [0x2F, 0xFE], modified: modified)
        try requireEqual(link, try view.facts("link", in: incoming), "facts of a staged link")
        try requireEqual(link.kind, .link, "kind of a staged link")
        try requireEqual(link.modified, modified, "modification time of a staged link")
        try requireEqual(try fixture.store.readLink("link", in: incoming), [0x2F, 0xFE], "target of a staged link")
        let folder = try fixture.store.stageFolder("folder")
        try requireEqual(folder.kind, .folder, "kind of a staged folder")
        try requireEqual(
            folder.identity, try view.facts("folder", in: incoming).identity, "identity of a staged folder")
        try require(try fixture.store.list(try view.folder("folder", in: incoming)).isEmpty, "it is empty")
    }

    private static func stagesOnce(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        try view.stage("name", [1])
        try requireThrows("a second staged file of the name") { try view.stage("name", [2]) }
        try requireThrows("a staged link of the name") {
            _ = try fixture.store.stageLink("name", target: [0x61], modified: nil)
        }
        try requireThrows("a staged folder of the name") { _ = try fixture.store.stageFolder("name") }
        try requireEqual(try view.bytes("name", in: try fixture.store.open(.incoming)), [1], "the first one stays")
    }

    private static func discards(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        let incoming = try fixture.store.open(.incoming)
        for area in FileArea.allCases {
            try view.stage("file", [1])
            let folder = try fixture.store.open(area)
            if area != .incoming {
                try requireEqual(
                    try fixture.store.move("file", in: incoming, to: "file", in: folder), .done, "move to \(area)")
            }
            if area == .incoming || area == .trash {
                try fixture.store.discard("file", in: area)
                try require(try fixture.store.look(at: "file", in: folder) == nil, "discard in \(area)")
            } else {
                try requireThrows("discard in \(area)", .internalFault) { try fixture.store.discard("file", in: area) }
                try requireEqual(try view.bytes("file", in: folder), [1], "what is in \(area) stays")
            }
        }
        _ = try fixture.store.stageLink("link", target: [0x61], modified: nil)
        try fixture.store.discard("link", in: .incoming)
        try require(try fixture.store.look(at: "link", in: incoming) == nil, "a staged link is discarded")
    }

    private static func linkTargets(_ fixture: FolderFixture) throws {
        let long = [UInt8](repeating: 0x61, count: 4095)
        for target in [[], [0x61, 0, 0x62], long + [0x61]] {
            try requireThrows("a target of \(target.count) bytes", .usage) {
                _ = try fixture.store.stageLink("link", target: target, modified: nil)
            }
        }
        let incoming = try fixture.store.open(.incoming)
        try require(try fixture.store.list(incoming).isEmpty, "nothing is staged")
        _ = try fixture.store.stageLink("link", target: long, modified: nil)
        try requireEqual(try fixture.store.readLink("link", in: incoming), long, "the longest target")
    }

    private static func sizes(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        for size in [.max, 1 << 63, (1 << 63) - 1, 1 << 60] as [UInt64] {
            // A file system that reserves nothing cannot refuse; the first bytes too many will be.
            guard let writer = try? fixture.store.stageFile("file", size: size) else { continue }
            try requireEqual(try writer.finish(Attributes()).size, 0, "size of a file that nobody wrote to")
            try fixture.store.discard("file", in: .incoming)
        }
        try require(try fixture.store.list(try fixture.store.open(.incoming)).isEmpty, "nothing is left behind")
        try requireEqual(try view.stage("file", [1]).size, 1, "the disk is as usual")
    }

    private static func discardsFolders(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        let incoming = try fixture.store.open(.incoming)
        _ = try fixture.store.stageFolder("empty")
        _ = try fixture.store.stageFolder("full")
        try view.stage("file", [1])
        let full = try view.folder("full", in: incoming)
        try requireEqual(try fixture.store.move("file", in: incoming, to: "file", in: full), .done, "move")
        try fixture.store.discard("empty", in: .incoming)
        try fixture.store.discard("empty", in: .incoming)
        try requireThrows("discard of a full folder") { try fixture.store.discard("full", in: .incoming) }
        try requireEqual(try view.bytes("file", in: full), [1], "what is in a full folder")
        try require(try view.names(incoming) == ["full"], "only the empty folder is gone")
    }

    private static func discardsTrashedFolders(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        let (incoming, trash) = (try fixture.store.open(.incoming), try fixture.store.open(.trash))
        for (number, name) in (["full", "inner", "deep"] as [FileName]).enumerated() {
            _ = try fixture.store.stageFolder(name)
            try view.stage(FileName("file\(number)"), [1])
        }
        _ = try fixture.store.stageFolder("other")
        _ = try fixture.store.stageLink("link", target: Array("/".utf8), modified: nil)
        let (full, inner) = (try view.folder("full", in: incoming), try view.folder("inner", in: incoming))
        let deep = try view.folder("deep", in: incoming)
        let moves: [(FileName, OpenFolder)] = [
            ("file0", full), ("file1", inner), ("file2", deep), ("link", inner), ("other", full), ("deep", inner),
            ("inner", full), ("full", trash),
        ]
        for (name, folder) in moves {
            try requireEqual(try fixture.store.move(name, in: incoming, to: name, in: folder), .done, "move \(name)")
        }
        try fixture.store.discard("full", in: .trash)
        try require(try view.names(trash).isEmpty, "all of it is gone")
        try fixture.store.discard("full", in: .trash)
    }

    private static func durable(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        try view.stage("file", [1])
        let incoming = try fixture.store.open(.incoming)
        try requireEqual(
            try fixture.store.move("file", in: incoming, to: "file", in: try view.root()), .done, "move")
        try fixture.store.makeDurable()
        try requireEqual(try fixture.person.read("file"), [1], "what was made durable")
        let space = try fixture.store.freeSpace()
        try require(space.total > 0 && space.available <= space.total, "free space is a part of all space")
    }
}
