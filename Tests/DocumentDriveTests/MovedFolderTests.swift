import DocumentDrive
import DriveCore
import FileCoordination
import Foundation
import TestSupport
import Testing

/// What an open drive says whose folder is elsewhere by now.
@Suite(.mayBlock)
struct MovedFolderTests {
    private func answers(_ drive: Drive, to calls: [(Drive) async throws -> Void]) async -> [DriveError.Kind?] {
        var kinds: [DriveError.Kind?] = []
        for call in calls {
            do {
                try await call(drive)
                kinds.append(nil)
            } catch { kinds.append((error as? DriveError)?.kind) }
        }
        return kinds
    }

    private var calls: [(Drive) async throws -> Void] {
        [
            { _ = try await $0.sync() }, { _ = try await $0.readDocuments() }, { _ = try $0.explanation(of: "f") },
            { _ = try await $0.perform(.renameDevice("beta")) },
            { _ = try await $0.perform(.restore([RestoredContent(path: [102], content: "00")])) },
        ]
    }

    @Test func everyCallSaysSo() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        let drive = try device.drive()
        let place = device.folder.description
        try FileManager.default.moveItem(atPath: place, toPath: place + ".moved")
        let away = await answers(drive, to: calls)
        #expect(away == calls.map { _ in .identityChanged }, "\(away)")
        // A folder that is no drive has taken its place.
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        let replaced = await answers(drive, to: calls)
        #expect(replaced == calls.map { _ in .identityChanged }, "\(replaced)")
        try FileManager.default.removeItem(atPath: place)
        try FileManager.default.moveItem(atPath: place + ".moved", toPath: place)
        #expect(await answers(drive, to: Array(calls.dropLast())).allSatisfy { $0 == nil })
        #expect(try DriveSettings.load(from: device.folder).deviceName == "beta")
        withExtendedLifetime(world) {}
    }
}
