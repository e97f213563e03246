import DriveCore
import DriveTesting
import Testing

@Suite struct OutlineTests {
    @Test("It is the full view without conflict copies", arguments: 0..<300)
    func isTheFullViewWithoutCopies(seed: Int) {
        var writers = ViewWriters(seed: UInt64(seed) &* 13 &+ 3, devices: 3)
        for _ in 0..<writers.random.number(in: 10...80) { writers.step() }
        let full = FullView(writers.records.joined, labels: writers.labels())
        // Who moved folders into each other has one of the moves undone, which the outline does not know.
        if !full.undone.isEmpty { return }
        var expected: [DrivePath: Bool] = [:]
        var folders: [(node: ItemID, path: DrivePath)] = [(.root, .root)]
        while let folder = folders.popLast() {
            for entry in full.entries.values where entry.node == folder.node && !entry.isDerived {
                let path = folder.path.appending(entry.name)
                expected[path] = entry.kind == .folder
                if entry.kind == .folder { folders.append((entry.primary.item, path)) }
            }
        }
        let found = outline(of: writers.records.shuffled(using: &writers.random))
        #expect(found.mapValues { $0.kind == .folder } == expected)
    }

    @Test(arguments: 0..<40) func sizesAreThoseOfTheNewestContent(seed: Int) {
        var writers = ViewWriters(seed: UInt64(seed))
        for _ in 0..<40 { writers.step() }
        let full = FullView(writers.records.joined, labels: writers.labels())
        if !full.undone.isEmpty { return }
        let found = outline(of: writers.records)
        let groups = Dictionary(grouping: full.entries.values) { GroupKey(node: $0.node, name: $0.ownName) }
        for entry in full.entries.values where entry.node == .root {
            guard groups[GroupKey(node: .root, name: entry.ownName)]?.count == 1 else { continue }
            let one = found[DrivePath([entry.name])]
            #expect(one?.kind == entry.kind)
            #expect(one?.hash == (entry.kind == .folder ? nil : entry.content?.hash))
            #expect(one?.size == (entry.kind == .file ? entry.content?.size : 0))
        }
    }

    private func outline(of records: [ItemState]) -> [DrivePath: Outline.Found] {
        var outline = Outline()
        outline.announce(records.map(\.id))
        for record in records { outline.add(record) }
        return outline.paths()
    }
}
