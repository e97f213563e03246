/// An item, or some of its contents, that stands behind an entry of the view or a materialised file.
public struct Member: Hashable, Sendable {
    public var item: ItemID
    /// The heads shown; sorted. Empty for folders, and for a row that made the item and whose item has moved on.
    public var dots: [Dot]
    /// Whether the item's main head is among them.
    public var isMain: Bool

    public init(item: ItemID, dots: [Dot] = [], isMain: Bool = true) {
        self.item = item
        self.dots = dots
        self.isMain = isMain
    }
}

/// Something that the view shows under one name.
public struct ViewEntry: Hashable, Sendable {
    /// The node of the folder that it is in: the representative of the folders that are shown as one.
    public var node: ItemID
    public var name: FileName
    public var kind: ItemKind
    /// Primary first. More than one: folders of one name, or equal bytes.
    public var members: [Member]
    /// Nil for folders.
    public var content: Content?
    public var attributes: Attributes
    /// A conflict copy: shown by a name that is nobody's own.
    public var isDerived: Bool
    /// The name that the items themselves bear.
    public var ownName: FileName

    public init(
        node: ItemID, name: FileName, kind: ItemKind, members: [Member], content: Content? = nil,
        attributes: Attributes = Attributes(), isDerived: Bool = false
    ) {
        self.node = node
        self.name = name
        self.kind = kind
        self.members = members
        self.content = content
        self.attributes = attributes
        self.isDerived = isDerived
        ownName = name
    }

    public var primary: Member { members[0] }

    public func member(_ item: ItemID) -> Member? { members.first { $0.item == item } }
}

/// The entries that share one name in one node.
public struct GroupKey: Hashable, Comparable, Sendable {
    public var node: ItemID
    public var name: FileName

    public init(node: ItemID, name: FileName) {
        self.node = node
        self.name = name
    }

    public static func < (a: GroupKey, b: GroupKey) -> Bool { (a.node, a.name) < (b.node, b.name) }
}

/// What the view derives for one item; kept beside its state and maintained change by change.
public struct ItemShape: Hashable, Sendable {
    /// V0.
    public var isAlive = false
    /// V1 and V2: where it hangs after cycles are broken; nil while its parent is not known here.
    public var parent: ItemID?
    /// How many shown items hang in this folder.
    public var shownChildren = 0
    /// V5: the representative of the folders that are one node with this one; nil where it is not in the tree.
    public var node: ItemID?

    public init() {}

    /// V3: alive, or a folder that a shown child needs.
    public var isShown: Bool { isAlive || shownChildren > 0 }
}

public struct StoredItem: Hashable, Sendable {
    public var state: ItemState
    public var shape: ItemShape

    public init(state: ItemState, shape: ItemShape = ItemShape()) {
        self.state = state
        self.shape = shape
    }

    public var id: ItemID { state.id }
}

/// A name that V8 gave to an entry which could not have its own.
public struct DerivedName: Hashable, Sendable {
    public var name: FileName
    public var ownName: FileName
    /// Primary item and its least dot: what identifies the entry.
    public var item: ItemID
    public var dot: Dot
    /// Bears an ordinal, because the plain form was taken.
    public var isNumbered: Bool

    public init(name: FileName, ownName: FileName, item: ItemID, dot: Dot, isNumbered: Bool = false) {
        self.name = name
        self.ownName = ownName
        self.item = item
        self.dot = dot
        self.isNumbered = isNumbered
    }
}

extension DerivedName: Comparable {
    /// The order in which V8 gives the names of a node.
    public static func < (a: DerivedName, b: DerivedName) -> Bool {
        (a.ownName, a.item, a.dot) < (b.ownName, b.item, b.dot)
    }
}
