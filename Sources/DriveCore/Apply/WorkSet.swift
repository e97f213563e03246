/// The rows and entries that a pass of apply looks at.
public struct WorkSet: Sendable {
    /// Each folder before what is in it.
    public private(set) var entries: [ViewEntry] = []
    public private(set) var rows: [RowID: Row] = [:]
    /// Items of entries that arrive, as they were when these were looked for.
    public private(set) var shown: [ItemID: ShownItem] = [:]

    /// Everything there is.
    public init(everythingIn tables: any DriveTables) throws {
        entries = try ViewReader(tables).allEntries().filter(\.name.isValid)
        for row in try tables.allRows() where row.id != .root { rows[row.id] = row }
    }

    /// A portion of `Arrivals`.
    init(arriving entries: [ViewEntry], _ shown: [ItemID: ShownItem]) {
        self.entries = entries
        self.shown = shown
    }

    /// What the view changed since apply last looked, and what stands in its way.
    public init(_ dirt: ViewDirt, in tables: any DriveTables) throws {
        var gathering = Gathering(tables)
        for row in try tables.parkedRows() { try gathering.add(row) }
        for item in dirt.items { try gathering.add(item: item) }
        for group in dirt.groups { try gathering.add(group: group) }
        try gathering.close()
        rows = gathering.rows
        entries = try gathering.takeOrdered()
    }
}

/// Rows that show an item of an entry, entries of the items of a row, rows at the places of entries: until nothing is
/// added.
private struct Gathering {
    let tables: any DriveTables
    let reader: ViewReader
    var rows: [RowID: Row] = [:]
    /// Each once: on a first sync they are all that there is.
    private var entries: [ViewEntry] = []
    private var places: [GroupKey: Int] = [:]
    private var newRows: [Row] = []
    private var newEntries: [Int] = []
    private var groups: Set<GroupKey> = []

    init(_ tables: any DriveTables) {
        self.tables = tables
        reader = ViewReader(tables)
    }

    mutating func add(_ row: Row) throws {
        if row.id != .root, rows.updateValue(row, forKey: row.id) == nil { newRows.append(row) }
    }

    mutating func add(item: ItemID) throws {
        for row in try tables.rows(holding: item) { try add(row) }
        if let group = try reader.group(of: item) { try add(group: group) }
    }

    mutating func add(group: GroupKey) throws {
        guard groups.insert(group).inserted else { return }
        try addRow(at: group)
        guard try group.node == .root || !tables.members(ofNode: group.node).isEmpty else { return }
        for entry in try reader.entries(group) where entry.name.isValid {
            let key = GroupKey(node: entry.node, name: entry.name)
            if let place = places[key] {
                entries[place] = entry
            } else {
                places[key] = entries.count
                newEntries.append(entries.count)
                entries.append(entry)
            }
        }
    }

    private mutating func addRow(at place: GroupKey) throws {
        for folder in try tables.rows(holding: place.node) where folder.kind == .folder {
            if let row = try tables.child(of: folder.id, named: place.name) { try add(row) }
        }
    }

    mutating func close() throws {
        while !newRows.isEmpty || !newEntries.isEmpty {
            while let row = newRows.popLast() {
                let groups = Set(try row.members.compactMap { try reader.group(of: $0.item) })
                for group in groups { try add(group: group) }
                // The folder goes, or becomes several: what is in it moves.
                if groups.count != 1 { try addChildren(of: row) }
            }
            while let place = newEntries.popLast() {
                let entry = entries[place]
                try addRow(at: GroupKey(node: entry.node, name: entry.name))
                let rows = try entry.members.flatMap { try tables.rows(holding: $0.item) }
                for row in rows { try add(row) }
                guard entry.kind == .folder else { continue }
                let folders = Set(rows.map(\.id))
                // Several folders become one, or one is made anew: what belongs in it moves.
                if folders.count > 1 { for row in rows { try addChildren(of: row) } }
                if folders.isEmpty { try addEntries(in: entry.primary.item) }
            }
        }
    }

    private mutating func addChildren(of folder: Row) throws {
        guard folder.kind == .folder else { return }
        for row in try tables.children(of: folder.id) { try add(row) }
    }

    private mutating func addEntries(in node: ItemID) throws {
        for entry in try reader.entries(in: node) { try add(group: GroupKey(node: node, name: entry.ownName)) }
    }

    /// The entries that are in the tree, each folder before what is in it, and not kept here any more.
    mutating func takeOrdered() throws -> [ViewEntry] {
        var depths: [ItemID: Int] = [.root: 0]
        for entry in entries { try findDepth(of: entry.node, &depths) }
        places = [:]
        var result = entries
        entries = []
        result.removeAll { depths[$0.node] == Int.max }
        // Depths are looked up once each, and the entries, which are much to move, are moved once.
        let keys = result.map { depths[$0.node] ?? .max }
        result.arrange(
            result.indices.sorted { one, other in
                (keys[one], result[one].node, result[one].name) < (keys[other], result[other].node, result[other].name)
            })
        return result
    }

    /// `Int.max` where it is not in the tree. Climbs only as far as is not known yet.
    private func findDepth(of node: ItemID, _ depths: inout [ItemID: Int]) throws {
        var path: [ItemID] = []
        var place = node
        while depths[place] == nil {
            path.append(place)
            guard let above = try reader.group(of: place)?.node else { break }
            place = above
        }
        var depth = depths[place] ?? Int.max
        for node in path.reversed() {
            if depth != Int.max { depth += 1 }
            depths[node] = depth
        }
    }
}
