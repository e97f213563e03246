import DriveCore
import Foundation
import TestSupport
import Testing

@testable import DocumentDrive

/// Several at a time change the settings of one drive.
@Suite(.mayBlock) struct SettingsChangeTests {
    private let folder: String
    private var drive: FolderPath { FolderPath(Array(folder.utf8)) }
    private var draft: String { "\(folder)/.docdrive/config.toml.new" }

    init() throws {
        folder = NSTemporaryDirectory() + "docdrive-settings-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: "\(folder)/.docdrive", withIntermediateDirectories: true)
        try DriveSettings(deviceName: "pc").save(to: drive)
    }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    @Test func noChangeTakesAwayAnother() async throws {
        defer { remove() }
        let drive = drive
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask { for _ in 0..<10 { try DriveSettings.change(in: drive) { $0.scrubDays += 1 } } }
            }
            try await group.waitForAll()
        }
        #expect(try DriveSettings.load(from: drive).scrubDays == 90)
        #expect(!FileManager.default.fileExists(atPath: draft))
    }

    /// Of a process that was killed, or a link to somewhere else.
    @Test func whatLiesInTheWayIsNoHindrance() throws {
        defer { remove() }
        try String(repeating: "left\n", count: 100).write(toFile: draft, atomically: false, encoding: .utf8)
        try DriveSettings.change(in: drive) { $0.scrubDays = 1 }
        let other = "\(folder)/other"
        try "mine".write(toFile: other, atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: draft, withDestinationPath: other)
        let changed = try DriveSettings.change(in: drive) { $0.scrubDays += 1 }
        #expect(try changed.scrubDays == 2 && DriveSettings.load(from: drive) == changed)
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "mine")
    }

    /// Whoever watches with the old one goes on until it can begin with the new one.
    @Test(arguments: [
        ("webdav://ann@127.0.0.1/x?cafile=a", "`cafile` is no option"),
        ("webdavs://ann@127.0.0.1/x?ca=/nonexistent.pem", "the file of `ca=`"),
        ("s3://bucket/x?style=odd", "`style=`"),
    ])
    func aStoreThatCannotBeOpenedIsWaitedFor(_ text: String, _ word: String) throws {
        defer { remove() }
        var settings = DriveSettings(deviceName: "pc")
        settings.store = .folder(FolderPath("/one"))
        settings.storeID = "one"
        try settings.save(to: drive)
        let settled = SettledStore(settings, of: drive)
        settings.store = try StoreAddress(Array(text.utf8))
        try settings.save(to: drive)
        let error = #expect(throws: DriveError.self) { try settled.check() }
        #expect(error?.kind == .temporary, "\(error as Any)")
        #expect(error?.description.contains(word) == true, "\(error as Any)")

        settings.store = .folder(FolderPath("/two"))
        try settings.save(to: drive)
        let isOther = try settled.isOther
        #expect(isOther)
    }

    @Test func whatIsRefusedChangesNothing() throws {
        defer { remove() }
        let before = try DriveSettings.load(from: drive)
        #expect(throws: DriveError.self) {
            try DriveSettings.change(in: drive) { settings throws(DriveError) in
                settings.scrubDays = 3
                throw DriveError(.usage, "no")
            }
        }
        #expect(try DriveSettings.load(from: drive) == before)
        #expect(!FileManager.default.fileExists(atPath: draft))
    }
}
