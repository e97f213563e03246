import DriveCore
import DriveTransport

extension FileStoreContract {
    static var attributes: [Promise] {
        [
            Promise("attributes are set on the expected file only", setsAttributes),
            Promise("setting what is there already changes nothing", setsNothing),
            Promise("folders and links have no flag, and folders no time of ours", setsOthers),
            Promise("times of any year are kept as well as the disk can", times),
            Promise("the carried extended attributes are read, set and removed, and no others", carries),
            Promise("a staged file takes over what the drive does not carry", adopts),
        ]
    }

    private static let time = FileTime(seconds: 1_400_000_000, nanoseconds: 0)

    private static func setsAttributes(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        try fixture.person.create("file", [1])
        try fixture.person.create("other", [1])
        let root = try view.root()
        let facts = try view.facts("file", in: root)
        let other = try view.facts("other", in: root)
        let wanted = Attributes(isExecutable: true, modified: time)
        try require(
            try fixture.store.setAttributes(wanted, of: "file", in: root, expecting: facts.identity),
            "attributes of the expected file")
        let after = try view.facts("file", in: root)
        try require(after.isExecutable, "the flag is set")
        try requireEqual(after.modified, time, "the time is set")
        try require(
            !(try fixture.store.setAttributes(wanted, of: "other", in: root, expecting: facts.identity)),
            "another file is refused")
        try requireEqual(try view.facts("other", in: root), other, "another file is left alone")
        try require(
            !(try fixture.store.setAttributes(wanted, of: "nothing", in: root, expecting: facts.identity)),
            "nothing is refused")
        let plain = Attributes(isExecutable: false, modified: nil)
        try require(
            try fixture.store.setAttributes(plain, of: "file", in: root, expecting: facts.identity), "plain again")
        try require(!(try view.facts("file", in: root).isExecutable), "the flag is cleared")
        try requireEqual(try view.facts("file", in: root).modified, time, "no time leaves the time")
        try requireEqual(try fixture.person.read("file"), [1], "bytes are left alone")
    }

    private static func setsNothing(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        try fixture.person.create("file", [1])
        let root = try view.root()
        let facts = try view.facts("file", in: root)
        try require(
            try fixture.store.setAttributes(
                Attributes(isExecutable: false, modified: facts.modified), of: "file", in: root,
                expecting: facts.identity), "attributes that are there already")
        try requireEqual(try view.facts("file", in: root), facts, "facts, ctime included")
    }

    private static func setsOthers(_ fixture: FolderFixture) throws {
        let (view, store) = (FolderView(fixture), fixture.store)
        try fixture.person.makeFolder("folder")
        try fixture.person.create("target", [1])
        try fixture.person.makeLink("link", to: Array("target".utf8))
        let root = try view.root()
        let wanted = Attributes(isExecutable: true, modified: time)
        let (folder, link) = (try view.facts("folder", in: root), try view.facts("link", in: root))
        let target = try view.facts("target", in: root)
        try require(
            try store.setAttributes(wanted, of: "folder", in: root, expecting: folder.identity), "of a folder")
        try requireEqual(try view.facts("folder", in: root), folder, "a folder")
        try require(try store.setAttributes(wanted, of: "link", in: root, expecting: link.identity), "of a link")
        try requireEqual(try view.facts("link", in: root).modified, time, "time of a link")
        try requireEqual(try view.facts("target", in: root), target, "what a link leads to")
    }

    /// A disk may move a time that it cannot hold to the nearest one it can; it does not fail, and it says which.
    private static func times(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        for seconds in [Int64.min, -1 << 40, -1, 0, 1 << 40, Int64.max] {
            let time = FileTime(seconds: seconds, nanoseconds: 999_999_999)
            let facts = try view.stage("file", [1], Attributes(modified: time))
            let incoming = try fixture.store.open(.incoming)
            try requireEqual(facts.modified, try view.facts("file", in: incoming).modified, "the time that it got")
            if (-1...1 << 31).contains(seconds) { try requireEqual(facts.modified, time, "a time of this age") }
            try fixture.store.discard("file", in: .incoming)
        }
    }

    private static func carries(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        let person = fixture.person
        try person.create("file", [1])
        let isKept = try person.setExtended("file", "user.xdg.tags", [0x61, 0x2C, 0x62])
        try requireEqual(fixture.store.keepsExtendedAttributes, isKept, "what the store says of its file system")
        guard isKept else { return }
        _ = try person.setExtended("file", "user.own", [1])
        try person.makeFolder("folder")
        _ = try person.setExtended("folder", "user.xdg.tags", [9])
        let root = try view.root()
        try requireEqual(try fixture.store.extendedAttributes(of: "folder", in: root), [.tags: [9]], "of a folder")
        try requireThrows("extended attributes of nothing", .notFound) {
            _ = try fixture.store.extendedAttributes(of: "nothing", in: root)
        }
        try requireEqual(
            try fixture.store.extendedAttributes(of: "file", in: root), [.tags: [0x61, 0x2C, 0x62]], "carried ones")
        let reader = try requireValue(try fixture.store.read("file", in: root), "read the file")
        try requireEqual(try reader.extendedAttributes(), [.tags: [0x61, 0x2C, 0x62]], "carried ones, by its reader")
        let identity = try view.facts("file", in: root).identity
        try require(
            try fixture.store.setAttributes(
                Attributes(extended: [.comment: [0xFF]]), of: "file", in: root, expecting: identity), "set")
        try requireEqual(try person.extended("file", "user.xdg.comment"), [0xFF], "a carried one is set")
        try require(try person.extended("file", "user.xdg.tags") == nil, "an absent carried one is removed")
        try requireEqual(try person.extended("file", "user.own"), [1], "others are left alone")
        try view.stage("staged", [1], Attributes(extended: [.originURL: [0x68]]))
        try requireEqual(
            try fixture.store.extendedAttributes(of: "staged", in: try fixture.store.open(.incoming)),
            [.originURL: [0x68]], "those of a staged file")
    }

    private static func adopts(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        let person = fixture.person
        try person.create("file", [1])
        guard try person.setExtended("file", "user.own", [7]) else { return }
        _ = try person.setExtended("file", "user.xdg.tags", [8])
        try view.stage("staged", [2], Attributes(isExecutable: true, modified: time))
        let root = try view.root()
        let incoming = try fixture.store.open(.incoming)
        try fixture.store.adoptLocalMetadata(from: "file", in: root, to: "staged")
        let facts = try view.facts("staged", in: incoming)
        try require(facts.isExecutable, "the flag is the drive's to say")
        try requireEqual(facts.modified, time, "the time is the drive's to say")
        try requireEqual(try fixture.store.extendedAttributes(of: "staged", in: incoming), [:], "carried ones too")
        try requireEqual(try fixture.store.move("staged", in: incoming, to: "new", in: root), .done, "move")
        try requireEqual(try person.extended("new", "user.own"), [7], "a local extended attribute")
        try requireEqual(try person.read("new"), [2], "bytes are left alone")
    }
}
