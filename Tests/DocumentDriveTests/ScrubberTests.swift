import DriveCore
import Foundation
import Glibc
import Testing

@testable import DocumentDrive
@testable import FileCoordination

/// The rolling scrub over a real folder: what a mapped write changed without a trace is listed by `status`.
struct ScrubberTests {
    /// tmpfs does not note writes through a map in a file's dates.
    private static let quietPlace = access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : nil

    @Test(.enabled(if: quietPlace != nil, "no tmpfs to write to without a trace"))
    func damageIsListed() async throws {
        let root = (Self.quietPlace ?? "/tmp/") + "docdrive-scrub-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        try FileManager.default.createDirectory(atPath: "\(root)/drive", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: "\(root)/store", withIntermediateDirectories: true)
        try Data("the only copy of a thesis".utf8).write(to: URL(fileURLWithPath: "\(root)/drive/thesis"))
        let folder = FolderPath("\(root)/drive")
        try await DriveSetup(folder: folder, store: StoreAddress(Array("\(root)/store".utf8))).carryOut()
        let drive = try Drive.open(folder)
        _ = try await drive.sync()
        try flipBit(of: "\(root)/drive/thesis")

        let scrubber = Scrubber(drive)
        try await scrubber.turn()
        try await letADayPass(drive)
        try await scrubber.turn()
        let found = try await problems(of: drive)
        #expect(found.map(\.path) == ["thesis"])
        #expect(found.map(\.source) == [.scrub])
        let repaired = try await drive.engine.use { try await $0.repairFiles(["thesis"]) }
        #expect(repaired.map(\.obstacle) == [nil])
        #expect(try await problems(of: drive).isEmpty)
        #expect(try String(contentsOfFile: "\(root)/drive/thesis", encoding: .utf8) == "the only copy of a thesis")
    }

    /// With rounds of a day, all files are due then.
    private func letADayPass(_ drive: Drive) async throws {
        var settings = try DriveSettings.load(from: drive.folder)
        settings.scrubDays = 1
        try settings.save(to: drive.folder)
        try await drive.engine.use { engine in
            let state = engine.parts.state
            var memory = try #require(try ScrubMemory.load(from: state))
            memory.counted -= 86_400_000
            try state.transaction { try memory.save(to: state) }
        }
    }

    private func problems(of drive: Drive) async throws -> [Problem] {
        try await drive.engine.use { try $0.parts.state.problems() }
    }

    @Test func daysThatMakeNoSenseAreRefused() {
        #expect(throws: DriveError.self) { try DriveSettings(parsing: Array("scrub-days = -1".utf8)) }
        #expect(throws: DriveError.self) { try DriveSettings(parsing: Array("scrub-days = 3651".utf8)) }
    }

    @Test func daysAreKept() throws {
        var settings = DriveSettings(deviceName: "a")
        #expect(try !String(decoding: settings.written(), as: UTF8.self).contains("scrub"))
        settings.scrubDays = 0
        #expect(try DriveSettings(parsing: settings.written()).scrubDays == 0)
    }

    private func flipBit(of path: String) throws {
        let file = open(path, O_RDWR | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        let bytes = try #require(mmap(nil, 1, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0))
        try #require(bytes != MAP_FAILED)
        bytes.assumingMemoryBound(to: UInt8.self)[0] ^= 1
        munmap(bytes, 1)
    }
}
