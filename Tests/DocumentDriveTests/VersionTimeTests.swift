import DriveCore
import DriveFiles
import DriveTesting
import FileCoordination
import Foundation
import Testing

@testable import DocumentDrive

/// Of when the versions of a file are, where another device's clock is ahead.
struct VersionTimeTests {
    private static func drive(in root: String) async throws -> FolderPath {
        try FileManager.default.createDirectory(atPath: "\(root)/a", withIntermediateDirectories: true)
        let folder = FolderPath("\(root)/a")
        try await DriveSetup(folder: folder, store: StoreAddress(Array("\(root)/store".utf8)), deviceName: "a")
            .carryOut()
        return folder
    }

    @Test func whatIsSavedHereIsOfWhenItWasSaved() async throws {
        let root = NSTemporaryDirectory() + "docdrive-version-time-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let folder = try await Self.drive(in: root)
        let drive = try Drive.open(folder)
        func save(_ text: String) async throws -> UInt64 {
            try text.write(toFile: "\(root)/a/f", atomically: false, encoding: .utf8)
            _ = try await drive.sync()
            let time = SystemClock().milliseconds()
            // What is saved next is of another moment.
            while SystemClock().milliseconds() <= time { await Task.yield() }
            return time
        }
        _ = try await save("zero\n")
        try await drive.engine.use { engine in
            let state = engine.parts.state
            try state.transaction {
                var numbers = try state.numbers()
                let now = SystemClock().milliseconds()
                numbers.receive(HybridTime(milliseconds: now + 3 * 86_400_000), now: now)
                try state.setNumbers(numbers)
            }
        }
        var times: [UInt64] = []
        for text in ["one\n", "other\n", "one\n", "by mistake\n"] { times.append(try await save(text)) }
        let now = SystemClock().milliseconds()
        let versions = try DriveReader(folder).versions(of: "f")
        #expect(versions.allSatisfy { $0.recorded ?? 0 <= now })
        #expect(times.map { versions.version(at: $0)?.size } == [4, 6, 4, 11])
        // It need not have had this name then.
        try FileManager.default.moveItem(atPath: "\(root)/a/f", toPath: "\(root)/a/g")
        _ = try await drive.sync()
        let renamed = try DriveReader(folder).versions(of: "g")
        #expect(times.map { renamed.version(at: $0)?.size } == [4, 6, 4, 11])
    }

    /// Nothing leaves the store before 30 days were seen pass, whatever the clock says then.
    @Test func whatMayHaveLeftTheStoreIsToldByTheTimeThatWasSeenPass() async throws {
        let root = NSTemporaryDirectory() + "docdrive-version-time-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let folder = try await Self.drive(in: root)
        let drive = try Drive.open(folder)
        for text in ["zero\n", "one\n", "by mistake\n"] {
            try text.write(toFile: "\(root)/a/f", atomically: false, encoding: .utf8)
            _ = try await drive.sync()
        }
        let day: UInt64 = 86_400_000
        let now = SystemClock().milliseconds()
        func mayHaveLeft(at time: UInt64) async throws -> Bool? {
            try await drive.engine.use { engine in
                let state = engine.parts.state
                let list = try VersionList(
                    state, FolderNow(files: engine.parts.files, state: state), clock: ManualClock(milliseconds: time))
                return try list.versions(of: "f").first { $0.size == 4 }?.mayHaveLeftTheStore
            }
        }
        _ = try await drive.engine.use { try await $0.collect() }
        for days: UInt64 in [0, 6, 40] { #expect(try await mayHaveLeft(at: now + days * day) == false) }
        // Whoever has been away for so long may have been forgotten.
        #expect(try await mayHaveLeft(at: now + 130 * day) == true)
        try await drive.engine.use { engine in
            let state = engine.parts.state
            for week: UInt64 in 1...5 { _ = try state.lookAtClock(now + week * 7 * day) }
        }
        for days: UInt64 in [0, 35, 40] { #expect(try await mayHaveLeft(at: now + days * day) == true) }
        #expect(try await mayHaveLeft(at: now - 400 * day) == true)
    }

    /// Also of a delete that was held here until another device had made it too.
    @Test func aDeleteHasItsTimeWhereAnotherFileCameSince() async throws {
        let world = try WhyWorld()
        var files: [String: String] = [:]
        for number in 0..<40 { files["Folder/f\(number)"] = "\(number)" }
        let (a, b) = try await world.pair(files)
        for device in [a, b] {
            for number in 0..<15 { try device.remove("Folder/f\(number)") }
            try await device.sync()
        }
        let held = try DriveReader(b.folder).heldDeletes()
        _ = try await b.drive().perform(.confirmDeletes(ids: held.map(\.id)))
        for device in [b, a] { try await device.sync() }
        #expect(try DriveReader(a.folder).heldDeletes().isEmpty)
        try b.write("Folder/f3", "new\n")
        for device in [b, a] { try await device.sync() }
        for device in [a, b] {
            let versions = try DriveReader(device.folder).versions(of: "Folder/f3")
            #expect(versions.map(\.kind) == [.current, .deleted], "\(versions)")
            #expect(versions.last?.replaced != nil && versions.last?.periods.first?.until != nil, "\(versions)")
        }
    }
}
