/// Reads the maintained view: single entries, without looking at the rest.
public struct ViewReader {
    let storage: any ViewStorage

    public init(_ storage: any ViewStorage) { self.storage = storage }

    /// Whether this is a folder that is known here and alive: what makes a mark void.
    public func isAlive(_ folder: ItemID) throws -> Bool {
        guard let item = try storage.item(folder) else { return false }
        return item.shape.isAlive && item.state.kind == .folder
    }

    /// The node that shows a folder, nil where it is not in the tree.
    public func node(of folder: ItemID) throws -> ItemID? {
        folder == .root ? .root : try storage.item(folder)?.shape.node
    }

    /// The group in which an item is shown; nil where it is not in the tree.
    public func group(of item: ItemID) throws -> GroupKey? {
        guard let stored = try storage.item(item), stored.shape.isShown, let parent = stored.shape.parent,
            let node = try node(of: parent)
        else { return nil }
        return GroupKey(node: node, name: stored.state.name.value)
    }

    func shownItems(_ key: GroupKey) throws -> [StoredItem] {
        let members = key.node == .root ? [ItemID.root] : try storage.members(ofNode: key.node)
        if members.count == 1 {
            return try storage.children(of: members[0], named: key.name).filter(\.shape.isShown)
        }
        return try members.flatMap { try storage.children(of: $0, named: key.name) }.filter(\.shape.isShown)
    }

    func unnamedEntries(_ key: GroupKey) throws -> [ViewEntry] {
        let items = try shownItems(key)
        return items.isEmpty ? [] : try groupEntries(key, items, isAlive: isAlive)
    }

    /// All entries but the first; most groups have but one, and need not be made to see that.
    func derivedEntries(_ key: GroupKey) throws -> [ViewEntry] {
        let items = try shownItems(key)
        if items.isEmpty || (items.count == 1 && items[0].state.heads.count <= 1) { return [] }
        return try groupEntries(key, items, isAlive: isAlive).filter(\.isDerived)
    }

    /// The entries of the items that bear one name, each under the name that it is shown by.
    public func entries(_ key: GroupKey) throws -> [ViewEntry] {
        var entries = try unnamedEntries(key)
        guard entries.contains(where: \.isDerived) else { return entries }
        let names = Dictionary(
            try storage.derivedNames(of: key).map { ($0.key, $0) },
            uniquingKeysWith: { first, _ in first })
        for place in entries.indices where entries[place].isDerived {
            let primary = entries[place].primary
            guard let given = names[HeadKey(primary.item, primary.dots[0])] else {
                throw DriveError(.internalFault, "the view has a conflict copy without a name", path: "\(key.name)")
            }
            entries[place].name = given.name
        }
        return entries
    }

    /// What the view shows under one name of one node.
    public func entry(named name: FileName, in node: ItemID) throws -> ViewEntry? {
        if let own = try entries(GroupKey(node: node, name: name)).first(where: { $0.name == name }) { return own }
        guard let given = try storage.derivedName(name, in: node) else { return nil }
        return try entries(GroupKey(node: node, name: given.ownName)).first { $0.name == name }
    }

    /// The entries in which the item has a part.
    public func entries(showing item: ItemID) throws -> [ViewEntry] {
        guard let key = try group(of: item) else { return [] }
        return try entries(key).filter { $0.member(item) != nil }
    }

    /// Everything in one node, by name.
    public func entries(in node: ItemID) throws -> [ViewEntry] {
        let members = node == .root ? [ItemID.root] : try storage.members(ofNode: node)
        var names: Set<FileName> = []
        for member in members {
            for child in try storage.children(of: member, named: nil) where child.shape.isShown {
                names.insert(child.state.name.value)
            }
        }
        return try names.sorted().flatMap { try entries(GroupKey(node: node, name: $0)) }.sorted { $0.name < $1.name }
    }

    /// The whole tree, each folder before what is in it, by name within a folder.
    public func allEntries() throws -> [ViewEntry] {
        var result = try entries(in: .root)
        var place = 0
        while place < result.count {
            if result[place].kind == .folder { result += try entries(in: result[place].primary.item) }
            place += 1
        }
        return result
    }

    /// Where a node is shown; nil where it is not in the tree, or deeper in it than the limit.
    public func path(ofNode node: ItemID, limit: Int = .max) throws -> DrivePath? {
        var names: [FileName] = []
        var place = node
        while place != .root {
            guard names.count < limit, let key = try group(of: place) else { return nil }
            names.append(key.name)
            place = key.node
        }
        return DrivePath(names.reversed())
    }
}
