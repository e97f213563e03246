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
    private var byPlace = WaitingIndex<GroupKey, ItemID>()
    private var byParent = WaitingIndex<ItemID, ItemID>()
    private var byPending = WaitingIndex<ItemID, ItemID>()
    private var byNode = WaitingIndex<ItemID, ItemID>()
    private var byMark = WaitingIndex<ItemID, ItemID>()
    /// What the tables have at a place, where that was asked.
    private var placesInTables: [GroupKey: [ItemID]] = [:]
    private var nodesInTables: [ItemID: [ItemID]] = [:]

    /// So many may be at hand.
    static let bound = 8_192

    var isFull: Bool { entries.count >= Self.bound }
    /// Nothing was asked, and nothing waits.
    var isEmpty: Bool { entries.isEmpty && placesInTables.isEmpty && nodesInTables.isEmpty }

    subscript(id: ItemID) -> Entry? { entries[id] }

    func isWaiting(_ id: ItemID) -> Bool { entries[id]?.isWaiting ?? false }

    mutating func add(_ entry: Entry, of id: ItemID) { entries[id] = entry }

    mutating func save(_ item: StoredItem) {
        let id = item.id
        guard let entry = entries[id] else { return }
        let old = entry.isWaiting ? entry.item : nil
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
            if old?.shape.parent != parent {
                byPlace.add(id)
                byParent.add(id)
            } else if old?.state.name.value != item.state.name.value {
                byPlace.add(id)
            }
        } else if old == nil || old?.shape.parent != nil || old?.state.parent != item.state.parent {
            byPending.add(id)
        }
        if let node = item.shape.node, node != old?.shape.node { byNode.add(id) }
        let folders = item.state.markFolders
        if !folders.isEmpty, folders != old?.state.markFolders { byMark.add(id) }
    }

    /// With what the tables have where it is asked, less what has changed since.
    mutating func children(of parent: ItemID, named name: FileName, inTables known: [ItemID]) -> [StoredItem] {
        var result = known.compactMap { id in isWaiting(id) ? nil : entries[id]?.item }
        if waiting.isEmpty { return result }
        let changed = byPlace.ids(at: GroupKey(node: parent, name: name)) { [entries] id in
            guard let item = entries[id]?.item, let parent = item.shape.parent else { return [] }
            return [GroupKey(node: parent, name: item.state.name.value)]
        }
        for id in changed {
            guard let item = entries[id]?.item else { continue }
            if item.shape.parent == parent, item.state.name.value == name { result.append(item) }
        }
        return result
    }

    mutating func waitingChildren(of parent: ItemID) -> [StoredItem] {
        if waiting.isEmpty { return [] }
        let ids = byParent.ids(at: parent) { [entries] in (entries[$0]?.item?.shape.parent).map { [$0] } ?? [] }
        return ids.compactMap { entries[$0]?.item }.filter { $0.shape.parent == parent }
    }

    mutating func waiting(pendingIn parent: ItemID) -> Set<ItemID> {
        if waiting.isEmpty { return [] }
        let ids = byPending.ids(at: parent) { [entries] in (entries[$0]?.item?.state.parent).map { [$0] } ?? [] }
        return found(ids) { $0.shape.parent == nil && $0.state.parent == parent }
    }

    mutating func waiting(inNode node: ItemID) -> Set<ItemID> {
        if waiting.isEmpty { return [] }
        let ids = byNode.ids(at: node) { [entries] in (entries[$0]?.item?.shape.node).map { [$0] } ?? [] }
        return found(ids) { $0.shape.node == node }
    }

    mutating func waiting(markedBy folder: ItemID) -> Set<ItemID> {
        if waiting.isEmpty { return [] }
        let ids = byMark.ids(at: folder) { [entries] in (entries[$0]?.item?.state.markFolders).map(Array.init) ?? [] }
        return found(ids) { $0.state.markFolders.contains(folder) }
    }

    private func found(_ ids: [ItemID], where holds: (StoredItem) -> Bool) -> Set<ItemID> {
        Set(ids.filter { entries[$0]?.item.map(holds) ?? false })
    }

    func inTables(_ place: GroupKey) -> [ItemID]? { placesInTables[place] }
    mutating func setInTables(_ place: GroupKey, _ items: [ItemID]) { placesInTables[place] = items }
    func inTables(node: ItemID) -> [ItemID]? { nodesInTables[node] }
    mutating func setInTables(node: ItemID, _ items: [ItemID]) { nodesInTables[node] = items }
}
