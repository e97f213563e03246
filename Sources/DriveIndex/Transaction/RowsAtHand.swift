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

    private var entries: [RowID: Entry] = [:]
    private(set) var waiting: [RowID] = []
    /// Folders that are not known any more (`KnownFolder`).
    private(set) var changedFolders: Set<RowID> = []
    // Of those that wait.
    private var byPlace = WaitingIndex<RowPlace, RowID>()
    private var byFolder = WaitingIndex<RowID, RowID>()
    private var byItem = WaitingIndex<ItemID, RowID>()
    private var byInode = WaitingIndex<UInt64, RowID>()
    private var byHash = WaitingIndex<UInt64, RowID>()
    /// What the tables have, where that was asked.
    private var holdersInTables: [ItemID: [RowID]] = [:]
    /// From here on ids were given since: the tables do not know them. Nil until it was asked.
    var firstNew: RowID?

    static let bound = 8_192

    var isFull: Bool { entries.count >= Self.bound }
    /// Nothing was asked, nothing waits, and no id was given.
    var isEmpty: Bool { entries.isEmpty && holdersInTables.isEmpty && changedFolders.isEmpty && firstNew == nil }

    subscript(id: RowID) -> Entry? { entries[id] }

    func isWaiting(_ id: RowID) -> Bool { entries[id]?.isWaiting ?? false }

    mutating func add(_ entry: Entry, of id: RowID) { entries[id] = entry }

    mutating func set(_ row: Row?, of id: RowID) {
        guard let entry = entries[id] else { return }
        changedFolders.formUnion(Row.foldersChanged(from: entry.row, to: row))
        let old = entry.isWaiting ? entry.row : nil
        if !entry.isWaiting { waiting.append(id) }
        entry.isWaiting = true
        entry.row = row
        if let row { place(row, unlike: old) }
    }

    mutating func clear() { self = RowsAtHand() }

    private mutating func place(_ row: Row, unlike old: Row?) {
        let id = row.id
        if old?.parent != row.parent || old?.isParked != row.isParked {
            byFolder.add(id)
            byPlace.add(id)
        } else if old?.name != row.name {
            byPlace.add(id)
        }
        if old?.members != row.members { byItem.add(id) }
        if old?.facts.identity.inode != row.facts.identity.inode { byInode.add(id) }
        if let hash = row.hash, hash != old?.hash { byHash.add(id) }
    }

    /// What the tables have, less what has changed since, with what is there now; by id.
    func merged(_ inTables: [Row], with changed: [Row]) -> [Row] {
        if changed.isEmpty, waiting.isEmpty { return inTables }
        let kept = inTables.filter { !isWaiting($0.id) }
        return changed.isEmpty ? kept : (kept + changed).sorted { $0.id < $1.id }
    }

    mutating func waiting(in folder: RowID) -> [Row] {
        if waiting.isEmpty { return [] }
        let ids = byFolder.ids(at: folder) { [entries] in entries[$0]?.row.map { [$0.parent] } ?? [] }
        return rows(ids) { $0.parent == folder && $0.isInFolder }
    }

    mutating func waiting(in folder: RowID, named name: FileName) -> [Row] {
        if waiting.isEmpty { return [] }
        let ids = byPlace.ids(at: RowPlace(folder: folder, name: name)) { [entries] id in
            entries[id]?.row.map { [RowPlace(folder: $0.parent, name: $0.name)] } ?? []
        }
        return rows(ids) { $0.parent == folder && $0.name == name && $0.isInFolder }
    }

    mutating func waiting(holding item: ItemID) -> [Row] {
        if waiting.isEmpty { return [] }
        let ids = byItem.ids(at: item) { [entries] in entries[$0]?.row?.heldItems ?? [] }
        return rows(ids) { $0.member(item) != nil }
    }

    mutating func waiting(inode: UInt64) -> [Row] {
        if waiting.isEmpty { return [] }
        let ids = byInode.ids(at: inode) { [entries] in entries[$0]?.row.map { [$0.facts.identity.inode] } ?? [] }
        return rows(ids) { $0.facts.identity.inode == inode }
    }

    /// Those with the hash, and perhaps some that had it, or twice.
    mutating func mayBeWaiting(hash: UInt64) -> [RowID] {
        if waiting.isEmpty { return [] }
        return byHash.candidates(at: hash) { [entries] in (entries[$0]?.row?.hash).map { [$0.words.0] } ?? [] }
    }

    private func rows(_ ids: [RowID], where holds: (Row) -> Bool) -> [Row] {
        ids.compactMap { entries[$0]?.row }.filter(holds)
    }

    /// Those in the tables that hold the item, where that was asked.
    func holdersInTables(_ item: ItemID) -> [Row]? {
        holdersInTables[item].map { $0.compactMap { entries[$0]?.saved } }
    }

    mutating func setHoldersInTables(_ item: ItemID, _ rows: [Row]) {
        for row in rows where entries[row.id] == nil { entries[row.id] = Entry(row) }
        holdersInTables[item] = rows.map(\.id)
    }
}

extension Row {
    fileprivate var isInFolder: Bool { !isParked && id != .root }

    /// Of its members, each once.
    var heldItems: [ItemID] { members.count == 1 ? [members[0].item] : Array(Set(members.map(\.item))) }

    /// Those by which the table of members finds the row: the one that is named by it leads to it anyway.
    var tabledItems: Set<ItemID> { Set(members.lazy.map(\.item).filter { $0 != ownItem }) }
}
