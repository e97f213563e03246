import DriveCore
import Foundation
import Testing

@testable import DocumentDrive

/// A device that was forgotten and is back, of which this one has not heard yet.
struct ReturnedDeviceTests {
    @Test func whatIsDamagedOfItIsTold() async throws {
        let world = try WhyWorld()
        let (a, _) = try await world.pair()
        let c = try await world.device("gamma")
        try await c.sync()
        try await a.sync()
        let sight = try #require(DriveReader(a.folder).devices().first { $0.name == "gamma" })
        _ = try await a.drive().perform(.forgetDevice(id: sight.id))
        #expect(try DriveReader(a.folder).devices().first { $0.name == "gamma" }?.isForgotten == true)
        let before = Set(world.objects)
        try c.write("New", "some bytes")
        try await c.sync()
        try world.damage("log", but: before)
        let report = try await StoreLook(DriveReader(a.folder)).run()
        #expect(report.damage.map(\.device) == ["gamma"])
        withExtendedLifetime(world) {}
    }
}
