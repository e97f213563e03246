import DriveCore
import DriveTesting
import FileCoordination
import Testing

/// An attribute that is too large for one of the disks keeps neither the bytes nor what is in a folder away.
struct LargeAttributeTests {
    private let clock = ManualClock()
    private let comment = "user.xdg.comment"

    @Test func theRestArrives() async throws {
        let store = MemoryObjectStore(clock: clock)
        let devices = (0..<2).map { EngineDevice(DeviceSetup(number: $0, store: store, clock: clock, seed: 7)) }
        let (author, other) = (devices[0], devices[1])
        other.folder.options.longestAttribute = 100
        func place(_ path: DrivePath) throws -> Place { try #require(author.folder.place(path)) }
        author.folder.makeFolder(at: try place("Project"))
        for path in ["Project/thesis", "known", "new"] as [DrivePath] {
            author.folder.create(Array("\(path)".utf8), at: try place(path))
        }
        let large = [UInt8](repeating: 99, count: 6_000)
        for path in ["Project", "new"] as [DrivePath] {
            author.folder.setExtended(comment, to: large, at: try place(path))
            author.folder.setExtended("user.xdg.tags", to: Array("red".utf8), at: try place(path))
        }
        try await Quiescence(devices: devices, clock: clock).reach()
        #expect(other.folder.tree() == author.folder.tree())
        #expect(Set(try other.state.problems().map(\.path)) == ["Project", "new"])
        // No disk is at fault.
        #expect(Set(try StandingMemory(other.state).obstacles().map(\.cause)) == [.impossible])
        for path in ["Project", "new"] as [DrivePath] {
            #expect(other.folder.extended("user.xdg.tags", at: try place(path)) == Array("red".utf8))
        }
        // One that has come is edited, and one gets such a comment with its next content.
        author.folder.write(Array("edited".utf8), at: try place("new"))
        author.folder.write(Array("edited".utf8), at: try place("known"))
        author.folder.setExtended(comment, to: large, at: try place("known"))
        try await Quiescence(devices: devices, clock: clock).reach()
        #expect(other.folder.tree() == author.folder.tree())
        // What this disk cannot keep is nobody's delete.
        other.folder.write(Array("edited there".utf8), at: try #require(other.folder.place("known")))
        try await Quiescence(devices: devices, clock: clock).reach()
        #expect(author.folder.tree()["known"] == .file(Array("edited there".utf8)))
        for path in ["Project", "new", "known"] as [DrivePath] {
            #expect(author.folder.extended(comment, at: try place(path)) == large)
            #expect(other.folder.extended(comment, at: try #require(other.folder.place(path))) == nil)
        }
    }
}
