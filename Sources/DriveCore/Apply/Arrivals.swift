/// Of what is dirty, what is wholly new here, a portion at a time: on a first sync that is everything, and more than is to
/// be held at once.
///
/// An entry arrives if no row stands for it and nothing is in its place. The folders above it that arrive too come with
/// it. All else moves, replaces, or makes way, and wants to be looked at together (`WorkSet`).
public struct Arrivals {
    /// Folder by folder.
    private let groups: [GroupKey]
    private var place = 0

    public init(_ dirt: ViewDirt) { groups = dirt.groups.sorted() }

    /// The next entries, about `limit` of them, each folder before what is in it; nil where none are left.
    public mutating func next(_ limit: Int, in tables: any DriveTables) throws -> WorkSet? {
        var portion = Portion(tables)
        while place < groups.count, portion.entries.count < limit {
            try portion.add(groups[place])
            place += 1
        }
        return portion.entries.isEmpty ? nil : portion.workSet()
    }
}

private struct Portion {
    let tables: any DriveTables
    let reader: ViewReader
    private(set) var entries: [ViewEntry] = []
    /// While they are at hand.
    private var shown: [ItemID: ShownItem] = [:]
    /// Of the folders that have a row or arrive; `.max` of those that do neither.
    private var depths: [ItemID: Int] = [.root: 0]

    init(_ tables: any DriveTables) {
        self.tables = tables
        reader = ViewReader(tables)
    }

    mutating func add(_ group: GroupKey) throws {
        guard try depth(of: group.node) != .max, let entry = try arrival(group) else { return }
        if entry.kind == .folder { _ = try depth(of: entry.primary.item) } else { try take(entry) }
    }

    /// Also adds the folder, and those above it, where they arrive.
    private mutating func depth(of folder: ItemID) throws -> Int {
        var path: [(node: ItemID, entry: ViewEntry?)] = []
        var place = folder
        while depths[place] == nil {
            guard let group = try reader.group(of: place) else {
                depths[place] = .max
                break
            }
            let isHere = try hasRow(place)
            let entry = isHere ? nil : try arrival(group)
            if !isHere, entry == nil {
                depths[place] = .max
                break
            }
            path.append((place, entry))
            place = group.node
        }
        var depth = depths[place]!
        for (node, entry) in path.reversed() {
            if depth != .max {
                depth += 1
                if let entry { try take(entry) }
            }
            depths[node] = depth
        }
        return depth
    }

    private mutating func take(_ entry: ViewEntry) throws {
        entries.append(entry)
        for member in entry.members { shown[member.item] = try tables.item(member.item).map(ShownItem.init) }
    }

    private func hasRow(_ node: ItemID) throws -> Bool {
        try tables.members(ofNode: node).contains { try tables.rows(holding: $0).contains { $0.kind == .folder } }
    }

    /// The only entry of the group, if it is new here.
    private func arrival(_ group: GroupKey) throws -> ViewEntry? {
        let found = try reader.entries(group)
        guard found.count == 1, let entry = found.first, entry.name.isValid,
            try entry.members.allSatisfy({ try tables.rows(holding: $0.item).isEmpty }), try isFree(group)
        else { return nil }
        return entry
    }

    private func isFree(_ place: GroupKey) throws -> Bool {
        for member in try tables.members(ofNode: place.node) {
            for folder in try tables.rows(holding: member) where folder.kind == .folder {
                if try tables.child(of: folder.id, named: place.name) != nil { return false }
            }
        }
        return true
    }

    consuming func workSet() -> WorkSet {
        let depths = depths
        return WorkSet(
            arriving: entries.sorted {
                (depths[$0.node]!, $0.node, $0.name) < (depths[$1.node]!, $1.node, $1.name)
            }, shown)
    }
}
