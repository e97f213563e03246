import DriveCore
import Foundation
import Testing

/// SE1, SE2: links that lead outside, and what is put beneath their names.
@Suite struct LinkTests {
    @Test func targetsAreKeptAndNeverFollowed() async throws {
        let world = try World()
        let before = try world.outside()
        let victim = try world.device("victim")
        try victim.write("mine", "1")
        try await victim.sync()
        var evil = world.hostile()
        let outside = world.place.appending(path: "outside").path
        let door = evil.item("door", .link, content: evil.link(outside))
        let content = try await evil.content(Array("overwritten".utf8))
        let targets = [
            "/", "..", "../outside/secret", outside + "/secret", "/proc/self/root", ".docdrive", ".docdrive/replica",
        ]
        let links = targets.enumerated().map { evil.item(FileName("link\($0)"), .link, content: evil.link($1)) }
        // A file in the link, a folder of the link's name with such a file, and one for each other link.
        let folder = evil.item("door", .folder)
        try await evil.publish(
            [
                door, evil.item("secret", in: door.id, content: content), folder,
                evil.item("secret", in: folder.id, content: content),
            ] + links
                + links.map { evil.item("secret", in: $0.id, content: content) })
        for _ in 0..<3 { try await victim.sync() }
        #expect(try world.outside() == before)
        #expect(victim.text(".docdrive/replica") == "victim\n")
        for (place, target) in targets.enumerated() {
            let link = victim.root.appending(path: "link\(place)").path
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        }
        #expect(victim.text("door/secret") == "overwritten")

        // The link takes the folder's place, and the files stay beneath its name in their records.
        var moved = evil.item("elsewhere", .folder, id: folder.id)
        moved.context[evil.id] = evil.last
        let content2 = try await evil.content(Array("again".utf8))
        try await evil.publish([moved, evil.item("authorized_keys", in: door.id, content: content2)])
        for _ in 0..<3 { try await victim.sync() }
        #expect(try world.outside() == before)
        #expect(
            try FileManager.default.destinationOfSymbolicLink(
                atPath: victim.root.appending(path: "door").path) == outside)
    }

    /// The victim's own folder becomes a link while records for it arrive.
    @Test func aFolderThatBecameALinkIsNotWrittenThrough() async throws {
        let world = try World()
        let victim = try world.device("victim")
        var evil = world.hostile()
        let folder = evil.item("d", .folder)
        try await evil.publish([folder])
        try await victim.sync()
        let before = try world.outside()
        let place = victim.root.appending(path: "d")
        try FileManager.default.removeItem(at: place)
        try FileManager.default.createSymbolicLink(
            at: place, withDestinationURL: world.place.appending(path: "outside"))
        let content = try await evil.content(Array("key".utf8))
        try await evil.publish([evil.item("authorized_keys", in: folder.id, content: content)])
        // Without a scan between, as in a race.
        _ = try await victim.engine.fetch()
        _ = try await victim.engine.apply()
        try await victim.sync()
        try await victim.sync()
        #expect(try world.outside() == before)
    }
}
