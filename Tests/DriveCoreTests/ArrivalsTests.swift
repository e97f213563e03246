import DriveCore
import DriveTesting
import Testing

@Suite struct ArrivalsTests {
    /// Into an empty folder: portions that are placed one after the other bring all but conflict copies and what shares a
    /// name with them, each once and each folder before what is in it.
    @Test(arguments: 0..<200) func bringsWhatIsNew(seed: Int) throws {
        var writers = ViewWriters(seed: UInt64(seed) &* 19 &+ 7, devices: 3)
        for _ in 0..<writers.random.number(in: 10...60) { writers.step() }
        let learner = ViewMaintenanceTests.Learner()
        try learner.learn(writers.records)
        var disk = Disk(state: learner.state)
        var arrivals = Arrivals(learner.state.dirt())
        while let portion = try arrivals.next(1 + seed % 4, in: learner.state) {
            #expect(portion.rows.isEmpty)
            for entry in portion.entries { disk.place(entry) }
        }
        let groups = Dictionary(grouping: learner.full.entries.values) { GroupKey(node: $0.node, name: $0.ownName) }
        var expected: Set<GroupKey> = []
        var nodes: [ItemID] = [.root]
        while let node = nodes.popLast() {
            for (group, entries) in groups where group.node == node && entries.count == 1 {
                expected.insert(group)
                if entries[0].kind == .folder { nodes.append(entries[0].primary.item) }
            }
        }
        #expect(disk.placed == expected)
    }

    /// Of what arrives on an empty disk, one thing is here under another name, and one has its place taken. Many histories end with
    /// too few files for that.
    @Test func whatMovesOrReplacesDoesNotArrive() throws {
        var count = 0
        for seed in 0..<2000 as Range<UInt64> where count < 50 {
            var writers = ViewWriters(seed: seed)
            for _ in 0..<60 { writers.step() }
            let records = writers.records
            let arriving = try entries(arrivingFrom: records) { _ in }.filter { $0.node == .root && $0.kind == .file }
            guard arriving.count > 2, let known = arriving.first, let taken = arriving.last else { continue }
            count += 1
            let rest = try entries(arrivingFrom: records) { disk in
                disk.save(name: "elsewhere", kind: .file, members: known.members)
                // Nobody has recorded it.
                disk.save(name: taken.name, kind: .file, members: [])
            }
            #expect(!rest.contains(known) && !rest.contains(taken), "seed \(seed)")
            #expect(rest.contains(arriving[1]), "seed \(seed)")
        }
        #expect(count == 50)
    }

    private func entries(
        arrivingFrom records: [ItemState], _ prepare: (inout Disk) throws -> Void
    ) throws -> [ViewEntry] {
        let learner = ViewMaintenanceTests.Learner()
        try learner.learn(records)
        var disk = Disk(state: learner.state)
        try prepare(&disk)
        var found: [ViewEntry] = []
        var arrivals = Arrivals(learner.state.dirt())
        while let portion = try arrivals.next(2, in: learner.state) {
            for entry in portion.entries { disk.place(entry) }
            found += portion.entries
        }
        return found
    }

    /// Places entries as apply does.
    private struct Disk {
        let state: MemoryState
        private(set) var placed: Set<GroupKey> = []
        private var folders: [ItemID: RowID] = [.root: .root]

        init(state: MemoryState) { self.state = state }

        mutating func place(_ entry: ViewEntry) {
            #expect(placed.insert(GroupKey(node: entry.node, name: entry.ownName)).inserted)
            guard let folder = folders[entry.node] else {
                Issue.record("\(entry.name) came before its folder")
                return
            }
            let id = save(name: entry.name, kind: entry.kind, members: entry.members, in: folder)
            if entry.kind == .folder { folders[entry.primary.item] = id }
        }

        @discardableResult
        func save(name: FileName, kind: ItemKind, members: [Member], in folder: RowID = .root) -> RowID {
            let start = FileTime(seconds: 0)
            let id = state.newRowID()
            let kindOfFile: FileFacts.Kind = kind == .folder ? .folder : kind == .link ? .link : .file
            state.save(
                Row(
                    id: id, parent: folder, name: name, kind: kind,
                    facts: FileFacts(
                        kind: kindOfFile, identity: FileIdentity(inode: UInt64(id.rawValue), birth: nil), size: 0,
                        modified: start, changed: start), members: members))
            return id
        }
    }
}
