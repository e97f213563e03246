import DriveCore
import Foundation
import TestSupport
import Testing

@testable import DocumentDrive

/// A search index that somebody removes or replaces while it is written.
@Suite(.mayBlock) struct LostSearchIndexTests {
    enum Loss: CaseIterable { case allFiles, oneFile, olderFile }

    /// An importer that does this to the search index once, and reads nothing.
    private func importer(_ loss: Loss, of file: SearchFile, in root: String) throws -> String {
        let allFiles = "rm -f '\(file.path)' '\(file.path)-wal' '\(file.path)-shm'"
        let deed =
            switch loss {
            case .allFiles: allFiles
            case .oneFile: "rm -f '\(file.path)'"
            case .olderFile: "\(allFiles) && cp '\(root)/older' '\(file.path)'"
            }
        let path = "\(root)/importer"
        try ExecutableScript.write("#!/bin/sh\nmkdir '\(root)/once' 2>/dev/null && \(deed)\nexit 1\n", to: path)
        return path
    }

    @Test(arguments: Loss.allCases) func whatWasLostDuringARunIsMadeAnewByTheNext(_ loss: Loss) async throws {
        let world = try WhyWorld()
        let device = try await world.device("alpha", hasStore: false)
        let file = SearchFile(drive: device.folder)
        try device.write("Letter.txt", "a note on the budget\n")
        let drive = try device.drive()
        _ = try await drive.readDocuments()
        try FileManager.default.copyItem(atPath: file.path.description, toPath: "\(world.root)/older")

        try device.write("New.txt", "another note\n")
        try await drive.look()
        let program = try importer(loss, of: file, in: world.root)
        let indexing = DocumentIndexing(
            device.folder, engine: drive.engine, gate: PassGate(), workers: 1, program: program)
        let outcome = try await indexing.run()
        #expect(outcome.failed > 0)
        #expect(FileManager.default.fileExists(atPath: "\(world.root)/once"))
        #expect(try DriveReader(device.folder).unreadCount() > 0, "nobody else finds what was read")
        _ = try await indexing.run()
        #expect(try DriveReader(device.folder).unreadCount() == 0)
        await indexing.end()
        await drive.close()
        withExtendedLifetime(world) {}
    }
}
