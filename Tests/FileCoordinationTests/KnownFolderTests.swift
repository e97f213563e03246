import DriveCore
import DriveTesting
import FileCoordination
import Testing

/// Folders that a walk need not compare again.
struct KnownFolderTests {
    private let clock = ManualClock()
    private let device: EngineDevice

    init() throws {
        device = EngineDevice(DeviceSetup(number: 0, store: MemoryObjectStore(clock: clock), clock: clock, seed: 3))
        device.folder.makeFolder(at: try place("folder"))
        device.folder.makeFolder(at: try place("folder/inner"))
        for path in ["top", "folder/a", "folder/b", "folder/inner/c"] as [DrivePath] {
            device.folder.create(Array("\(path)".utf8), at: try place(path))
        }
    }

    private func place(_ path: DrivePath) throws -> Place { try #require(device.folder.place(path)) }

    @discardableResult
    private func scan() async throws -> Int {
        clock.advance(by: RunPlan.tick)
        return try await device.scan()
    }

    private func known(_ path: DrivePath) throws -> KnownFolder? {
        let row = try #require(try device.state.row(at: path))
        return try device.state.knownFolder(row.id)
    }

    @Test func whatWasFoundUnchangedIsKnown() async throws {
        try await scan()
        #expect(try known(.root) == nil)
        #expect(try await scan() == 0)
        for path in [.root, "folder", "folder/inner"] as [DrivePath] { #expect(try known(path) != nil, "\(path)") }
        #expect(try known("folder")?.folders.map(\.name) == ["inner"])
        #expect(try known("folder")?.digest.count == 3)
    }

    @Test func aChangeIsFoundInAKnownFolderAndThatOneOnlyIsForgotten() async throws {
        for _ in 0..<2 { try await scan() }
        let (root, inner) = (try known(.root), try known("folder/inner"))
        clock.advance(by: RunPlan.tick)
        device.folder.write([1, 2, 3], at: try place("folder/a"))
        #expect(try await scan() == 1)
        #expect(try known("folder") == nil)
        #expect(try known(.root) == root)
        #expect(try known("folder/inner") == inner)
        #expect(try await scan() == 0)
        #expect(try known("folder") != nil)
    }

    @Test func whatIsDeepInKnownFoldersIsFound() async throws {
        for _ in 0..<2 { try await scan() }
        clock.advance(by: RunPlan.tick)
        device.folder.create([9], at: try place("folder/inner/new"))
        #expect(try await scan() == 1)
        #expect(try device.state.row(at: "folder/inner/new") != nil)
        device.folder.move(from: try place("folder/inner/new"), to: try place("moved"))
        #expect(try await scan() == 1)
        #expect(try device.state.row(at: "moved") != nil)
        #expect(try device.state.row(at: "folder/inner/new") == nil)
    }
}
