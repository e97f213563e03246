import DriveCore
import Foundation
import Testing

@testable import DocumentDrive

/// Of two contents of one name, each has the date that it was saved with.
@Suite struct ConflictCopyDateTests {
    private func date(_ name: String, _ device: WhyDevice) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: device.path(name))[.modificationDate] as? Date
    }

    @Test func whoDatesTheFileDoesNotDateItsCopy() async throws {
        let world = try WhyWorld()
        let (a, b) = try await world.pair()
        try a.write("Letter.txt", "dear Ada\n")
        try a.setDate("Letter.txt", 1_000_000_000)
        try b.write("Letter.txt", "dear Ben\n")
        for device in [a, b, a] { try await device.sync() }
        let conflict = try #require(try DriveReader(a.folder).conflicts().first)
        let copy = try #require(conflict.copy?.description)
        #expect(try a.text(copy) == "dear Ada\n" && date(copy, a) == Date(timeIntervalSince1970: 1_000_000_000))
        try a.setDate("Letter.txt", 500_000_000)
        for device in [a, b, a] { try await device.sync() }
        for device in [a, b] {
            #expect(try date("Letter.txt", device) == Date(timeIntervalSince1970: 500_000_000))
            #expect(try date(copy, device) == Date(timeIntervalSince1970: 1_000_000_000))
        }
    }
}

extension WhyDevice {
    fileprivate func setDate(_ name: String, _ seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path(name))
    }
}
