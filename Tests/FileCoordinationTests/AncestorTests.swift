import DriveCore
import DriveTesting
import Testing

/// The content that both sides of a conflict come from is kept here for as long as that stands.
struct AncestorTests {
    /// A conflict is looked at once: what of it is lost then would be lost for good.
    @Test(arguments: 0..<8 as Range<UInt64>) func itOutlivesAPowerCut(seed: UInt64) async throws {
        let world = SharedStore()
        let (a, b) = (world.device(0), world.device(1))
        try a.make("1\n2\n3\n", "f")
        try await world.sync(a, b)
        for (device, text) in [(a, "by a\n1\n2\n3\n"), (b, "1\n2\n3\nby b\n")] {
            #expect(device.folder.write(Array(text.utf8), at: try #require(device.folder.place("f"))))
        }
        try await world.sync(a, b)
        _ = try await a.engine.sync()
        let entry = try #require(try a.state.trash().first { $0.reason == .ancestor })
        var generator = SeededGenerator(seed: seed)
        a.folder.cutPower(&generator)
        a.folder.restart()
        #expect(try a.folder.contentHash(of: entry.name, in: a.folder.open(.trash)) == entry.hash)
    }
}
