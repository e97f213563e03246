import DriveCore
import DriveTesting
import Testing

/// Trees that nobody makes by hand: the view neither needs a stack as deep as they are nor time for every pair.
@Suite struct DeepTreeTests {
    private let depth = 20_000
    private let device = DeviceID(high: 1, low: 1)
    private let state = MemoryState(device: DeviceID(high: 99, low: 0), label: "reader")

    private func item(_ place: Int) -> ItemID { ItemID(high: 1, low: UInt64(depth - place)) }

    private func folder(_ place: Int, in parent: ItemID, n: Int, isAlive: Bool = true) -> ItemState {
        let dot = Dot(device: device, n: UInt64(n))
        let tag = Tag(time: HybridTime(milliseconds: UInt64(n)), dot: dot)
        return ItemState(
            id: item(place), kind: .folder, context: DeviceVector(device, dot.n), name: Register(tag: tag, value: "f"),
            placement: Register(tag: tag, value: Placement(parent: parent, from: .root)),
            life: isAlive ? [LifeDot(dot: dot)] : [])
    }

    private func learn(_ records: [ItemState]) throws {
        var maintenance = ViewMaintenance(state)
        try state.transaction { try maintenance.put(records) }
    }

    @Test func aChainIsShownHiddenAndShownAgain() throws {
        try learn((0..<depth).map { folder($0, in: $0 == 0 ? .root : item($0 - 1), n: $0 + 1) }.reversed())
        let reader = ViewReader(state)
        #expect(try reader.allEntries().count == depth)
        #expect(try reader.path(ofNode: item(depth - 1))?.components.count == depth)
        #expect(try reader.path(ofNode: item(depth - 1), limit: 1_024) == nil)
        try learn([folder(0, in: ItemID(high: 7, low: 7), n: depth + 1)])
        #expect(try reader.allEntries().isEmpty)
        try learn([folder(0, in: .root, n: depth + 2)])
        #expect(try reader.allEntries().count == depth)
        #expect(try WorkSet(state.dirt(), in: state).entries.count == depth)
    }

    @Test func aRingIsCutAtItsLatestMove() throws {
        try learn((0..<depth).map { folder($0, in: item(($0 + 1) % depth), n: $0 + 1) })
        #expect(state.undone() == [item(depth - 1)])
        #expect(try ViewReader(state).allEntries().count == depth)
    }

    /// Each gets its name without counting through the names of all before it.
    @Test func manyFilesOfOneNameAreNamed() throws {
        let records = (0..<2_000).map { place in
            var record = folder(place, in: .root, n: place + 1)
            let content = Content.link(target: Array("\(place)".utf8), modified: FileTime(seconds: 1))
            record = ItemState(
                id: record.id, kind: .link, context: record.context, name: record.name, placement: record.placement,
                heads: [Head(dot: record.life[0].dot, time: HybridTime(milliseconds: 5), content: content)],
                life: record.life)
            record.name.tag.time = HybridTime(milliseconds: 5)
            record.placement.tag.time = HybridTime(milliseconds: 5)
            return record
        }
        try learn(records)
        let names = try ViewReader(state).allEntries().map(\.name)
        #expect(Set(names).count == 2_000)
    }
}
