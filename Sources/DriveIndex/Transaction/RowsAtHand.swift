import DriveCore

/// The rows that the transaction under way has read or changed, and where the changed ones are now. Like `ItemsAtHand`.
struct RowsAtHand {
    final class Entry {
        /// As the tables have it.
        let saved: Row?
        /// Nil once it is removed.
        fileprivate(set) var row: Row?
        fileprivate(set) var isWaiting = false

        /// As the tables have it.
        init(_ saved: Row?) {
            self.saved = saved
            row = saved
        }
    }

    private struct Place: Hashable {
        var folder: RowID
        var name: FileName
    }

    private var entries: [RowID: Entry] = [:]
    private(set) var waiting: [RowID] = []
    /// Folders that are not known any more (`KnownFolder`).
    private(set) var changedFolders: Set<RowID> = []
    // Of those that wait.
    private var byPlace: [Place: RowIDs] = [:]
    private var byFolder: [RowID: Set<RowID>] = [:]
    private var byItem: [ItemID: RowIDs] = [:]
    private var byInode: [UInt64: RowIDs] = [:]
    private var byHash: [UInt64: RowIDs] = [:]
    /// What the tables have, where that was asked.
    private var holdersInTables: [ItemID: [RowID]] = [:]
    /// From here on ids were given since: the tables do not know them. Nil until it was asked.
    var firstNew: RowID?

    static let bound = 8_192

    var isFull: Bool { entries.count >= Self.bound }

    subscript(id: RowID) -> Entry? { entries[id] }

    func isWaiting(_ id: RowID) -> Bool { entries[id]?.isWaiting ?? false }

    mutating func add(_ entry: Entry, of id: RowID) { entries[id] = entry }

    mutating func set(_ row: Row?, of id: RowID) {
        guard let entry = entries[id] else { return }
        changedFolders.formUnion(Row.foldersChanged(from: entry.row, to: row))
        if entry.isWaiting {
            if let old = entry.row { unplace(old) }
        } else {
            waiting.append(id)
        }
        entry.isWaiting = true
        entry.row = row
        if let row { place(row) }
    }

    mutating func clear() { self = RowsAtHand() }

    private mutating func place(_ row: Row) {
        if !row.isParked, row.id != .root {
            byPlace[Place(folder: row.parent, name: row.name), default: RowIDs()].append(row.id)
            byFolder[row.parent, default: []].insert(row.id)
        }
        for item in row.heldItems { byItem[item, default: RowIDs()].append(row.id) }
        byInode[row.facts.identity.inode, default: RowIDs()].append(row.id)
        if let hash = row.hash { byHash[hash.words.0, default: RowIDs()].append(row.id) }
    }

    private mutating func unplace(_ row: Row) {
        if !row.isParked, row.id != .root {
            byPlace[Place(folder: row.parent, name: row.name)]?.remove(row.id)
            byFolder[row.parent]?.remove(row.id)
        }
        for item in row.heldItems { byItem[item]?.remove(row.id) }
        byInode[row.facts.identity.inode]?.remove(row.id)
        if let hash = row.hash { byHash[hash.words.0]?.remove(row.id) }
    }

    /// What the tables have, less what has changed since, with what is there now; by id.
    func merged(_ inTables: [Row], with changed: [Row]) -> [Row] {
        if changed.isEmpty, waiting.isEmpty { return inTables }
        let kept = inTables.filter { !isWaiting($0.id) }
        return changed.isEmpty ? kept : (kept + changed).sorted { $0.id < $1.id }
    }

    func waiting(in folder: RowID) -> [Row] { rows(byFolder[folder] ?? []) }
    func waiting(in folder: RowID, named name: FileName) -> [Row] {
        rows(byPlace[Place(folder: folder, name: name)]?.all ?? [])
    }
    func waiting(holding item: ItemID) -> [Row] { rows(byItem[item]?.all ?? []) }
    func waiting(inode: UInt64) -> [Row] { rows(byInode[inode]?.all ?? []) }
    func waiting(hash: UInt64) -> [Row] { rows(byHash[hash]?.all ?? []) }

    private func rows(_ ids: some Sequence<RowID>) -> [Row] { ids.compactMap { entries[$0]?.row } }

    /// Those in the tables that hold the item, where that was asked.
    func holdersInTables(_ item: ItemID) -> [Row]? {
        holdersInTables[item].map { $0.compactMap { entries[$0]?.saved } }
    }

    mutating func setHoldersInTables(_ item: ItemID, _ rows: [Row]) {
        for row in rows where entries[row.id] == nil { entries[row.id] = Entry(row) }
        holdersInTables[item] = rows.map(\.id)
    }
}

/// Nearly always one, which then needs no memory of its own.
private struct RowIDs {
    private var first: RowID?
    private var others: [RowID] = []

    var all: [RowID] { first.map { [$0] + others } ?? others }

    mutating func append(_ id: RowID) { if first == nil { first = id } else { others.append(id) } }

    mutating func remove(_ id: RowID) {
        if first == id { first = nil } else { others.removeAll { $0 == id } }
    }
}

extension Row {
    /// Of its members, each once.
    var heldItems: [ItemID] { members.count == 1 ? [members[0].item] : Array(Set(members.map(\.item))) }

    /// Those by which the table of members finds the row: the one that is named by it leads to it anyway.
    var tabledItems: Set<ItemID> { Set(members.lazy.map(\.item).filter { $0 != ownItem }) }
}
