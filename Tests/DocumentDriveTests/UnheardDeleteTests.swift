import DriveCore
import FileCoordination
import Testing

@testable import DocumentDrive

/// A folder that was deleted on one device was renamed on another that had not heard of it: records know its files by a name that
/// they never had on the first.
struct UnheardDeleteTests {
    @Test func allVersionsAreThereByTheNameThatTheFileHadHere() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair(["E/sp": "first\n", "k/other": "other"])
        try a.write("E/sp", "second\n")
        try await a.sync()
        try a.remove("E")
        await #expect(throws: DriveError.self) { try await a.sync(.failing(.unreachable, "away")) }
        try b.move("E", to: "k/E2")
        await #expect(throws: DriveError.self) { try await b.sync(.failing(.unreachable, "away")) }
        try b.remove("k/E2")
        for device in [b, a, b, a] { try await device.sync() }
        let reader = try DriveReader(a.folder)
        let found = try reader.versions(of: "E/sp")
        #expect(found.map(\.size) == [7, 6], "\(found)")
        let first = try #require(found.last)
        let content = RestoredContent(path: DrivePath("E/sp").bytes, content: first.persistentIdentifier)
        let outcomes = try await a.drive().outcomes(of: .restore([content]))
        #expect(outcomes.map(\.isDone) == [true], "\(outcomes)")
        #expect(try a.text("E/sp") == "first\n")
    }
}
