import DriveCore
import DriveTesting
import Testing

@testable import FileCoordination

/// What `verify` of some paths looks at, and what it passes over.
@Suite struct CheckedRowsTests {
    private let device: EngineDevice

    init() async throws {
        let clock = ManualClock()
        device = EngineDevice(
            DeviceSetup(number: 0, store: MemoryObjectStore(clock: clock), clock: clock, seed: 5))
        for path in ["a/one", "a/b/two", "a/b/c/three", "a.b/four", "ab", "five"] as [DrivePath] {
            var above = DrivePath.root
            for name in path.components.dropLast() {
                let place = try #require(device.folder.place(above.appending(name)))
                _ = device.folder.makeFolder(at: place)
                above = above.appending(name)
            }
            let place = try #require(device.folder.place(path))
            #expect(device.folder.create(Array("\(path)".utf8), at: place))
        }
        _ = try await device.scan()
    }

    private func checked(_ paths: [DrivePath]) throws -> [String] {
        var found: [String] = []
        try CheckedRows(device.state, only: paths).each { found.append("\(try device.state.path(of: $0))") }
        return found.sorted()
    }

    private static let all = ["a.b/four", "a/b/c/three", "a/b/two", "a/one", "ab", "five"]

    @Test func allIsEachFileOnce() throws {
        #expect(try checked([]) == Self.all)
        #expect(try checked([.root]) == Self.all)
        #expect(try checked(["five", .root]) == Self.all)
    }

    @Test func aFolderIsWhatLiesInIt() throws {
        #expect(try checked(["a"]) == ["a/b/c/three", "a/b/two", "a/one"])
        #expect(try checked(["a/b/c"]) == ["a/b/c/three"])
    }

    @Test func whatLiesInAnotherIsLookedAtOnce() throws {
        #expect(try checked(["a/b/two", "a/b", "a", "ab", "ab"]) == ["a/b/c/three", "a/b/two", "a/one", "ab"])
    }

    @Test func whatIsNotThereIsNothing() throws {
        #expect(try checked(["a/none", "none/at/all", "five/in/a/file"]) == [])
    }

    /// What waits aside has the name that it had before.
    @Test func whatWaitsAsideIsFoundByItsPath() throws {
        let row = try #require(try device.state.row(at: "a/b"))
        var parked = row
        parked.isParked = true
        try device.state.transaction { try device.state.save(parked) }
        #expect(try checked([]) == Self.all)
        #expect(try checked(["a"]) == ["a/b/c/three", "a/b/two", "a/one"])
        #expect(try checked(["a/b/c"]) == ["a/b/c/three"])
        let file = try #require(try device.state.row(at: "five"))
        var aside = file
        aside.isParked = true
        try device.state.transaction { try device.state.save(aside) }
        #expect(try checked(["five"]) == ["five"])
        #expect(try checked(["ab"]) == ["ab"])
    }
}
