import DriveCore
import DriveTesting
import Testing

/// A folder that its own user may not enter for a while keeps nothing else from being synced.
struct ClosedFolderTests {
    private let clock = ManualClock()

    private func device(_ number: Int, _ store: MemoryObjectStore) -> EngineDevice {
        EngineDevice(DeviceSetup(number: number, store: store, clock: clock, seed: 7))
    }

    private func place(_ path: DrivePath, on device: EngineDevice) throws -> Place {
        try #require(device.folder.place(path))
    }

    private func sync(_ devices: EngineDevice...) async throws {
        for device in devices {
            clock.advance(by: RunPlan.tick)
            // Says that it could not look at everything.
            _ = try? await device.scan()
            try await device.commit(compacting: false)
            try await device.fetch(only: nil)
            try await device.apply()
        }
    }

    private func make(_ path: DrivePath, on device: EngineDevice) throws {
        device.folder.create(Array("\(path)".utf8), at: try place(path, on: device))
    }

    private func remove(_ path: DrivePath, on device: EngineDevice) throws {
        device.folder.remove(at: try place(path, on: device))
    }

    @Test(arguments: [
        ["closed/file"], ["closed/inner/file", "closed/inner"],
        ["closed/file", "closed/inner/file", "closed/inner", "closed"],
    ])
    func whatIsDeletedInItWaitsAlone(_ deleted: [DrivePath]) async throws {
        let store = MemoryObjectStore(clock: clock)
        let (one, other) = (device(0, store), device(1, store))
        for folder: DrivePath in ["closed", "closed/inner"] { one.folder.makeFolder(at: try place(folder, on: one)) }
        for path: DrivePath in ["closed/file", "closed/inner/file", "stays", "goes"] { try make(path, on: one) }
        try await sync(one, other)

        let denied = DriveError(.permissionDenied, "cannot open the folder: permission denied")
        other.folder.failures = [FolderFailure(.open, name: "closed", error: denied)]
        for path in deleted { try remove(path, on: one) }
        try remove("goes", on: one)
        try make("new", on: one)
        try make("own", on: other)
        try await sync(one, other, one, other)
        #expect(other.folder.tree()["new"] != nil && other.folder.tree()["goes"] == nil)
        #expect(one.folder.tree()["own"] != nil)

        other.folder.failures = []
        try await sync(other, one)
        #expect(one.folder.tree() == other.folder.tree())
        for path in deleted { #expect(one.folder.tree()[path] == nil) }
    }
}
