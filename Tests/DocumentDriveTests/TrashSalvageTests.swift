import DriveCore
import DriveFiles
import DriveIndex
import Foundation
import TestSupport
import Testing

@testable import DocumentDrive

/// What a new index takes over of the trash: hashes are those that the new index compares with.
struct TrashSalvageTests {
    private static let text = Array("the only copy of a thesis".utf8)

    /// A drive without a store, with one file in its trash.
    private func drive(_ root: String, hash: ContentHash?) async throws -> FolderPath {
        try FileManager.default.createDirectory(atPath: "\(root)/drive", withIntermediateDirectories: true)
        let folder = FolderPath("\(root)/drive")
        try await DriveSetup(folder: folder, store: nil).carryOut()
        _ = try await Drive.open(folder).sync()
        try Data(Self.text).write(to: URL(fileURLWithPath: "\(root)/drive/.docdrive/trash/act-1"))
        let index = try DriveIndex(path: IndexFile(drive: folder).path.bytes)
        let key = try index.contentKey()
        let digest =
            hash
            ?? key.map { key in
                var digest = KeyedFingerprints(key).digest()
                Self.text.withUnsafeBytes { digest.update($0) }
                return digest.finish().hash
            }
        try index.transaction {
            try index.addTrash(
                TrashEntry(
                    name: "act-1", path: "Thesis", hash: digest, size: UInt64(Self.text.count), reason: .deleted,
                    time: 1))
            // As an older version made it.
            if hash != nil { try index.setSetting(nil, ContentKey.settingKey) }
        }
        return folder
    }

    private func place() -> String { "\(NSTemporaryDirectory())docdrive-salvage-\(UUID().uuidString)" }

    @Test func aRepairedOlderDriveHasFingerprintsOfItsTrash() async throws {
        let root = place()
        defer { try? FileManager.default.removeItem(atPath: root) }
        let folder = try await drive(root, hash: ContentHasher.hash(of: Self.text))
        _ = try Drive.rebuildIndex(folder)
        let index = try IndexFile(drive: folder).openForReading()
        var digest = KeyedFingerprints(try #require(try index.contentKey())).digest()
        Self.text.withUnsafeBytes { digest.update($0) }
        #expect(try index.trash().map(\.hash) == [digest.finish().hash])
        #expect(try index.trash().map(\.path) == ["Thesis" as DrivePath])
    }

    @Test func aStoreBringsHashes() async throws {
        let root = place()
        defer { try? FileManager.default.removeItem(atPath: root) }
        let folder = try await drive(root, hash: nil)
        try FileManager.default.createDirectory(atPath: "\(root)/store", withIntermediateDirectories: true)
        try await DriveSetup(folder: folder, store: StoreAddress(Array("\(root)/store".utf8))).carryOut()
        let index = try IndexFile(drive: folder).openForReading()
        #expect(try index.contentKey() == nil)
        #expect(try index.trash().map(\.hash) == [ContentHasher.hash(of: Self.text)])
    }

    /// Who was killed between the new index and the list of the trash in it leaves that to whoever opens it next.
    @Test func aTrashThatWasNotListedYetIsListedOnce() async throws {
        let root = place()
        defer { try? FileManager.default.removeItem(atPath: root) }
        let folder = try await drive(root, hash: nil)
        let file = IndexFile(drive: folder)
        try file.discard()
        #expect(try file.open(label: "here", hasStore: false, entropy: SystemEntropy()).condition == .new)
        #expect(try file.openForReading().trash().isEmpty)
        _ = try await Drive.open(folder).sync()
        #expect(try file.openForReading().trash().map(\.name) == ["act-1"])
        let index = try file.open(label: "here", hasStore: false, entropy: SystemEntropy()).index
        try index.transaction { try index.removeTrash("act-1") }
        _ = try await Drive.open(folder).sync()
        #expect(try file.openForReading().trash().isEmpty)
    }

    /// One file that cannot be read is no reason to lose the others.
    @Test func whatCannotBeReadIsListedWithoutAHash() async throws {
        let root = place()
        defer { try? FileManager.default.removeItem(atPath: root) }
        let folder = try await drive(root, hash: nil)
        try FileManager.default.removeItem(atPath: "\(root)/drive/.docdrive/trash/act-1")
        try FileManager.default.createDirectory(
            atPath: "\(root)/drive/.docdrive/trash/act-1", withIntermediateDirectories: false)
        try FileManager.default.createDirectory(atPath: "\(root)/store", withIntermediateDirectories: true)
        try await DriveSetup(folder: folder, store: StoreAddress(Array("\(root)/store".utf8))).carryOut()
        let entry = try #require(try IndexFile(drive: folder).openForReading().trash().first)
        #expect(entry.path == "Thesis" && entry.hash == nil)
    }
}
