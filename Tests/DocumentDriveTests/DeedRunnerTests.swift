import DriveCore
import DriveTesting
import FileCoordination
import Testing

@testable import DocumentDrive

struct DeedRunnerTests {
    /// Half of it would look as if a person had let the two change places.
    @Test(arguments: [DriveError.Kind.inputOutput, .permissionDenied])
    func aCopyThatCannotTakeThePlaceIsWhereItWas(_ kind: DriveError.Kind) async throws {
        let clock = ManualClock()
        let folder = MemoryFolder(clock: clock)
        let state = MemoryState(device: DeviceID(high: 7, low: 7), label: "A")
        let parts = DriveParts(
            files: folder, state: state, transport: nil, clock: clock, entropy: SeededEntropy(seed: 1))
        let texts: [FileName: [UInt8]] = ["f": Array("old".utf8), "copy": Array("new".utf8)]
        for (name, text) in texts { #expect(folder.create(text, at: Place(folder: MemoryFolder.root, name: name))) }
        _ = try await DriveEngine(parts).scan()
        let (old, new) = (ContentHasher.hash(of: Array("old".utf8)), ContentHasher.hash(of: Array("new".utf8)))
        var runner = try DeedRunner(
            parts, reason: .resolved, together: [[.moveOver("copy", new, to: "f", replacing: old)]])
        folder.failures = [FolderFailure(.move, name: "copy", error: DriveError(kind, "no luck"))]
        try await runner.run()
        #expect(runner.groupFailures.first??.obstacle == "no luck")
        folder.failures = []
        for (name, text) in texts {
            let reader = try folder.read(name, in: folder.open(path: .root)!)
            #expect(try reader?.first(9) == text)
        }
        #expect(state.trash().isEmpty)
    }
}
