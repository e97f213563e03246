import DriveCore
import FileCoordination
import Foundation
import TestSupport
import Testing

@testable import DocumentDrive

/// A drive, or its index, that is made anew while a program goes on with it.
@Suite struct RemadeDriveTests {
    @Test func aDriveMadeAnewAtItsPathIsCoordinatedAnew() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        let first = try DriveCoordination.of(device.folder)
        #expect(try DriveCoordination.of(device.folder) === first)
        let (state, copy) = (device.path(".docdrive"), device.path(".docdrive-copy"))
        try FileManager.default.copyItem(atPath: state, toPath: copy)
        try FileManager.default.removeItem(atPath: state)
        try FileManager.default.moveItem(atPath: copy, toPath: state)
        let second = try DriveCoordination.of(device.folder)
        #expect(second !== first)
        #expect(try DriveCoordination.of(device.folder) === second)
    }

    /// It would take the socket of the watch that came after it.
    @Test func aWatchThatWasClosedDoesNotBegin() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        let watched = try WatchedDrive(device.folder, announce: { _ in })
        await watched.close()
        let error = await #expect(throws: DriveError.self) { try await watched.run() }
        #expect(error?.kind == .usage && error?.message.contains("was closed") == true)
    }

    @Test(.timeLimit(.minutes(20))) func aQueryGoesOnOverAnIndexThatIsEmptyForAMoment() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        try device.write("one.txt", "1")
        try await device.sync()
        let (index, kept) = (device.path(".docdrive/index.sqlite"), device.path(".docdrive/index-kept"))
        // All of it is in the file once nobody writes it any more.
        try await until { !FileManager.default.fileExists(atPath: "\(index)-wal") }
        let query = try MetadataQuery(
            device.folder, MetadataQuery.Question(try MetadataPredicate(format: "kDDItemExtension == 'txt'")))
        await query.setBatchingInterval(.zero)
        var events = await query.start().makeAsyncIterator()
        _ = await events.next()
        _ = await events.next()
        try Data().write(to: URL(fileURLWithPath: "\(index)-empty"))
        try #require(rename(index, kept) == 0 && rename("\(index)-empty", index) == 0)
        while await !query.isPausing, await query.isStarted { await Task.yield() }
        try #require(rename(kept, index) == 0)
        try device.write("two.txt", "2")
        try await device.sync()
        while let event = await events.next() {
            if case .failed(let error) = event {
                Issue.record("\(error)")
                return
            }
            if case .updated(let changes) = event, !changes.added.isEmpty { return }
        }
    }
}
