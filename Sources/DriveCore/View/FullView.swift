/// The view as a function of all item states at once: the specification that the maintained view is checked against.
/// Cost: all items, all of them in memory; `ItemGraph.eachFolder` takes them folder by folder.
public struct FullView: Sendable {
    public private(set) var entries: [GroupKey: ViewEntry] = [:]
    public private(set) var alive: Set<ItemID> = []
    /// V1 and V2.
    public private(set) var parents: [ItemID: ItemID] = [:]
    /// Items whose move V2 undoes.
    public private(set) var undone: Set<ItemID> = []

    public init(_ states: [ItemState], labels: DeviceLabels) {
        let known = Dictionary(uniqueKeysWithValues: states.map { ($0.id, $0) })
        var graph = ItemGraph()
        for state in states { graph.add(state) }
        graph.resolve { known[$0] }
        for state in states {
            if graph.isAlive(state.id) { alive.insert(state.id) }
            parents[state.id] = graph.parent(of: state.id)
        }
        undone = graph.undone
        graph.eachFolder(labels: labels, state: { known[$0] }) { node, found in
            for entry in found { entries[GroupKey(node: node, name: entry.name)] = entry }
        }
    }
}

extension ItemGraph {
    /// Each folder that is shown, before those in it, with what the view shows there, in no order.
    package func eachFolder(
        labels: DeviceLabels, state: (ItemID) throws -> ItemState?, _ body: (ItemID, [ViewEntry]) throws -> Void
    ) rethrows {
        var folders: [(node: ItemID, members: [ItemID])] = [(.root, [.root])]
        while let folder = folders.popLast() {
            let found = try entries(of: folder.members, node: folder.node, labels: labels, state: state)
            for entry in found where entry.kind == .folder {
                folders.append((entry.primary.item, entry.members.map(\.item)))
            }
            try body(folder.node, found)
        }
    }

    private func entries(
        of members: [ItemID], node: ItemID, labels: DeviceLabels, state: (ItemID) throws -> ItemState?
    ) rethrows -> [ViewEntry] {
        var states: [ItemID: ItemState] = [:]
        var groups: [FileName: [StoredItem]] = [:]
        for item in members.flatMap(children) {
            guard let found = try state(item) else { continue }
            states[item] = found
            var shape = ItemShape()
            shape.isAlive = isAlive(item)
            groups[found.name.value, default: []].append(StoredItem(state: found, shape: shape))
        }
        var result: [ViewEntry] = []
        var derived: [ViewEntry] = []
        for (name, items) in groups {
            for entry in groupEntries(GroupKey(node: node, name: name), items, isAlive: isLiveFolder) {
                if entry.isDerived { derived.append(entry) } else { result.append(entry) }
            }
        }
        let named = nameDerived(derived, states: { states[$0]! }, labels: labels) { groups[$0] != nil }
        return result + named.map(\.entry)
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
