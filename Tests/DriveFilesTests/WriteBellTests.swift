import DriveCore
import DriveFiles
import Foundation
import Testing

/// Bells of one process, over real folders.
@Suite(.timeLimit(.minutes(20))) struct WriteBellTests {
    private final class World {
        let root = NSTemporaryDirectory() + "docdrive-bell-\(UUID().uuidString)"

        init() throws { try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(atPath: root) }

        func folder(_ name: String) throws -> [UInt8] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
            return Array("\(root)/\(name)".utf8)
        }

        /// Moved there whole, which is one event.
        func write(_ path: String) throws {
            try Data("x".utf8).write(to: URL(fileURLWithPath: "\(root)/new"))
            try FileManager.default.moveItem(atPath: "\(root)/new", toPath: "\(root)/\(path)")
        }
    }

    private func isRung(_ bell: WriteBell) async -> Bool {
        for await _ in bell.rings { return true }
        return false
    }

    /// A user has 128 instances for all programs, where nobody raised that.
    @Test func thereAreMoreBellsThanInstances() async throws {
        let world = try World()
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_user_instances", encoding: .utf8)
        let count = try #require(Int(limit.trimmingCharacters(in: .whitespacesAndNewlines))) + 1
        let folders = try (0..<3).map { try world.folder("\($0)") }
        let bells = try (0..<count).map { try WriteBell(folders[$0 % 3], prefixes: [Array("index".utf8)]) }
        for name in 0..<3 { try world.write("\(name)/index.sqlite") }
        for bell in bells { #expect(await isRung(bell)) }
    }

    @Test func whatCannotBeWatchedIsNamedWithItsReason() throws {
        let world = try World()
        let path = Array("\(world.root)/none".utf8)
        let error = #expect(throws: DriveError.self) { try WriteBell(path, prefixes: []) }
        #expect(error?.kind == .notFound && error?.path == "\(world.root)/none")
        #expect(error?.message == "cannot watch the folder: it is not there any more")
    }

    /// Each hears what it asked for, also where another asks for something else in the same folder.
    @Test func eachIsRungForItsOwn() async throws {
        let world = try World()
        let (one, other) = (try world.folder("one"), try world.folder("other"))
        let index = try WriteBell(one, prefixes: [Array("index".utf8)])
        let search = try WriteBell(one, prefixes: [Array("search".utf8)])
        let elsewhere = try WriteBell(other, prefixes: [Array("index".utf8)], in: [one])
        try world.write("one/index.sqlite")
        #expect(await isRung(index))
        try world.write("one/search.sqlite")
        #expect(await isRung(search))
        // A ring that nobody has taken would come before the end.
        index.stop()
        #expect(await isRung(index) == false)
        // What one has taken down, the others keep.
        try world.write("one/search.text")
        #expect(await isRung(search))
        elsewhere.stop()
        #expect(await isRung(elsewhere) == false)
    }

    @Test func theEndOfAFolderAndOfThoseAroundItIsHeard() async throws {
        let world = try World()
        let outer = try world.folder("outer")
        let inner = try world.folder("outer/inner")
        let bell = try WriteBell(inner, prefixes: [Array("index".utf8)], in: [outer])
        try FileManager.default.moveItem(atPath: "\(world.root)/outer", toPath: "\(world.root)/moved")
        #expect(await isRung(bell))
        try FileManager.default.removeItem(atPath: "\(world.root)/moved/inner")
        #expect(await isRung(bell))
        // It is gone, and nothing is left to hear of; another in its place is another's.
        let again = try WriteBell(try world.folder("moved/inner"), prefixes: [Array("index".utf8)])
        try world.write("moved/inner/index.sqlite")
        #expect(await isRung(again))
    }
}
