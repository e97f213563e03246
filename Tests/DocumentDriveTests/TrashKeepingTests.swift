import DriveCore
import Foundation
import Glibc
import Testing

@testable import DocumentDrive

/// What is kept for 30 days is kept whatever the clock says in between.
struct TrashKeepingTests {
    private static let day: Int64 = 86_400_000

    /// A clock that is wrong by some days.
    private struct WrongClock: WallClock {
        let days: Int64

        func milliseconds() -> UInt64 { UInt64(Int64(Date().timeIntervalSince1970 * 1000) + days * day) }
    }

    private func sync(_ device: WhyDevice, days: Int64) async throws {
        var changes = WiringChanges()
        changes.clock = WrongClock(days: days)
        try await device.sync(changes)
    }

    private func trash(_ device: WhyDevice) throws -> [DrivePath] {
        try IndexFile(drive: device.folder).openForReading().trash().map(\.path)
    }

    /// Alpha deletes, beta takes it away while its clock is wrong by so many days.
    private func removed(_ world: WhyWorld, days: Int64) async throws -> WhyDevice {
        let (alpha, beta) = try await world.pair(["Letter.txt": "dear\n", "Other.txt": "stays\n"])
        try alpha.remove("Letter.txt")
        try await alpha.sync()
        try await sync(beta, days: days)
        #expect(try trash(beta) == ["Letter.txt"])
        return beta
    }

    @Test func aClockOfYearsAgoThatIsPutRightEmptiesNoTrash() async throws {
        let world = try WhyWorld()
        let beta = try await removed(world, days: -3_650)
        for days in [0, -3_650, 0] as [Int64] {
            try await sync(beta, days: days)
            #expect(try trash(beta) == ["Letter.txt"])
        }
    }

    @Test func aClockThatIsYearsAheadForAMomentEmptiesNoTrash() async throws {
        let world = try WhyWorld()
        let beta = try await removed(world, days: 0)
        for days in [3_650, 0, 3_650, 0] as [Int64] {
            try await sync(beta, days: days)
            #expect(try trash(beta) == ["Letter.txt"])
        }
    }

    @Test func after30DaysItIsGone() async throws {
        let world = try WhyWorld()
        let beta = try await removed(world, days: 0)
        for days in [7, 14, 21, 28] as [Int64] { try await sync(beta, days: days) }
        #expect(try trash(beta) == ["Letter.txt"])
        try await sync(beta, days: 31)
        #expect(try trash(beta).isEmpty)
        let left = try FileManager.default.contentsOfDirectory(atPath: beta.path(".docdrive/trash"))
        #expect(left.isEmpty)
    }

    @Test func whoWasAwayFindsWhatWasThere() async throws {
        let world = try WhyWorld()
        let beta = try await removed(world, days: 0)
        try await sync(beta, days: 60)
        #expect(try trash(beta) == ["Letter.txt"])
    }

    /// What is written into the file that went is nowhere else.
    @Test func whatAProgramGoesOnWritingStays() async throws {
        let world = try WhyWorld()
        let beta = try await removed(world, days: 0)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: beta.path(".docdrive/trash")).first)
        let file = open(beta.path(".docdrive/trash/" + name), O_WRONLY | O_APPEND | O_CLOEXEC)
        try #require(file >= 0)
        for days in [7, 14, 21, 28, 35] as [Int64] { try await sync(beta, days: days) }
        #expect(try trash(beta) == ["Letter.txt"], "it is open")
        #expect(write(file, "more", 4) == 4)
        close(file)
        for days in [42, 49, 56, 63, 70] as [Int64] { try await sync(beta, days: days) }
        #expect(try trash(beta) == ["Letter.txt"], "it is kept from when that was seen")
        #expect(try beta.text(".docdrive/trash/" + name) == "dear\nmore")
        try await sync(beta, days: 77)
        #expect(try trash(beta).isEmpty)
    }

    /// Something put a folder in the place of a file in the moment that the file was taken out.
    @Test func aFolderInTheTrashEndsNoSync() async throws {
        let world = try WhyWorld()
        let beta = try await removed(world, days: 0)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: beta.path(".docdrive/trash")).first)
        try beta.remove(".docdrive/trash/" + name)
        try beta.write(".docdrive/trash/\(name)/deep/er/Notes.txt", "new")
        for days in stride(from: 7, through: 70, by: 7) { try await sync(beta, days: Int64(days)) }
        #expect(try trash(beta).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: beta.path(".docdrive/trash")).isEmpty)
    }
}
