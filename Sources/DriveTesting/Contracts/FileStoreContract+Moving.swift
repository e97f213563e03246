import DriveCore
import DriveTransport

extension FileStoreContract {
    static var moving: [Promise] {
        [
            Promise("a move takes the item as it is", moves),
            Promise("a move never replaces", movesOntoNothing),
            Promise("a folder does not move into itself", movesIntoItself),
            Promise("a move works between all areas", movesBetweenAreas),
            Promise("an exchange swaps two items of any kind", exchanges),
            Promise("an exchange needs both items", exchangesBoth),
            Promise("only an empty folder is removed", removesFolders),
            Promise("links are moved, never followed", movesLinks),
        ]
    }

    private static func moves(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        try fixture.person.makeFolder("a")
        try fixture.person.makeFolder("a/inner")
        try fixture.person.create("a/inner/file", [1, 2])
        try fixture.person.makeFolder("b")
        let root = try view.root()
        let before = try view.facts("a", in: root)
        let outcome = try fixture.store.move("a", in: root, to: "moved", in: try view.folder("b", in: root))
        try requireEqual(outcome, .done, "move of a folder")
        try require(try fixture.store.look(at: "a", in: root) == nil, "the old name is free")
        let after = try view.facts("moved", in: try view.folder("b", in: root))
        try requireEqual(after.identity, before.identity, "identity of what moved")
        try requireEqual(try fixture.person.read("b/moved/inner/file"), [1, 2], "what moved along")
        let file = try view.folder("inner", in: try view.folder("moved", in: try view.folder("b", in: root)))
        let facts = try view.facts("file", in: file)
        try requireEqual(try fixture.store.move("file", in: file, to: "up", in: root), .done, "move of a file")
        let moved = try view.facts("up", in: root)
        try requireEqual(moved.identity, facts.identity, "identity of a moved file")
        try requireEqual(moved.modified, facts.modified, "a move leaves the modification time")
    }

    private static func movesOntoNothing(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        try fixture.person.create("file", [1])
        try fixture.person.create("taken", [2])
        try fixture.person.makeFolder("folder")
        let root = try view.root()
        for target in ["taken", "folder", "file"] as [FileName] {
            try requireEqual(
                try fixture.store.move("file", in: root, to: target, in: root), .occupied, "move onto \(target)")
        }
        try requireEqual(
            try fixture.store.move("nothing", in: root, to: "new", in: root), .missing, "move of nothing")
        try requireEqual(try fixture.person.read("file"), [1], "the file stays")
        try requireEqual(try fixture.person.read("taken"), [2], "what had the name stays")
        try require(try view.names(root) == ["file", "taken", "folder"], "nothing else appears")
    }

    private static func movesIntoItself(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        try fixture.person.makeFolder("a")
        try fixture.person.makeFolder("a/b")
        let root = try view.root()
        let a = try view.folder("a", in: root)
        let b = try view.folder("b", in: a)
        try requireEqual(try fixture.store.move("a", in: root, to: "x", in: a), .impossible, "move into itself")
        try requireEqual(try fixture.store.move("a", in: root, to: "x", in: b), .impossible, "move into its child")
        try requireEqual(
            try fixture.store.exchange("a", in: root, with: "b", in: a), .impossible, "exchange with its child")
        try requireEqual(
            try fixture.store.exchange("b", in: a, with: "a", in: root), .impossible, "exchange with its parent")
        try require(try view.names(root) == ["a"], "nothing has moved")
    }

    private static func movesBetweenAreas(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        try fixture.person.create("file", [5])
        var place = try view.root()
        for area in FileArea.allCases.reversed() where area != .root {
            let next = try fixture.store.open(area)
            try requireEqual(try fixture.store.move("file", in: place, to: "file", in: next), .done, "to \(area)")
            try requireEqual(try view.bytes("file", in: next), [5], "bytes in \(area)")
            place = next
        }
        try requireEqual(
            try fixture.store.move("file", in: place, to: "back", in: try view.root()), .done, "back to the root")
        try requireEqual(try fixture.person.read("back"), [5], "bytes after all moves")
    }

    private static func exchanges(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        try fixture.person.create("file", [1])
        try fixture.person.makeFolder("folder")
        try fixture.person.create("folder/inner", [2])
        try view.stage("staged", [3])
        let root = try view.root()
        let incoming = try fixture.store.open(.incoming)
        let (staged, file) = (try view.facts("staged", in: incoming), try view.facts("file", in: root))
        try requireEqual(
            try fixture.store.exchange("staged", in: incoming, with: "file", in: root), .done, "exchange of files")
        try requireEqual(try fixture.person.read("file"), [3], "what is under the name now")
        try requireEqual(try view.bytes("staged", in: incoming), [1], "what came out")
        try requireEqual(try view.facts("file", in: root).identity, staged.identity, "identity of what went in")
        try requireEqual(try view.facts("staged", in: incoming).identity, file.identity, "identity of what came out")
        try requireEqual(
            try fixture.store.exchange("file", in: root, with: "folder", in: root), .done, "file against folder")
        try requireEqual(try fixture.person.read("folder"), [3], "the file under the folder's name")
        try requireEqual(try fixture.person.read("file/inner"), [2], "the folder under the file's name")
    }

    private static func exchangesBoth(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        try fixture.person.create("file", [1])
        let root = try view.root()
        try requireEqual(
            try fixture.store.exchange("file", in: root, with: "nothing", in: root), .missing, "with nothing")
        try requireEqual(
            try fixture.store.exchange("nothing", in: root, with: "file", in: root), .missing, "of nothing")
        try requireEqual(
            try fixture.store.exchange("file", in: root, with: "file", in: root), .done, "with itself")
        try requireEqual(try fixture.person.read("file"), [1], "the file stays")
        try require(try view.names(root) == ["file"], "nothing appears")
    }

    private static func removesFolders(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        try fixture.person.makeFolder("empty")
        try fixture.person.makeFolder("full")
        try fixture.person.create("full/file", [1])
        let root = try view.root()
        try requireEqual(try fixture.store.removeFolder("empty", in: root), .done, "an empty folder")
        try requireEqual(try fixture.store.removeFolder("empty", in: root), .missing, "a removed folder")
        try requireEqual(try fixture.store.removeFolder("full", in: root), .occupied, "a full folder")
        try requireEqual(try fixture.person.read("full/file"), [1], "what is in a full folder")
        try fixture.person.create("file", [1])
        try fixture.person.makeLink("link", to: Array("full".utf8))
        try requireEqual(try fixture.store.removeFolder("file", in: root), .missing, "a file is no folder")
        try requireEqual(try fixture.store.removeFolder("link", in: root), .missing, "a link is no folder")
        try require(try view.names(root) == ["full", "file", "link"], "only the empty folder is gone")
    }

    private static func movesLinks(_ fixture: FolderFixture) throws {
        let view = FolderView(fixture)
        try fixture.person.makeFolder("folder")
        try fixture.person.create("folder/file", [1])
        try fixture.person.makeLink("link", to: Array("folder".utf8))
        let root = try view.root()
        try requireEqual(try fixture.store.move("link", in: root, to: "moved", in: root), .done, "move of a link")
        try requireEqual(try view.facts("moved", in: root).kind, .link, "kind of a moved link")
        try requireEqual(
            try fixture.store.exchange("moved", in: root, with: "folder", in: root), .done, "exchange of a link")
        try requireEqual(try view.facts("folder", in: root).kind, .link, "the link under the folder's name")
        try requireEqual(try fixture.person.read("moved/file"), [1], "the folder under the link's name")
    }
}
