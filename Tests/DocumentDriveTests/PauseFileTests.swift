import DriveCore
import Foundation
import Testing

@testable import DocumentDrive

/// What is read of a pause from its file, and what a new one makes of one before it.
struct PauseFileTests {
    @Test func anEndThatNeverComesIsAPauseThatSomebodyEnds() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        let file = device.path(".docdrive/pause.json")
        try #"{"since":0,"until":18446744073709551615}"#.write(toFile: file, atomically: false, encoding: .utf8)
        #expect(try await device.drive().isPaused)
        #expect(try DriveReader(device.folder).pause() == Pause(since: 0, until: .max))
        _ = try await device.drive().perform(.resume)
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(try DriveReader(device.folder).pause() == nil)
        withExtendedLifetime(world) {}
    }

    /// The clock was ahead when it began, and has been put right.
    @Test func onePauseAfterAnotherFromTheFutureHolds() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        var ahead = WiringChanges()
        ahead.clock = SkewedClock(advance: 86_400_000)
        _ = try await device.drive(ahead).perform(.pause(forMilliseconds: nil))
        _ = try await device.drive().perform(.pause(forMilliseconds: 1_800_000))
        #expect(try await device.drive().isPaused)
        withExtendedLifetime(world) {}
    }
}
