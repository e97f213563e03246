import DriveCore
import FileCoordination
import Foundation
import Glibc
import TestSupport
import Testing

@testable import DocumentDrive

/// What a program asks of the process that watches a drive.
@Suite(.timeLimit(.minutes(20))) struct DriveClientTests {
    /// Runs the body while the drive is watched.
    private func whileWatched(_ device: WhyDevice, _ body: (DriveClient) async throws -> Void) async throws {
        let watched = try WatchedDrive(device.folder, announce: { _ in })
        let (ready, bell) = AsyncStream<Void>.makeStream()
        let run = Task {
            defer { bell.finish() }
            try await watched.run { bell.yield() }
        }
        for await _ in ready { break }
        let client = try #require(try DriveClient(device.folder))
        #expect(client.process == getpid())
        try await body(client)
        try await client.stop()
        try await run.value
    }

    @Test func actsAreDoneByWhoeverWatches() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha")
        try device.write("Letter.txt", "dear\n")
        try device.write("Note.txt", "two\n")
        try await whileWatched(device) { client in
            _ = try await client.sync()
            try device.remove("Letter.txt")
            try device.remove("Note.txt")
            // That something is absent is believed after two looks.
            try await until {
                _ = try await client.sync()
                return try DriveReader(device.folder).items().allSatisfy { !$0.path.description.hasSuffix(".txt") }
            }
            let deleted = try await DriveReader(device.folder).deletedVersions(in: .root)
            #expect(Set(deleted.map(\.path)) == ["Letter.txt", "Note.txt"])
            func content(_ path: DrivePath) throws -> RestoredContent {
                let version = try #require(deleted.first { $0.path == path })
                return RestoredContent(path: path.bytes, content: version.content.description)
            }
            let outcomes = try await client.outcomes(of: .restore([content("Letter.txt")]), patience: .seconds(600))
            #expect(outcomes.map(\.isDone) == [true] && outcomes.map(\.path) == ["Letter.txt"], "\(outcomes)")
            let lines = try await client.perform(.restore([content("Note.txt")]))
            #expect(lines.count == 1 && lines[0].hasPrefix("Note.txt: "), "\(lines)")
            #expect(try device.text("Letter.txt") == "dear\n")
            #expect(try device.text("Note.txt") == "two\n")
            let left = try await DriveReader(device.folder).deletedVersions(in: .root)
            #expect(left.isEmpty)
        }
    }

    @Test func whoFollowsIsToldWhatHappens() async throws {
        struct Told: Error { let event: EventReport }
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        try await whileWatched(device) { client in
            let following = Task {
                try await client.follow { event in if event.path.hasPrefix("New") { throw Told(event: event) } }
            }
            // Whoever begins to follow hears of what happens from then on.
            let writing = Task {
                for number in 0... {
                    try Task.checkCancellation()
                    try device.write("New \(number)", "1")
                    _ = try await client.sync()
                }
            }
            let told = await #expect(throws: Told.self) { try await following.value }
            writing.cancel()
            _ = await writing.result
            #expect(told?.event.event == "added" && told?.event.cause == "local")
        }
    }

    @Test func whoFollowsLearnsThatTheWatchHasEnded() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        let (started, bell) = AsyncStream<Void>.makeStream()
        var following: Task<Void, any Error>?
        try await whileWatched(device) { client in
            following = Task {
                try await client.follow { _ in bell.yield() }
            }
            let writing = Task {
                for number in 0... {
                    try Task.checkCancellation()
                    try device.write("New \(number)", "1")
                    _ = try await client.sync()
                }
            }
            for await _ in started { break }
            writing.cancel()
            _ = await writing.result
        }
        await #expect(throws: DriveError.self) { try await following?.value }
    }

    /// Without the watch, what a program looks up in the index.
    @Test func itemsAreLookedUpByName() async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        try device.write("Papers/Letter.txt", "dear\n")
        try device.write("Papers/Note.txt", "two\n")
        try await device.sync()
        let reader = try DriveReader(device.folder)
        let query = NameQuery(nameContaining: "tt")
        #expect(try reader.paths(query) == ["Papers/Letter.txt"])
        #expect(try reader.search(query).map(\.path) == ["Papers/Letter.txt"])
    }
}
