import DriveCore
import Foundation
import Testing

@testable import DocumentDrive

struct VersionBytesTests {
    /// Whatever the version is of, and wherever its bytes are.
    @Test(arguments: ["File", "Link"]) func whatIsThereIsLeftAlone(name: String) async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha")
        try device.write("File", "regular\n")
        try FileManager.default.createSymbolicLink(atPath: device.path("Link"), withDestinationPath: "somewhere")
        try await device.sync()
        let reader = try DriveReader(device.folder)
        let version = try #require(try reader.currentVersion(of: DrivePath(name)))
        let thesis = FolderPath("\(world.root)/thesis.txt")
        try "the only copy\n".write(toFile: thesis.description, atomically: false, encoding: .utf8)
        await #expect(throws: DriveError.self) { try await VersionBytes(reader).write(version, to: thesis) }
        #expect(try String(contentsOfFile: thesis.description, encoding: .utf8) == "the only copy\n")

        let new = FolderPath("\(world.root)/new")
        try await VersionBytes(reader).write(version, to: new)
        let text = try String(contentsOfFile: new.description, encoding: .utf8)
        #expect(text == (name == "Link" ? "somewhere" : "regular\n"))
    }
}
