import DriveCore
import DriveFiles
import Foundation
import TestSupport
import Testing

@testable import DocumentDrive

/// What a look before a join says of items that both sides have.
@Suite(.mayBlock)
struct CommonPathsTests {
    private let folder: FolderPath

    init() throws {
        let place = NSTemporaryDirectory() + "docdrive-common-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        folder = FolderPath(place)
    }

    private func write(_ text: String, to name: String) throws {
        try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    }

    private func common(
        _ there: [DrivePath: StoreCensus.Item], readable: UInt64 = CommonPaths.readable
    ) throws -> [Int] {
        defer { try? FileManager.default.removeItem(atPath: folder.description) }
        let census = try #require(try FolderCensus.take(at: folder.bytes, storeMark: StoreFinder.mark))
        let common = CommonPaths(census.items, there, in: folder, readable: readable)
        return [common.alike, common.differing, common.undecided]
    }

    private static func file(_ text: String) -> StoreCensus.Item {
        StoreCensus.Item(kind: .file, size: UInt64(text.utf8.count), hash: ContentHasher.hash(of: Array(text.utf8)))
    }

    private static func link(_ target: String) -> StoreCensus.Item {
        StoreCensus.Item(kind: .link, size: 0, hash: ContentHasher.hash(ofLinkTarget: Array(target.utf8)))
    }

    @Test func filesOfOneSizeAreComparedByTheirBytes() throws {
        try write("price 100\n", to: "offer")
        try write("same", to: "same")
        #expect(try common(["offer": Self.file("price 900\n"), "same": Self.file("same")]) == [1, 1, 0])
    }

    @Test func linksAreComparedByTheirTargets() throws {
        for name in ["one", "other"] {
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(name)", withDestinationPath: name)
        }
        #expect(try common(["one": Self.link("one"), "other": Self.link("another")]) == [1, 1, 0])
    }

    @Test func whatIsTooMuchToReadIsNotDecided() throws {
        try write("1234567890", to: "large")
        try write("12345", to: "small")
        try write("123", to: "longer there")
        let there = [
            DrivePath("large"): Self.file("1234567890"), "small": Self.file("12345"), "longer there": Self.file("1234"),
        ]
        #expect(try common(there, readable: 8) == [1, 1, 1])
    }
}
