import DriveCore
import DriveTransport

/// What every `DriveState` promises, as checks that need only the seam.
public enum DriveStateContract {
    public struct Promise: Sendable, CustomStringConvertible {
        public var description: String
        let check: @Sendable (any DriveState) throws -> Void

        init(_ description: String, _ check: @escaping @Sendable (any DriveState) throws -> Void) {
            self.description = description
            self.check = check
        }

        /// `make` gives a new state. Throws `ContractViolation` where it breaks the promise.
        public func check(_ make: () throws -> any DriveState) throws {
            do { try check(make()) } catch { throw ContractViolation("\(description): \(error)") }
        }
    }

    /// Every promise, each over a fresh state.
    public static func check(make: () throws -> any DriveState) throws {
        for promise in promises { try promise.check(make) }
    }

    /// Puts something into every table, the same for a seed; for checks of an implementation's own.
    public static func fill(_ state: any DriveState, seed: UInt64) throws {
        var tables = RandomTables(seed: seed)
        try tables.fill(state)
    }

    /// States of a few items, several of each.
    public static func randomStates(seed: UInt64, count: Int) -> [ItemState] {
        var tables = RandomTables(seed: seed)
        return (0..<count).map { _ in
            let id = tables.random.choice(tables.ids)
            return tables.state(id)
        }
    }

    public static var promises: [Promise] {
        [
            Promise("a new state has the root's row and nothing else", isEmpty),
            Promise("an item is what was saved, and every index finds it", keepsItems),
            Promise("a row is what was saved, and every index finds it", keepsRows),
            Promise("two rows may change places within a transaction", swapsRows),
            Promise("a known folder is forgotten with each change of what a walk sees in it", forgetsFolders),
            Promise("row ids are never given twice", givesRowIDs),
            Promise("everything that was set is there", keepsEverything),
            Promise("names of conflict copies are found by folder, by own name and by name", keepsDerivedNames),
            Promise("what a body that throws did is undone", rollsBack),
            Promise("nested transactions are part of the outer one", nests),
            Promise("what waits for the end of a transaction is done once it stands, or never", tellsOfCommits),
            Promise("dirt is what was set last", keepsDirt),
            Promise("pending groups stay in order until they are published", keepsPending),
            Promise("own records are set, removed and forgotten", keepsOwnRecords),
            Promise("chunks that records refer to or that were uploaded are known", knowsChunks),
            Promise("uploaded chunks that nothing ever named are known", knowsWhatWasNeverNamed),
            Promise("events come newest first, problems by source, settings by name", keepsDiary),
            Promise("what is kept for a while counts by the time that was seen pass", keepsByTimeSeen),
        ]
    }

    private static func isEmpty(_ state: any DriveState) throws {
        try requireEqual(state.allItems(), [], "items")
        try requireEqual(state.allRows().map(\.id), [.root], "rows")
        try requireEqual(state.rowCount(), 0, "the root does not count")
        try requireEqual(state.children(of: .root), [], "the root is not in itself")
        try requireEqual(state.rows(holding: .root).map(\.id), [.root], "the root's row holds the root")
        try requireEqual(state.members(ofNode: .root), [.root], "the root's only member")
        try requireEqual(state.dirt(), ViewDirt(), "dirt")
        try requireEqual(state.token(), DeviceVector(), "token")
    }

    private static func keepsItems(_ state: any DriveState) throws {
        for seed in 1...6 as ClosedRange<UInt64> {
            var tables = RandomTables(seed: seed)
            var items: [ItemID: StoredItem] = [:]
            for id in try state.allItems().map(\.id) { items[id] = try state.item(id) }
            for _ in 0..<120 {
                let id = tables.random.choice(tables.ids)
                var item = tables.storedItem(id)
                // Often the shape alone changes.
                if tables.random.chance(percent: 50), let old = items[id] { item.state = old.state }
                items[id] = item
                try state.save(item)
                try requireEqual(state.item(id), item, "the item")
                if tables.random.chance(percent: 10) { try compare(state, items, tables) }
            }
            try compare(state, items, tables)
        }
    }

    /// Every query against a look at all items.
    private static func compare(_ state: any DriveState, _ items: [ItemID: StoredItem], _ tables: RandomTables) throws {
        let all = items.values
        try requireEqual(Set(state.allItems()), Set(all), "all items")
        for id in tables.ids + [.root] {
            let children = all.filter { $0.shape.parent == id }
            try requireEqual(Set(state.children(of: id, named: nil)), Set(children), "children")
            for name in tables.names {
                try requireEqual(
                    Set(state.children(of: id, named: name)), Set(children.filter { $0.state.name.value == name }),
                    "children of one name")
            }
            let pending = all.filter { $0.shape.parent == nil && $0.state.parent == id }
            try requireSame(state.pendingChildren(of: id), pending.map(\.id), "pending children")
            let marked = all.filter { item in
                item.state.life.contains { $0.mark.folders.contains(id) }
                    || item.state.heads.contains { $0.mark.folders.contains(id) }
            }
            try requireSame(state.items(markedBy: id), marked.map(\.id), "marked items")
            if id != .root {
                try requireSame(
                    state.members(ofNode: id), all.filter { $0.shape.node == id }.map(\.id), "members of a node")
            }
        }
        try requireEqual(state.item(ItemID(high: 1, low: 2)), nil, "an item nobody saved")
    }

    /// Without order, without repetition.
    static func requireSame<Element: Comparable>(
        _ found: [Element], _ wanted: [Element], _ promise: String
    ) throws {
        try requireEqual(found.sorted(), wanted.sorted(), promise)
    }

    private static func keepsEverything(_ state: any DriveState) throws {
        try fill(state, seed: 21)
        let image = try StateImage(state)
        try require(!image.items.isEmpty && image.rowCount == 20 && image.derived.count == 1, "the tables are filled")
        try require(
            image.intents.count == 7 && image.trash.count == 2 && image.events.count == 4, "the diary is filled")
        try requireEqual(image.operations.map(\.reversed), [[4, 5]], "all that an operation reversed")
        try require(image.pending.count == 2 && image.pending[0].records.count == image.items.count, "pending groups")
        try require(image.journal.intended?.segments.first?.high == 70 && image.numbers.last == 77, "the journal")
        try requireEqual(image.labels.devices.count, 1, "labels")
        try requireEqual(image.token.entries.count, 2, "token")
        let node = try requireValue(image.derived.keys.first, "a node")
        try state.changeDerivedNames(in: node, removing: image.derived[node] ?? [], adding: [])
        try requireEqual(state.nodesWithDerivedNames(), [], "no names are left")
        try state.setUndone([])
        try requireEqual(state.undone(), [], "nothing is undone")
        try state.setIntents([])
        try requireEqual(state.intents(), [], "no intents are left")
        try state.removeTrash("t1")
        try requireEqual(state.trash().count, 1, "one entry of the trash")
    }

    private static func keepsDerivedNames(_ state: any DriveState) throws {
        var tables = RandomTables(seed: 33)
        let nodes = [ItemID.root, tables.ids[0]]
        var all: [ItemID: [DerivedName]] = [:]
        for _ in 0..<60 {
            let node = tables.random.choice(nodes)
            var (going, staying): ([DerivedName], [DerivedName]) = ([], [])
            for name in all[node] ?? [] {
                if tables.random.chance(percent: 30) { going.append(name) } else { staying.append(name) }
            }
            let new = tables.derivedName()
            let isFree = !staying.contains { $0.name == new.name || $0.key == new.key && $0.ownName == new.ownName }
            try state.changeDerivedNames(in: node, removing: going, adding: isFree ? [new] : [])
            all[node] = staying + (isFree ? [new] : [])
            for node in nodes { try compare(state, all[node] ?? [], node, tables.names) }
            try requireEqual(
                Set(state.nodesWithDerivedNames()), Set(all.filter { !$0.value.isEmpty }.keys), "folders with copies")
        }
    }

    private static func compare(
        _ state: any DriveState, _ all: [DerivedName], _ node: ItemID, _ names: [FileName]
    ) throws {
        try requireEqual(state.derivedNames(in: node), all.sorted(), "names of a folder, in order")
        for name in names {
            try requireEqual(
                state.derivedNames(of: GroupKey(node: node, name: name)), all.filter { $0.ownName == name }.sorted(),
                "names that stand for one")
            try requireEqual(state.derivedName(name, in: node), all.first { $0.name == name }, "who bears a name")
        }
        let numbered = all.isEmpty ? nil : all.contains(where: \.isNumbered)
        try requireEqual(state.hasNumberedNames(in: node), numbered, "whether one is numbered")
    }

    private struct Stop: Error {}

    private static func rollsBack(_ state: any DriveState) throws {
        try fill(state, seed: 31)
        let before = try StateImage(state)
        for seed in 32...34 as ClosedRange<UInt64> {
            try requireThrows("the error of the body comes out") {
                try state.transaction {
                    try fill(state, seed: seed)
                    try state.changeDirt(removing: state.dirt(), adding: ViewDirt())
                    try state.setPending([])
                    throw Stop()
                }
            }
            try requireEqual(StateImage(state), before, "the state is as before")
        }
        // What was named only in what was thrown away can be named again.
        try fill(state, seed: 32)
        let item = RandomTables(seed: 32).ids[0]
        try require(state.item(item) != nil, "items can be saved after a rollback")
    }

    private static func tellsOfCommits(_ state: any DriveState) throws {
        var told: [String] = []
        state.whenCommitted { told.append("outside") }
        try requireEqual(told, ["outside"], "there is nothing to wait for")
        let before = try state.transaction {
            state.whenCommitted { told.append("outer") }
            try state.transaction { state.whenCommitted { told.append("inner") } }
            return told.count
        }
        try requireEqual(before, 1, "nothing is done before the end")
        try requireEqual(told, ["outside", "outer", "inner"], "what was waited for, in order")
        try requireThrows("the error") {
            try state.transaction {
                state.whenCommitted { told.append("undone") }
                throw Stop()
            }
        }
        try state.transaction { try state.setSetting([1], "a") }
        try requireEqual(told.count, 3, "what is taken back is never told")
    }

    private static func nests(_ state: any DriveState) throws {
        let value = try state.transaction {
            try state.transaction { try state.setSetting([1], "a") }
            try state.setSetting([2], "b")
            return 5
        }
        try requireEqual(value, 5, "the result of the body")
        try requireEqual(state.setting("a"), [1], "what the inner one did")
        try requireThrows("the outer one's error") {
            try state.transaction {
                try state.transaction { try state.setSetting([9], "a") }
                throw Stop()
            }
        }
        try requireEqual(state.setting("a"), [1], "the inner one is undone with the outer one")
        try requireThrows("the inner one's error") {
            try state.transaction {
                try state.setSetting([9], "b")
                try state.transaction { throw Stop() }
            }
        }
        try requireEqual(state.setting("b"), [2], "the outer one is undone with the inner one")
    }

    private static func keepsDirt(_ state: any DriveState) throws {
        var tables = RandomTables(seed: 41)
        var expected = ViewDirt()
        for round in 0..<60 {
            let before = expected
            let isKept = round % 5 != 4
            do {
                try state.transaction {
                    for _ in 0..<tables.random.below(4) {
                        let (old, new) = (tables.dirt(), tables.dirt())
                        try state.changeDirt(removing: old, adding: new)
                        expected.change(removing: old, adding: new)
                        try requireEqual(state.dirt(), expected, "dirt within a transaction")
                    }
                    if round % 9 == 0 {
                        try state.changeDirt(removing: state.dirt(), adding: ViewDirt())
                        expected = ViewDirt()
                    }
                    if !isKept { throw Stop() }
                }
            } catch is Stop { expected = before }
            try requireEqual(state.dirt(), expected, "dirt")
        }
    }
}
