import DriveCore
import DriveTesting
import Testing

@testable import FileCoordination

/// A store that is put back to an earlier time while a device goes on with it.
struct RolledBackStoreTests {
    private let world = SharedStore()

    /// The device has found nothing to do for a while, and what it published last is gone.
    private func rolledBack() async throws -> EngineDevice {
        let device = world.device(0)
        try device.make("first", "first")
        _ = try await device.engine.sync()
        let image = world.objects.image()
        try device.make("second", "second")
        _ = try await device.engine.sync()
        _ = try await device.engine.sync()
        world.objects.rollBack(to: image)
        return device
    }

    private func expectWhole(_ device: EngineDevice) async throws {
        let newcomer = world.device(1)
        _ = try await newcomer.engine.sync()
        #expect(newcomer.folder.tree() == device.folder.tree() && newcomer.folder.tree().count == 2)
    }

    /// Whoever asks for a sync is told that all is in step once it is.
    @Test func theSyncThatSeesItSendsWhatIsMissing() async throws {
        let device = try await rolledBack()
        #expect(try await device.engine.sync().records > 0)
        try await expectWhole(device)
    }

    /// A pass of a watch that only fetches sees it as well, and is to look again at once, everywhere.
    @Test func theWatchThatSeesItLooksAgain() async throws {
        let device = try await rolledBack()
        var work = WatchSchedule.Work()
        work.fetches = true
        let outcome = try await device.engine.perform(work) { nil }
        #expect(outcome.looksAgain && outcome.touched.isEmpty)
        work.scansEverything = true
        let next = try await device.engine.perform(work) { nil }
        #expect(!next.looksAgain)
        try await expectWhole(device)
    }
}
