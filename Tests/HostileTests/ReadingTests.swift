import DriveCore
import DriveIndex
import DriveTesting
import Foundation
import Testing

@testable import DocumentDrive

/// SE1, SE11, SE23: looking at a hostile store before joining it, and taking things out of a trash that it filled.
@Suite struct ReadingTests {
    @Test func aStoreThatLiesIsCountedWithoutATrap() async throws {
        let world = try World()
        let honest = try world.device("honest")
        try honest.write("letter.txt", "hello")
        try await honest.sync()
        var evil = world.hostile()
        var records: [ItemState] = []
        for number in 0..<3 {
            var content = try await evil.content([1])
            content.size = .max - 1
            records.append(evil.item(FileName("lie\(number)"), content: content))
        }
        var above = ItemID.root
        for _ in 0..<3_000 {
            let folder = evil.item("deep", .folder, in: above)
            records.append(folder)
            above = folder.id
        }
        try await evil.publish(records)
        var damaged = world.hostile()
        try await damaged.publish([damaged.item("../x", .link, content: damaged.link("x"))])
        let census = try await StoreCensus.take(world.info, in: world.objects, entropy: SeededEntropy(seed: 3))
        #expect(census.bytes == .max)
        #expect(census.items["letter.txt"]?.size == 5)
        #expect(census.items.keys.allSatisfy { $0.components.count <= DrivePath.deepest })
    }

    /// More than is fetched at once is counted all the same, and what two devices wrote of one item is one.
    @Test(arguments: [1, 256 << 20]) func theCensusIsOfAllJournals(portion: Int) async throws {
        let world = try World()
        let devices = try ["first", "second", "third"].map { try world.device($0) }
        for (number, device) in devices.enumerated() {
            try await device.sync()
            try device.write("of \(number)", "text")
            try device.write("of all", String(repeating: "x", count: number))
            try await device.sync()
        }
        let transport = JournalTransport(
            world.objects, store: world.info, device: DeviceID(high: 1, low: 1), entropy: SeededEntropy(seed: 3),
            portion: portion)
        let fetched = try await transport.fetch(since: DeviceVector(), own: transport.device, only: nil)
        #expect(fetched.isPartial == (portion == 1) && fetched.journals.count == (portion == 1 ? 1 : 3))
        let census = try await StoreCensus.take(
            world.info, in: world.objects, entropy: SeededEntropy(seed: 3), portion: portion)
        #expect(census.items.keys.sorted() == ["of 0", "of 1", "of 2", "of all"])
        #expect(census.items["of all"]?.size == 2)
    }

    /// A link goes to the trash, then a file from a folder of the same name: the export must not write through the link.
    @Test func anExportOfTheTrashStaysInItsFolder() async throws {
        let world = try World()
        let victim = try world.device("victim")
        let outside = world.place.appending(path: "outside").path
        let manager = FileManager.default
        var evil = world.hostile()
        let door = evil.item("door", .link, content: evil.link(outside))
        let folder = evil.item("door2", .folder)
        let file = evil.item("authorized_keys", in: folder.id, content: try await evil.content(Array("key".utf8)))
        try await evil.publish([door, folder, file])
        try await victim.sync()
        func delete(_ item: ItemState) -> ItemState {
            var gone = evil.item(item.name.value, item.kind, in: item.parent, id: item.id)
            gone.heads = item.heads.map { Head(dot: $0.dot, time: $0.time, content: $0.content, mark: .bySelf) }
            gone.life = item.life.map { LifeDot(dot: $0.dot, mark: .bySelf) }
            return gone
        }
        try await evil.publish([delete(door)])
        try await victim.sync()
        try await evil.publish([evil.item("door", .folder, id: folder.id)])
        try await victim.sync()
        try await evil.publish([delete(file)])
        try await victim.sync()
        #expect(try Set(victim.index.trash().map(\.path)) == ["door", "door/authorized_keys"])

        let before = try world.outside()
        let target = world.place.appending(path: "drive-export")
        try manager.createDirectory(at: target, withIntermediateDirectories: true)
        let reader = try DriveReader(FolderPath(Array(victim.root.path.utf8)))
        #expect(try TrashExporter(reader).export(to: FolderPath(Array(target.path.utf8))) == 2)
        #expect(try world.outside() == before)
        #expect(try String(contentsOf: target.appending(path: "door/authorized_keys"), encoding: .utf8) == "key")
    }
}
