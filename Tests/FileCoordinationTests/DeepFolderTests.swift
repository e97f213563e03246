import DriveCore
import DriveTesting
import FileCoordination
import Testing

/// Folders in folders, more of them than the stack of a thread bears if each were a call.
@Suite struct DeepFolderTests {
    private static let depth = 3_000

    @Test func aTreeDeeperThanTheStackIsWalked() async throws {
        let clock = ManualClock()
        let folder = MemoryFolder(clock: clock)
        let state = MemoryState(device: DeviceID(high: 7, low: 7), label: "A")
        let engine = DriveEngine(
            DriveParts(files: folder, state: state, transport: nil, clock: clock, entropy: SeededEntropy(seed: 1)))
        var place = Place(folder: MemoryFolder.root, name: "d")
        for _ in 0..<Self.depth {
            #expect(folder.makeFolder(at: place))
            place.folder = try #require(folder.number(at: place))
        }
        _ = try await engine.scan()
        #expect(state.rowCount() == Self.depth)
        // And what is deep in it is found again.
        #expect(folder.create([1], at: place))
        clock.advance(by: 1_000)
        _ = try await engine.scan()
        let row = try #require(state.allRows().last)
        var standing = try FileStanding(files: folder)
        #expect(try standing.isUnchanged(row, at: state.path(of: row)))
    }
}
