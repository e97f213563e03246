/// Names one materialised item on this device. The root's row is 1.
public struct RowID: Hashable, Comparable, Sendable {
    public var rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    public static let root = RowID(rawValue: 1)

    public static func < (a: RowID, b: RowID) -> Bool { a.rawValue < b.rawValue }
}

extension ItemID {
    /// Of what has no records.
    public init(row: RowID) { self.init(high: 0, low: UInt64(bitPattern: row.rawValue)) }

    /// The row whose number it is; nil for an item that has records, or may have.
    public var row: RowID? { high == 0 && low != 0 ? RowID(rawValue: Int64(bitPattern: low)) : nil }
}

/// What this device last made or found on its disk, and which versions it stands for.
///
/// Written in three places only: by the scan, by a verified step of apply, and by acknowledging that disk and view
/// agree. An item, or one of its heads, is held by at most one file row: else two edits would meet in one item.
public struct Row: Hashable, Sendable, Identifiable {
    public let id: RowID
    /// The row of the folder that it is in.
    public var parent: RowID
    public var name: FileName
    public var kind: ItemKind
    /// Waits for its place in `.parked`, under the name `parkedName`.
    public var isParked: Bool
    /// Nil for a row whose item was never looked at with success.
    public var facts: FileFacts
    /// Nil for folders.
    public var hash: ContentHash?
    /// What the row stands for; disk times may be coarser.
    public var attributes: Attributes
    /// Primary first.
    public var members: [Member]
    /// All life dots of each member when it was shown, marked ones included.
    public var lifeSeen: [ItemID: [Dot]]
    /// Folder members that were dead when shown: only what is in them keeps them.
    public var rescued: Set<ItemID>
    public var isDerived: Bool
    /// Deletes of it are held by the brake: the scan writes no record, apply leaves it alone.
    public var isHeld: Bool
    /// The boot during which apply placed this very inode; nil where a person's program made it.
    public var placedInBoot: UInt64?

    public init(
        id: RowID, parent: RowID, name: FileName, kind: ItemKind, facts: FileFacts, hash: ContentHash? = nil,
        attributes: Attributes = Attributes(), members: [Member] = [], lifeSeen: [ItemID: [Dot]] = [:],
        rescued: Set<ItemID> = [], isDerived: Bool = false
    ) {
        self.id = id
        self.parent = parent
        self.name = name
        self.kind = kind
        isParked = false
        self.facts = facts
        self.hash = hash
        self.attributes = attributes
        self.members = members
        self.lifeSeen = lifeSeen
        self.rescued = rescued
        self.isDerived = isDerived
        isHeld = false
        placedInBoot = nil
    }

    public var primary: Member { members[0] }
    public var parkedName: FileName { FileName("row-\(id.rawValue)") }

    /// The item that is named by this row.
    public var ownItem: ItemID { ItemID(row: id) }

    public func member(_ item: ItemID) -> Member? { members.first { $0.item == item } }

    /// It has another place than this one; what waits for its own has none.
    func isElsewhere(than name: FileName, in folder: RowID) -> Bool {
        !isParked && (parent != folder || self.name != name)
    }
}

/// What of a row tells whether the disk is as it was.
public struct RowGlance: Hashable, Sendable {
    public let id: RowID
    public var name: FileName
    public var kind: ItemKind
    public var isHeld: Bool
    /// A conflict copy, which no rule hides.
    public var isDerived: Bool
    public var facts: FileFacts

    public init(id: RowID, name: FileName, kind: ItemKind, isHeld: Bool, isDerived: Bool, facts: FileFacts) {
        (self.id, self.name, self.kind, self.isHeld, self.facts) = (id, name, kind, isHeld, facts)
        self.isDerived = isDerived
    }

    public init(_ row: Row) {
        self.init(
            id: row.id, name: row.name, kind: row.kind, isHeld: row.isHeld, isDerived: row.isDerived,
            facts: row.facts)
    }
}

extension Row {
    /// The folders in which a walk finds other rows after a change, so that they are not known any more.
    package static func foldersChanged(from old: Row?, to new: Row?) -> [RowID] {
        guard
            old.map(RowGlance.init) != new.map(RowGlance.init) || old?.parent != new?.parent
                || old?.isParked != new?.isParked
        else { return [] }
        return [old?.parent, new?.parent, new == nil ? old?.id : nil].compactMap { $0 }
    }
}
