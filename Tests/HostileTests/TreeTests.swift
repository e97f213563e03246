import DriveCore
import DriveTesting
import Testing

@testable import DriveTransport

/// SE11: trees that are no trees, or deeper than any disk.
@Suite struct TreeTests {
    @Test func cyclesAndImpossibleParentsAreShownSomewhere() async throws {
        let world = try World()
        let victim = try world.device("victim")
        try victim.write("mine", "1")
        try await victim.sync()
        var evil = world.hostile()
        let ids = (0..<4).map { _ in world.hostile().entropy.itemID() }
        let link = evil.item("link", .link, content: evil.link("/"))
        let file = evil.item("file", .link, content: evil.link("x"))
        try await evil.publish([
            evil.item("own-parent", .folder, in: ids[0], id: ids[0]),
            evil.item("a", .folder, in: ids[2], id: ids[1]), evil.item("b", .folder, in: ids[1], id: ids[2]),
            evil.item("in-cycle", .link, in: ids[1], content: evil.link("y")),
            link, file, evil.item("in-link", .link, in: link.id, content: evil.link("y")),
            evil.item("in-file", .folder, in: file.id),
            evil.item("in-nothing", .link, in: ids[3], content: evil.link("y")),
        ])
        try await victim.sync()
        try await victim.sync()
        let tree = try victim.tree()
        #expect(tree.isSuperset(of: ["mine", "own-parent", "link", "file", "in-link", "in-file"]))
        #expect(tree.contains { $0.hasSuffix("in-cycle") } && !tree.contains { $0.hasSuffix("in-nothing") })
        #expect(try await victim.sync().records == 0)
    }

    @Test func aCycleOfManyFoldersIsCut() async throws {
        let world = try World()
        let victim = try world.device("victim", checksView: false)
        try victim.write("mine", "1")
        var evil = world.hostile()
        let ids = (0..<150).map { ItemID(high: 1, low: UInt64($0) + 1) }
        try await evil.publish(
            ids.indices.map { evil.item("f", .folder, in: ids[($0 + 1) % ids.count], id: ids[$0]) })
        try await victim.sync()
        #expect(victim.text("mine") == "1")
        #expect(try victim.tree().count == 151)
        #expect(try victim.problems.isEmpty)
    }

    /// In memory, since a disk is synced for each of a thousand folders. `DeepTreeTests` has deeper ones.
    @Test func aChainDeeperThanAnyDiskIsHeldBack() async throws {
        let clock = ManualClock()
        let store = MemoryObjectStore(clock: clock)
        let victim = EngineDevice(DeviceSetup(number: 0, store: store, clock: clock, seed: 5)) { $0.checksView = false }
        let mine = try #require(victim.folder.place("mine"))
        #expect(victim.folder.create([1], at: mine))
        let entropy = SeededEntropy(seed: 6)
        let folder = StoreFolder(store.view(for: 1), EngineDevice.store.id)
        var evil = HostileDevice(entropy.deviceID(), folder, entropy: entropy)
        let depth = 3_000 * min(hostileScale, 40)
        let ids = (0..<depth).map { ItemID(high: 1, low: UInt64(depth - $0)) }
        var records = ids.indices.map { evil.item("f", .folder, in: $0 == 0 ? .root : ids[$0 - 1], id: ids[$0]) }
        try await evil.publish(records)
        func turn() async throws -> Int {
            let count = try await victim.scan()
            try await victim.commit(compacting: false)
            try await victim.fetch(only: nil)
            try await victim.apply()
            return count
        }
        for _ in 0..<2 { _ = try await turn() }
        #expect(victim.folder.tree().count == DrivePath.deepest + 1)
        #expect(try victim.state.problems().contains { $0.reason.contains("more than 1024 folders") })

        // The top moves to a place that nobody knows.
        records[0] = evil.item("f", .folder, in: ItemID(high: 9, low: 9), id: ids[0])
        try await evil.publish([records[0]])
        for _ in 0..<2 { _ = try await turn() }
        #expect(victim.folder.entry(at: mine) == .file([1]))
        #expect(try await turn() == 0)
    }
}
