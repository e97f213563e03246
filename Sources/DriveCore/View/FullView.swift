/// The view as a function of all item states at once: the specification that the maintained view is checked against.
/// Cost: all items.
public struct FullView: Sendable {
    public private(set) var entries: [GroupKey: ViewEntry] = [:]
    public private(set) var alive: Set<ItemID> = []
    /// V1 and V2.
    public private(set) var parents: [ItemID: ItemID] = [:]
    /// Items whose move V2 undoes.
    public private(set) var undone: Set<ItemID> = []

    private let states: [ItemID: ItemState]
    private let labels: DeviceLabels

    public init(_ states: [ItemState], labels: DeviceLabels) {
        self.states = Dictionary(uniqueKeysWithValues: states.map { ($0.id, $0) })
        self.labels = labels
        findAlive()
        findParents()
        build()
    }

    /// V0, the least fixpoint.
    private mutating func findAlive() {
        for state in states.values where state.life.contains(where: \.mark.isEmpty) { alive.insert(state.id) }
        var changed = true
        while changed {
            changed = false
            for state in states.values where !alive.contains(state.id) {
                if state.life.contains(where: { !$0.mark.holds(isAlive: isLiveFolder) }) {
                    alive.insert(state.id)
                    changed = true
                }
            }
        }
    }

    private func isLiveFolder(_ id: ItemID) -> Bool { alive.contains(id) && states[id]?.kind == .folder }

    private mutating func findParents() {
        for state in states.values {
            let parent = state.parent
            if parent == .root {
                parents[state.id] = .root
            } else if let folder = states[parent] {
                parents[state.id] = folder.kind == .folder ? parent : .root
            }
        }
        undone = Set(
            cycles().compactMap { cycle in cycle.max { states[$0]!.placement.tag < states[$1]!.placement.tag } })
        for item in undone { parents[item] = nil }
        for item in undone.sorted(by: { states[$0]!.placement.tag < states[$1]!.placement.tag }) {
            let from = states[item]!.placement.value.from
            parents[item] = reachesRoot(from) ? from : .root
        }
    }

    private func reachesRoot(_ start: ItemID) -> Bool {
        var place = start
        while place != .root {
            guard let parent = parents[place], states[place]?.kind == .folder else { return false }
            place = parent
        }
        return true
    }

    private func cycles() -> [[ItemID]] {
        var result: [[ItemID]] = []
        var visited: Set<ItemID> = []
        for start in states.keys where !visited.contains(start) {
            var path: [ItemID] = []
            var place = start
            while place != .root, !visited.contains(place), let parent = parents[place] {
                visited.insert(place)
                path.append(place)
                place = parent
            }
            if let first = path.firstIndex(of: place) { result.append(Array(path[first...])) }
        }
        return result
    }

    private mutating func build() {
        var children: [ItemID: [ItemID]] = [:]
        for item in shownItems() { children[parents[item]!, default: []].append(item) }
        var folders: [(node: ItemID, members: [ItemID])] = [(.root, [.root])]
        while let folder = folders.popLast() {
            var groups: [FileName: [StoredItem]] = [:]
            for item in folder.members.flatMap({ children[$0] ?? [] }) {
                var shape = ItemShape()
                shape.isAlive = alive.contains(item)
                groups[states[item]!.name.value, default: []].append(StoredItem(state: states[item]!, shape: shape))
            }
            var derived: [ViewEntry] = []
            for (name, items) in groups {
                let key = GroupKey(node: folder.node, name: name)
                for entry in groupEntries(key, items, isAlive: isLiveFolder) {
                    if entry.kind == .folder { folders.append((entry.primary.item, entry.members.map(\.item))) }
                    if entry.isDerived { derived.append(entry) } else { entries[key] = entry }
                }
            }
            let named = nameDerived(derived, states: { states[$0]! }, labels: labels) { groups[$0] != nil }
            for named in named { entries[GroupKey(node: folder.node, name: named.entry.name)] = named.entry }
        }
    }

    /// V3.
    private func shownItems() -> Set<ItemID> {
        var shown: Set<ItemID> = []
        for item in alive {
            var place = item
            while place != .root, !shown.contains(place), let parent = parents[place] {
                shown.insert(place)
                place = parent
            }
        }
        return shown
    }
}

/// V8 for all derived entries of one node: gives each its name. `isTaken` tells whether items of the node bear a name.
func nameDerived(
    _ derived: [ViewEntry], states: (ItemID) throws -> ItemState, labels: DeviceLabels,
    isTaken: (FileName) throws -> Bool
) rethrows -> [NamedEntry] {
    var given: Set<FileName> = []
    // Whoever gives ten thousand files one name shall not have each of them count from the start.
    var ordinals: [FileName: Int] = [:]
    var result: [NamedEntry] = []
    let ordered = derived.sorted {
        ($0.ownName, $0.primary.item, $0.primary.dots[0]) < ($1.ownName, $1.primary.item, $1.primary.dots[0])
    }
    for var entry in ordered {
        let tag = entry.namingTag(try states(entry.primary.item))
        let label = labels.text(tag.dot)
        let plain = ConflictName.derived(from: entry.ownName, device: label, time: tag.time)
        var ordinal = ordinals[plain] ?? 1
        repeat {
            entry.name = ConflictName.derived(
                from: entry.ownName, device: label, time: tag.time, ordinal: ordinal)
            ordinal += 1
        } while try given.contains(entry.name) || isTaken(entry.name)
        ordinals[plain] = ordinal
        given.insert(entry.name)
        result.append(NamedEntry(entry: entry, isNumbered: entry.name != plain))
    }
    return result
}

/// A derived entry with its name.
struct NamedEntry {
    var entry: ViewEntry
    var isNumbered: Bool

    var derivedName: DerivedName {
        DerivedName(
            name: entry.name, ownName: entry.ownName, item: entry.primary.item, dot: entry.primary.dots[0],
            isNumbered: isNumbered)
    }
}

/// What devices were called when they wrote a record.
public struct DeviceLabels: Hashable, Sendable {
    private var labels: [DeviceID: [DeviceLabel]] = [:]

    public init() {}

    public subscript(device: DeviceID) -> [DeviceLabel] {
        get { labels[device] ?? [] }
        set { labels[device] = newValue.isEmpty ? nil : newValue.sorted { $0.from < $1.from } }
    }

    public var devices: [DeviceID] { labels.keys.sorted() }

    /// The label that the writer of this record had then; the first six digits of its id where none has arrived.
    public func text(_ dot: Dot) -> String {
        let known = labels[dot.device]?.last { $0.from <= dot.n }?.text
        guard let known, ConflictName.isValidLabel(known) else { return dot.device.shortText }
        return known
    }
}
