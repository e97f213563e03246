/// Which file on the disk becomes which entry of the view (`merge.md` 3.4).
public struct Matching: Sendable {
    /// Each folder before what is in it.
    public private(set) var entries: [ViewEntry]
    public private(set) var rows: [RowID: Row]
    /// `WorkSet.shown`.
    public let shown: [ItemID: ShownItem]
    private var rowOfEntry: [GroupKey: RowID] = [:]
    private var entryOfRow: [RowID: GroupKey] = [:]
    /// Rows of living items whose parent is not known here yet, and the folders above them: they stay where they are.
    public private(set) var waiting: Set<RowID> = []
    /// Rows of the folders that nodes outside the work set are shown by.
    private var nodes: [ItemID: RowID] = [.root: .root]

    /// `hides`: whether a rule keeps what is new at this path, a folder or not, from coming here.
    public init(
        _ work: WorkSet, _ tables: any DriveTables, hides: (DrivePath, Bool) throws -> Bool = { _, _ in false }
    ) throws {
        entries = work.entries
        rows = work.rows
        shown = work.shown
        try matchByIdentity(tables)
        try findWaiting(tables)
        try matchByPlace(tables)
        try matchByContent(tables, hides)
    }

    public static func key(_ entry: ViewEntry) -> GroupKey { GroupKey(node: entry.node, name: entry.name) }

    public func row(for entry: ViewEntry) -> RowID? { rowOfEntry[Self.key(entry)] }

    /// False also where it was not looked at.
    public func isWanted(_ row: RowID) -> Bool { entryOfRow[row] != nil }

    /// Where the view has it; nil where it is not wanted.
    public func goal(of row: RowID) -> GroupKey? { entryOfRow[row] }

    /// Where the view has folders, by the nodes that they show.
    public func folderGoals() -> [ItemID: GroupKey] {
        let folders = entries.filter { $0.kind == .folder }
        return Dictionary(folders.map { ($0.primary.item, Self.key($0)) }) { first, _ in first }
    }

    /// The row of the folder that shows a node; nil until apply has placed it.
    public func folder(ofNode node: ItemID) -> RowID? { nodes[node] }

    /// Apply placed a new entry.
    public mutating func placed(_ entry: ViewEntry, as row: RowID) { match(entry, row) }

    /// Rows that the view does not want any more, files first; folders level by level, the deepest first.
    public func removals(_ tables: any RowStorage) throws -> (files: [Row], folders: [[Row]]) {
        let going = rows.values.filter { !isWanted($0.id) && !waiting.contains($0.id) && !$0.isHeld }
            .sorted { $0.id < $1.id }
        var folders: [Int: [Row]] = [:]
        for row in going where row.kind == .folder { folders[try tables.chain(of: row).count, default: []].append(row) }
        return (going.filter { $0.kind != .folder }, folders.sorted { $0.key > $1.key }.map(\.value))
    }

    private mutating func match(_ entry: ViewEntry, _ row: RowID) {
        rowOfEntry[Self.key(entry)] = row
        entryOfRow[row] = Self.key(entry)
        if entry.kind == .folder { nodes[entry.primary.item] = row }
    }

    private mutating func matchByIdentity(_ tables: any DriveTables) throws {
        var folders: [ItemID: [RowID]] = [:]
        var files: [Member: RowID] = [:]
        for row in rows.values.sorted(by: { $0.id < $1.id }) where !row.members.isEmpty {
            if row.kind == .folder {
                for member in row.members { folders[member.item, default: []].append(row.id) }
            } else {
                files[row.primary.identity] = row.id
            }
        }
        for entry in entries {
            try findFolder(entry.node, tables)
            if entry.kind == .folder {
                let candidates = entry.members.flatMap { folders[$0.item] ?? [] }.filter { entryOfRow[$0] == nil }
                let inPlace = candidates.first {
                    rows[$0]!.name == entry.name && nodes[entry.node] == rows[$0]!.parent && !rows[$0]!.isParked
                }
                if let row = inPlace ?? candidates.first { match(entry, row) }
            } else if let row = files[entry.primary.identity], entryOfRow[row] == nil, rows[row]!.kind == entry.kind {
                match(entry, row)
            }
        }
    }

    /// The row of an unchanged folder, which is not in the work set itself.
    private mutating func findFolder(_ node: ItemID, _ tables: any DriveTables) throws {
        guard nodes[node] == nil else { return }
        for member in try tables.members(ofNode: node) {
            for row in try tables.rows(holding: member) where row.kind == .folder && rows[row.id] == nil {
                nodes[node] = row.id
                return
            }
        }
    }

    /// V1: the parent of a living member is not known yet.
    private mutating func findWaiting(_ tables: any DriveTables) throws {
        for row in rows.values where entryOfRow[row.id] == nil {
            guard try row.members.contains(where: { try isPending($0.item, row.kind, tables) }) else { continue }
            for above in try tables.chain(of: row) + [row] { waiting.insert(above.id) }
        }
    }

    private func isPending(_ item: ItemID, _ kind: ItemKind, _ tables: any DriveTables) throws -> Bool {
        guard let start = try tables.item(item), kind == .folder || start.shape.isAlive else { return false }
        var place = start
        var steps = 0
        while let parent = place.shape.parent {
            if parent == .root { return false }
            guard let next = try tables.item(parent), steps < 100_000 else { return true }
            place = next
            steps += 1
        }
        return true
    }

    /// What nobody wants any more becomes what is wanted in its place; a folder keeps what is in it and is not synced.
    private mutating func matchByPlace(_ tables: any DriveTables) throws {
        for entry in entries where rowOfEntry[Self.key(entry)] == nil {
            guard let folder = nodes[entry.node], let row = try tables.child(of: folder, named: entry.name) else {
                continue
            }
            if rows[row.id] != nil, row.kind == entry.kind, entryOfRow[row.id] == nil, !waiting.contains(row.id),
                !row.isHeld
            {
                match(entry, row.id)
            }
        }
    }

    /// The same bytes are about to leave: a move instead of a transfer. Nothing is transferred to where a rule hides it, so nothing
    /// moves there for its bytes alone.
    private mutating func matchByContent(_ tables: any DriveTables, _ hides: (DrivePath, Bool) throws -> Bool) throws {
        var leaving: [ContentHash: [RowID]] = [:]
        for row in rows.values.sorted(by: { $0.id < $1.id })
        where entryOfRow[row.id] == nil && !waiting.contains(row.id) && !row.isHeld {
            if let hash = row.hash { leaving[hash, default: []].append(row.id) }
        }
        guard !leaving.isEmpty else { return }
        let reader = ViewReader(tables)
        for entry in entries where rowOfEntry[Self.key(entry)] == nil {
            guard let hash = entry.content?.hash, let row = leaving[hash]?.last, rows[row]!.kind == entry.kind else {
                continue
            }
            // A conflict that cannot be seen could not be ended.
            if !entry.isDerived, let folder = try reader.path(ofNode: entry.node, limit: DrivePath.deepest),
                try hides(folder.appending(entry.name), false)
            {
                continue
            }
            leaving[hash]!.removeLast()
            match(entry, row)
        }
    }
}

extension Member {
    /// What identifies a file's part in an entry: its item if it is the main one, else the least dot too.
    var identity: Member {
        isMain ? Member(item: item) : Member(item: item, dots: Array(dots.prefix(1)), isMain: false)
    }
}
