import DriveCore
import Glibc
import Testing

@testable import DriveFiles

struct LinklessFolderTests {
    private let scratch: Scratch
    /// The scratch folder may itself be behind a link.
    private let root: [UInt8]

    init() throws {
        scratch = try Scratch()
        let real = try #require(realpath(scratch.text, nil))
        root = Array(String(cString: real).utf8)
        free(real)
        mkdir(scratch("outside"), 0o755)
    }

    private func path(_ name: String) -> [UInt8] { root + Array("/\(name)".utf8) }

    private var isNothingOutside: Bool { rmdir(scratch("outside")) == 0 }

    @Test func whatIsMissingIsMadeAndTakesAFile() throws {
        try scratch.write("f", "1")
        mkdir(scratch("a"), 0o755)
        var folder = try LinklessFolder(path("a/b/c"))
        #expect(!folder.has("g") && folder.isOnVolume(of: root) && folder.obstruction(to: "g") == nil)
        #expect(folder.take("f", from: root, as: "g") == ENOENT)
        #expect(!scratch.exists("a/b"), "only looked at so far")
        try folder.make(0o755)
        #expect(folder.take("f", from: root, as: "g") == 0)
        #expect(scratch.read("a/b/c/g") == "1" && folder.has("g"))
        try scratch.write("f", "2")
        #expect(folder.take("f", from: root, as: "g") == EEXIST)
    }

    @Test func aLinkOnTheWayIsNamed() throws {
        symlink("outside", scratch("a"))
        #expect(throws: LinklessFolder.Obstacle.link(at: path("a"))) { _ = try LinklessFolder(path("a/b")) }
        try scratch.write("file", "1")
        #expect(throws: LinklessFolder.Obstacle.file(at: path("file"))) { _ = try LinklessFolder(path("file/b")) }
        #expect(isNothingOutside)
    }

    /// What was opened is where it was moved.
    @Test func aLinkInThePlaceOfWhatIsOpenChangesNothing() throws {
        try scratch.write("f", "1")
        mkdir(scratch("a"), 0o755)
        var folder = try LinklessFolder(path("a/b"))
        #expect(rename(scratch("a"), scratch("moved")) == 0)
        symlink("outside", scratch("a"))
        try folder.make(0o755)
        #expect(folder.take("f", from: root, as: "g") == 0)
        #expect(scratch.read("moved/b/g") == "1")
        #expect(isNothingOutside)
    }

    @Test func aLinkInThePlaceOfWhatIsMissingIsNotFollowed() throws {
        mkdir(scratch("a"), 0o755)
        var folder = try LinklessFolder(path("a/b/c"))
        symlink("../outside", scratch("a/b"))
        #expect(throws: LinklessFolder.Obstacle.link(at: path("a/b"))) { try folder.make(0o755) }
        #expect(folder.take("f", from: root, as: "g") == ENOENT)
        #expect(isNothingOutside)
    }

    /// A link that leads nowhere has a name too.
    @Test func aNameIsTakenByAnything() throws {
        let folder = try LinklessFolder(root)
        symlink("nowhere", scratch("link"))
        #expect(folder.has("link") && !folder.has("none"))
    }
}
