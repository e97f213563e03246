import DriveCore

/// The items that the transaction under way has read or changed, and where the changed ones are now.
///
/// What changes is written once, when the transaction ends or a query needs the tables, however often it changed: a new
/// file's item is saved a dozen times and looked for thirty times while the view is kept.
struct ItemsAtHand {
    /// Not a value: two items are much to copy each time that one of them is looked for.
    final class Entry {
        /// In the tables, perhaps only because something names it.
        let key: Int64?
        /// As the tables have it; nil where they have no record of it.
        let saved: StoredItem?
        let savedOwn: OwnRecord?
        fileprivate(set) var item: StoredItem?
        fileprivate(set) var own: OwnRecord?
        /// Not yet in the tables as it is.
        fileprivate(set) var isWaiting = false

        /// As the tables have it.
        init(key: Int64? = nil, _ saved: StoredItem? = nil, own: OwnRecord? = nil) {
            self.key = key
            self.saved = saved
            savedOwn = own
            item = saved
            self.own = own
        }
    }

    private var entries: [ItemID: Entry] = [:]
    /// In the order in which they changed first: parents mostly before what is in them.
    private(set) var waiting: [ItemID] = []
    // Of those that wait.
    private var byPlace: [GroupKey: [ItemID]] = [:]
    private var byParent: [ItemID: Set<ItemID>] = [:]
    private var byPending: [ItemID: Set<ItemID>] = [:]
    private var byNode: [ItemID: Set<ItemID>] = [:]
    private var byMark: [ItemID: Set<ItemID>] = [:]
    /// What the tables have at a place, where that was asked.
    private var placesInTables: [GroupKey: [ItemID]] = [:]
    private var nodesInTables: [ItemID: [ItemID]] = [:]

    /// So many may be at hand.
    static let bound = 8_192

    var isFull: Bool { entries.count >= Self.bound }

    subscript(id: ItemID) -> Entry? { entries[id] }

    func isWaiting(_ id: ItemID) -> Bool { entries[id]?.isWaiting ?? false }

    mutating func add(_ entry: Entry, of id: ItemID) { entries[id] = entry }

    mutating func save(_ item: StoredItem) {
        let id = item.id
        guard let entry = entries[id] else { return }
        let old = entry.isWaiting ? entry.item : nil
        if let old { unplace(old, like: item) }
        wait(entry, id)
        entry.item = item
        place(item, unlike: old)
    }

    mutating func setOwn(_ own: OwnRecord?, of id: ItemID) {
        guard let entry = entries[id] else { return }
        let isNew = !entry.isWaiting
        wait(entry, id)
        entry.own = own
        if isNew, let item = entry.item { place(item, unlike: nil) }
    }

    private mutating func wait(_ entry: Entry, _ id: ItemID) {
        if !entry.isWaiting { waiting.append(id) }
        entry.isWaiting = true
    }

    /// Everything is as the tables have it, and is forgotten.
    mutating func clear() { self = ItemsAtHand() }

    // Indexes.

    private mutating func place(_ item: StoredItem, unlike old: StoredItem?) {
        let id = item.id
        if let parent = item.shape.parent {
            if old.map({ $0.shape.parent != parent || $0.state.name.value != item.state.name.value }) ?? true {
                byPlace[GroupKey(node: parent, name: item.state.name.value), default: []].append(id)
                byParent[parent, default: []].insert(id)
            }
        } else {
            byPending[item.state.parent, default: []].insert(id)
        }
        if let node = item.shape.node { byNode[node, default: []].insert(id) }
        for folder in item.state.markFolders { byMark[folder, default: []].insert(id) }
    }

    /// Takes it out of where it was, but for the place that it keeps.
    private mutating func unplace(_ old: StoredItem, like item: StoredItem) {
        let id = old.id
        if let parent = old.shape.parent {
            if parent != item.shape.parent || old.state.name.value != item.state.name.value {
                byPlace[GroupKey(node: parent, name: old.state.name.value)]?.removeAll { $0 == id }
                byParent[parent]?.remove(id)
            }
        } else {
            byPending[old.state.parent]?.remove(id)
        }
        if let node = old.shape.node, node != item.shape.node { byNode[node]?.remove(id) }
        for folder in old.state.markFolders.subtracting(item.state.markFolders) { byMark[folder]?.remove(id) }
    }

    /// With what the tables have where it is asked, less what has changed since.
    func children(of parent: ItemID, named name: FileName, inTables known: [ItemID]) -> [StoredItem] {
        let changed = byPlace[GroupKey(node: parent, name: name)] ?? []
        var result = known.compactMap { id in isWaiting(id) ? nil : entries[id]?.item }
        for id in changed { if let item = entries[id]?.item { result.append(item) } }
        return result
    }

    func waitingChildren(of parent: ItemID) -> [StoredItem] {
        (byParent[parent] ?? []).compactMap { entries[$0]?.item }
    }

    func waiting(pendingIn parent: ItemID) -> Set<ItemID> { byPending[parent] ?? [] }
    func waiting(inNode node: ItemID) -> Set<ItemID> { byNode[node] ?? [] }
    func waiting(markedBy folder: ItemID) -> Set<ItemID> { byMark[folder] ?? [] }

    func inTables(_ place: GroupKey) -> [ItemID]? { placesInTables[place] }
    mutating func setInTables(_ place: GroupKey, _ items: [ItemID]) { placesInTables[place] = items }
    func inTables(node: ItemID) -> [ItemID]? { nodesInTables[node] }
    mutating func setInTables(node: ItemID, _ items: [ItemID]) { nodesInTables[node] = items }
}
