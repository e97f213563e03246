/// Where item states and their shapes are kept: in memory, or in SQLite. Plain storage with indexes; the rules are in
/// `ViewMaintenance` and `ViewReader`.
public protocol ViewStorage: AnyObject {
    func item(_ id: ItemID) throws -> StoredItem?
    /// Inserts or replaces, and keeps every index below.
    func save(_ item: StoredItem) throws
    /// Items whose shape names this folder as parent; with a name, only those that bear it.
    func children(of parent: ItemID, named name: FileName?) throws -> [StoredItem]
    /// Items whose record names this parent, and which have none in their shape.
    func pendingChildren(of parent: ItemID) throws -> [ItemID]
    /// Items that carry, in a life dot or a head, a mark with this folder.
    func items(markedBy folder: ItemID) throws -> [ItemID]
    /// Folders whose shape names this node; the root's only member is the root itself.
    func members(ofNode node: ItemID) throws -> [ItemID]
    /// Items whose move V2 undoes.
    func undone() throws -> Set<ItemID>
    func setUndone(_ items: Set<ItemID>) throws
    /// By own name, item and dot.
    func derivedNames(in node: ItemID) throws -> [DerivedName]
    /// Those of the entries that share one own name.
    func derivedNames(of group: GroupKey) throws -> [DerivedName]
    func derivedName(_ name: FileName, in node: ItemID) throws -> DerivedName?
    /// Whether one of the node's bears an ordinal; nil where it has none at all.
    func hasNumberedNames(in node: ItemID) throws -> Bool?
    func changeDerivedNames(in node: ItemID, removing old: [DerivedName], adding new: [DerivedName]) throws
    func nodesWithDerivedNames() throws -> [ItemID]
    func labels() throws -> DeviceLabels
    func setLabels(_ labels: DeviceLabels) throws
    /// What differs between the view and what was materialised, until apply has looked at it.
    func dirt() throws -> ViewDirt
    /// Less the old, then with the new.
    func changeDirt(removing old: ViewDirt, adding new: ViewDirt) throws
    /// Every item, in no order and one at a time. The body changes nothing, and does not ask for every item itself.
    func eachItem(_ body: (StoredItem) throws -> Void) throws
}

extension ViewStorage {
    public func addDirt(_ dirt: ViewDirt) throws { try changeDirt(removing: ViewDirt(), adding: dirt) }

    /// Every item, in no order; all of them in memory.
    public func allItems() throws -> [StoredItem] {
        var items: [StoredItem] = []
        try eachItem { items.append($0) }
        return items
    }
}

/// Where the view changed since apply last looked.
public struct ViewDirt: Hashable, Sendable {
    public var groups: Set<GroupKey>
    public var items: Set<ItemID>

    public init(groups: Set<GroupKey> = [], items: Set<ItemID> = []) {
        self.groups = groups
        self.items = items
    }

    public var isEmpty: Bool { groups.isEmpty && items.isEmpty }
}
