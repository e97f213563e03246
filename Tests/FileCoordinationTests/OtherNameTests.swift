import DriveCore
import DriveTesting
import Testing

@testable import FileCoordination

/// What arrives at one name of a file that has several (hard links), with the real engine over a store in memory.
struct OtherNameTests {
    private let world = SharedStore()

    /// Both have `f`, `g` and `h`, of which the second has the first two as one file.
    private func devices() async throws -> (EngineDevice, EngineDevice) {
        let (a, b) = (world.device(0), world.device(1))
        try b.make("text", "f")
        #expect(b.folder.addName(to: try #require(b.folder.place("f")), at: try #require(b.folder.place("g"))))
        try b.make("other", "h")
        try await world.sync(b, a, b)
        return (a, b)
    }

    private static let time = FileTime(seconds: 7, nanoseconds: 0)

    @Test func itIsLookedForAtTheOthersAlone() async throws {
        let (a, b) = try await devices()
        #expect(a.folder.touch(Self.time, at: try #require(a.folder.place("f"))))
        try await world.sync(a)
        _ = try await b.engine.fetch()
        let applied = try await b.engine.apply()
        #expect(applied.attributed == 1)
        var expected = TouchedPaths()
        expected.insert("g", in: .root)
        #expect(applied.otherNames == expected)
        let scanned = try await b.engine.scan(ScanScope(touched: expected) { expected })
        #expect(scanned.records == 1)
        try await b.engine.commit()
        try await world.sync(a)
        let facts = try a.folder.look(at: "g", in: a.folder.open(.root))
        #expect(facts?.modified == Self.time)
    }

    @Test func aFileOfOneNameHasNoOthers() async throws {
        let (a, b) = try await devices()
        #expect(a.folder.touch(Self.time, at: try #require(a.folder.place("h"))))
        try await world.sync(a)
        _ = try await b.engine.fetch()
        let applied = try await b.engine.apply()
        #expect(applied.attributed == 1 && applied.otherNames.isEmpty)
    }
}
