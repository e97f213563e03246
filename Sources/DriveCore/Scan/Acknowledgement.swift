/// What whoever shows an item has seen of it.
public struct ShownItem: Hashable, Sendable {
    /// All of its life dots.
    var life: [Dot]
    var isAlive: Bool
    /// The record that made it what it is.
    public var newest: Dot
    /// The one that gave it its place.
    public var claim: Dot

    public init(_ item: StoredItem) {
        life = item.state.life.map(\.dot)
        isAlive = item.shape.isAlive
        let claim = item.state.claim
        self.claim = claim.dot
        newest = (item.state.heads.map { Tag(time: $0.time, dot: $0.dot) }.max().map { max($0, claim) } ?? claim).dot
    }
}

extension Row {
    /// The row shows this entry, by these of its members.
    package mutating func stand(for entry: ViewEntry, _ shown: [Member], _ tables: any ViewStorage) throws {
        try stand(for: entry, shown) { try tables.item($0).map(ShownItem.init) }
    }

    package mutating func stand(
        for entry: ViewEntry, _ shown: [Member], _ look: (ItemID) throws -> ShownItem?
    ) throws {
        guard !shown.isEmpty else { return }
        members = shown
        isDerived = entry.isDerived
        lifeSeen = [:]
        rescued = []
        for member in shown where member.item != .root {
            guard let item = try look(member.item) else { continue }
            lifeSeen[member.item] = item.life
            if !item.isAlive { rescued.insert(member.item) }
        }
    }

    /// Kind, bytes and attributes are those of the entry.
    package func matches(_ entry: ViewEntry) -> Bool {
        guard kind == entry.kind else { return false }
        return kind == .folder
            ? attributes.extended == entry.attributes.extended
            : hash == entry.content?.hash && attributes == entry.attributes
    }

    package func shares(_ members: [Member]) -> Bool { members.contains { member($0.item) != nil } }
}

extension RowStorage {
    /// Those members of an entry that no other file on this disk stands for.
    package func free(_ members: [Member], for row: Row) throws -> [Member] {
        try members.filter { try !isHeld($0, byAnotherThan: row) }
    }
}

extension ViewReader {
    /// The view's entry for an edit that made the bytes which the view wants there anyway.
    func agreeing(with row: Row, in folder: Row, _ content: Content) throws -> ViewEntry? {
        guard let node = try node(of: folder.primary.item), let entry = try entry(named: row.name, in: node),
            entry.kind == row.kind, entry.content?.hash == content.hash, entry.primary.item == row.primary.item,
            entry.primary.isMain == row.primary.isMain
        else { return nil }
        return entry
    }
}

/// Where disk and view agree, everything in the records has now been seen: the only way that "seen" grows without a
/// file operation. `merge.md` calls it settle.
public struct Acknowledgement {
    let tables: any DriveTables
    let reader: ViewReader
    private var nodes: [RowID: ItemID?] = [.root: .root]
    /// What the acknowledged rows leave nothing to do about.
    public private(set) var settled = ViewDirt()

    public init(_ tables: any DriveTables) {
        self.tables = tables
        reader = ViewReader(tables)
    }

    /// Brings the row up to what the view shows at its place, if that is what it is. True if it agrees.
    public mutating func acknowledge(_ row: Row) throws -> Bool {
        guard row.id != .root else { return true }
        guard !row.isHeld, let entry = try agreeing(row) else { return false }
        guard row.matches(entry) else { return false }
        let members = try tables.free(entry.members, for: row)
        var new = row
        try new.stand(for: entry, members, tables)
        if new != row { try tables.save(new) }
        guard members == entry.members else { return false }
        let group = GroupKey(node: entry.node, name: entry.ownName)
        if try !entry.isDerived && reader.unnamedEntries(group).count == 1 {
            settled.groups.insert(group)
            // Another row may still show a part of it that the view does not show any more.
            for member in members where try tables.rows(holding: member.item).count == 1 {
                settled.items.insert(member.item)
            }
        }
        return true
    }

    /// The entry at the row's place, if it shares an item with the row.
    private mutating func agreeing(_ row: Row) throws -> ViewEntry? {
        guard !row.isParked, let folder = try tables.row(row.parent), let node = try node(shownBy: folder),
            let entry = try reader.entry(named: row.name, in: node), entry.kind == row.kind, row.shares(entry.members)
        else { return nil }
        return entry
    }

    /// The node that a folder's row shows, if it and all above it are where the view has them.
    private mutating func node(shownBy folder: Row) throws -> ItemID? {
        // From the top down, so that what is above is known: trees may be deeper than the stack of a thread bears.
        var unknown: [Row] = []
        var next: Row? = folder
        while let row = next, !nodes.keys.contains(row.id), unknown.count < 1 << 20 {
            unknown.append(row)
            next = row.isParked ? nil : try tables.row(row.parent)
        }
        for row in unknown.reversed() { nodes[row.id] = .some(try agreeing(row)?.primary.item) }
        return nodes[folder.id] ?? nil
    }
}
