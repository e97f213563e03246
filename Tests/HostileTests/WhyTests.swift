import DocumentDrive
import DriveCore
import Testing

/// What somebody wrote to do harm is named like anything else that cannot be here.
struct WhyTests {
    private func why(_ path: DrivePath, _ device: Device) throws -> Explanation {
        try DriveReader(FolderPath(device.root.path)).explanation(of: path)
    }

    @Test func whatCannotExistHereIsNamed() async throws {
        let world = try World()
        let victim = try world.device("victim")
        try victim.write("mine", "1")
        try await victim.sync()
        var evil = world.hostile()
        let content = try await evil.content(Array("text".utf8))
        try await evil.publish([
            evil.item("link", .link, content: evil.link("")), evil.item(".docdrive", content: content),
            evil.item("good", content: content),
        ])
        try await victim.sync()
        #expect(try why("link", victim).cause == .impossible)
        #expect(try why(".docdrive", victim).cause == .ownName)
        #expect(try why("good", victim).standing == .synced)
    }

    @Test func aJournalWithANameThatNoDiskHoldsIsNamed() async throws {
        let world = try World()
        let victim = try world.device("victim")
        try await victim.sync()
        var evil = world.hostile()
        let content = try await evil.content(Array("text".utf8))
        try await evil.publish([evil.item("../up", content: content)])
        try await victim.sync()
        #expect(try DriveReader(FolderPath(victim.root.path)).waiting().isEmpty == false)
        #expect(try why("up", victim).cause == .unknown)
    }
}
