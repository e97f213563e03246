@testable import DriveCore
import DriveTesting
import Testing

@Suite("The maintained view")
struct ViewMaintenanceTests {
    /// A drive's memory that learns records and compares its view with the full one after each step.
    struct Learner {
        let state = MemoryState(device: DeviceID(high: 99, low: 0), label: "learner")

        func learn(_ records: [ItemState]) throws {
            let joined = records.joined.map { state.item($0.id)?.state.joined($0) ?? $0 }
            var maintenance = ViewMaintenance(state)
            try state.transaction { try maintenance.put(joined) }
        }

        var full: FullView { FullView(state.allItems().map(\.state), labels: state.labels()) }

        /// What differs, for people; empty where the maintained view is the full one.
        func differences() throws -> [String] {
            let full = full
            let reader = ViewReader(state)
            var found: [String] = []
            var entries: [GroupKey: ViewEntry] = [:]
            for entry in try reader.allEntries() {
                let key = GroupKey(node: entry.node, name: entry.name)
                if entries.updateValue(entry, forKey: key) != nil { found.append("twice: \(key)") }
                if try reader.entry(named: entry.name, in: entry.node) != entry {
                    found.append("not found by name: \(key)")
                }
            }
            for key in Set(entries.keys).union(full.entries.keys).sorted() where entries[key] != full.entries[key] {
                found.append(
                    "\(key.name): \(String(describing: entries[key])) != \(String(describing: full.entries[key]))")
            }
            for item in state.allItems() {
                if item.shape.isAlive != full.alive.contains(item.id) { found.append("life of \(item.id)") }
                if item.shape.parent != full.parents[item.id] { found.append("parent of \(item.id)") }
                let children = state.children(of: item.id, named: nil).filter(\.shape.isShown).count
                if item.shape.shownChildren != children { found.append("count of \(item.id)") }
            }
            if state.undone() != full.undone { found.append("undone: \(state.undone()) != \(full.undone)") }
            return found
        }
    }

    @Test("It is the full view, whatever arrives in whatever order", arguments: 0..<300)
    func maintainedIsFull(seed: Int) throws {
        var writers = ViewWriters(seed: UInt64(seed) &* 31 &+ 5, devices: 3)
        for _ in 0..<writers.random.number(in: 10...80) { writers.step() }
        var records = (writers.records + writers.reached).shuffled(using: &writers.random)
        let learner = Learner()
        while !records.isEmpty {
            let batch = Array(records.prefix(writers.random.chance(percent: 70) ? 1 : 6))
            records.removeFirst(batch.count)
            try learner.learn(batch)
            if writers.random.chance(percent: 5) {
                var maintenance = ViewMaintenance(learner.state)
                try maintenance.setLabels(writers.labels())
            }
            let differences = try learner.differences()
            #expect(differences.isEmpty)
            if !differences.isEmpty { return }
        }
    }

    @Test("Folders that were deleted each with the next live once the last one does, and never in a ring")
    func lifeGoesAlongChains() throws {
        let device = DeviceID(high: 1, low: 0)
        let count: UInt64 = 300
        func id(_ number: UInt64) -> ItemID { ItemID(high: 7, low: number) }
        func folder(_ number: UInt64, n: UInt64, _ life: [Mark]) -> ItemState {
            let tag = Tag(time: HybridTime(rawValue: n << 26), dot: Dot(device: device, n: n))
            return ItemState(
                id: id(number), kind: .folder, context: DeviceVector(device, n),
                name: Register(tag: tag, value: FileName("f\(number)")),
                placement: Register(tag: tag, value: Placement(parent: .root, from: .root)), heads: [],
                life: life.map { LifeDot(dot: tag.dot, mark: $0) })
        }
        let chain = (1...count).map { folder($0, n: $0, [Mark(folders: [id($0 + 1)])]) }
        for isRing in [false, true] {
            let learner = Learner()
            func living() -> Int { learner.state.allItems().count { $0.shape.isAlive && $0.id != .root } }
            let end = isRing ? [Mark(folders: [id(1)])] : []
            try learner.learn(chain + [folder(count + 1, n: count + 1, end)])
            #expect(living() == 0)
            if !isRing {
                try learner.learn([folder(count + 1, n: count + 2, [.none])])
                #expect(living() == Int(count) + 1)
            }
            let differences = try learner.differences()
            #expect(differences.isEmpty)
        }
    }

    @Test("What changed in the view is in the dirt", arguments: 0..<200)
    func dirtCoversChanges(seed: Int) throws {
        var writers = ViewWriters(seed: UInt64(seed) &* 17 &+ 9, devices: 3)
        for _ in 0..<60 { writers.step() }
        let records = writers.records.shuffled(using: &writers.random)
        let learner = Learner()
        var before: [GroupKey: ViewEntry] = [:]
        for record in records {
            learner.state.changeDirt(removing: learner.state.dirt(), adding: ViewDirt())
            try learner.learn([record])
            let after = learner.full.entries
            let dirt = learner.state.dirt()
            for key in Set(before.keys).union(after.keys) where before[key] != after[key] {
                for entry in [before[key], after[key]].compactMap({ $0 }) {
                    let isDirty =
                        dirt.groups.contains(GroupKey(node: entry.node, name: entry.ownName))
                        || entry.members.contains { dirt.items.contains($0.item) }
                    #expect(isDirty, "\(key.name) changed unnoticed")
                }
            }
            before = after
        }
    }

    @Test("The same records in any order give the same full view", arguments: 0..<60)
    func orderDoesNotMatter(seed: Int) {
        var writers = ViewWriters(seed: UInt64(seed) + 77)
        for _ in 0..<100 { writers.step() }
        let labels = writers.labels()
        let expected = FullView(writers.records.joined, labels: labels)
        for _ in 0..<4 {
            let other = FullView(writers.records.shuffled(using: &writers.random).joined, labels: labels)
            #expect(other.entries == expected.entries)
            #expect(other.parents == expected.parents)
            #expect(other.undone == expected.undone)
            #expect(other.alive == expected.alive)
        }
    }

    @Test("Every shown name is one that a disk can hold, once", arguments: 0..<60)
    func namesAreValid(seed: Int) {
        var writers = ViewWriters(seed: UInt64(seed) + 7_000)
        for _ in 0..<100 { writers.step() }
        let view = FullView(writers.records.joined, labels: writers.labels())
        for (key, entry) in view.entries {
            #expect(entry.name == key.name)
            #expect(entry.name.isValid)
            #expect(
                key.node == .root || view.entries.values.contains { $0.kind == .folder && $0.primary.item == key.node })
        }
    }
}
