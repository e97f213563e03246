public enum ItemKind: UInt8, Hashable, Sendable {
    case file = 0, folder = 1, link = 2

    /// Nil of what is not synced.
    public init?(_ kind: FileFacts.Kind) {
        switch kind {
        case .file: self = .file
        case .folder: self = .folder
        case .link: self = .link
        case .other: return nil
        }
    }

    /// Files and links hold content and follow the same rules.
    public var hasContent: Bool { self != .folder }

    public var word: String {
        switch self {
        case .file: "file"
        case .folder: "folder"
        case .link: "link"
        }
    }
}

/// A last-writer-wins register.
public struct Register<Value: Hashable & Sendable>: Hashable, Sendable {
    public var tag: Tag
    public var value: Value

    public init(tag: Tag, value: Value) {
        self.tag = tag
        self.value = value
    }

    public func joined(_ other: Register) -> Register { other.tag > tag ? other : self }
}

/// Why a head or a life dot is deleted. Nearly always empty or one element.
public struct Mark: Hashable, Sendable {
    /// Deleted by itself; only heads carry this.
    public var bySelf: Bool
    /// Deleted together with these folders, which vanished in the same scan; sorted, without repetition.
    public private(set) var folders: [ItemID]

    public init(bySelf: Bool = false, folders: some Sequence<ItemID> = []) {
        self.bySelf = bySelf
        self.folders = Array(Set(folders)).sorted()
    }

    public static let none = Mark()
    public static let bySelf = Mark(bySelf: true)

    public var isEmpty: Bool { !bySelf && folders.isEmpty }

    public func union(_ other: Mark) -> Mark {
        if other.isEmpty || self == other { return self }
        if isEmpty { return other }
        return Mark(bySelf: bySelf || other.bySelf, folders: folders + other.folders)
    }
}

/// One content of an item: multi-value, so concurrent edits stand side by side.
public struct Head: Hashable, Sendable {
    public var dot: Dot
    public var time: HybridTime
    public var content: Content
    /// Not empty: deleted.
    public var mark: Mark

    public init(dot: Dot, time: HybridTime, content: Content, mark: Mark = .none) {
        self.dot = dot
        self.time = time
        self.content = content
        self.mark = mark
    }
}

/// One reason for an item to be alive.
public struct LifeDot: Hashable, Sendable {
    public var dot: Dot
    public var mark: Mark

    public init(dot: Dot, mark: Mark = .none) {
        self.dot = dot
        self.mark = mark
    }
}

/// Where an item hangs; `from` is the parent before this move and only undoes a cycle.
public struct Placement: Hashable, Sendable {
    public var parent: ItemID
    public var from: ItemID

    public init(parent: ItemID, from: ItemID) {
        self.parent = parent
        self.from = from
    }
}

/// A whole item as a writer knew it: the value of a record, and what all records of the item join to.
public struct ItemState: Hashable, Sendable, Identifiable {
    public let id: ItemID
    /// Fixed for ever: a change of type is a delete and a create.
    public let kind: ItemKind
    /// Every record of this item that the writer knew of, its own included.
    public var context: DeviceVector
    public var name: Register<FileName>
    public var placement: Register<Placement>
    /// Sorted by key.
    public var attributes: [AttributeKey: Register<[UInt8]>]
    /// Sorted by dot.
    public var heads: [Head]
    /// Sorted by dot. The item is alive while one of them has an empty or void mark.
    public var life: [LifeDot]

    public init(
        id: ItemID, kind: ItemKind, context: DeviceVector, name: Register<FileName>,
        placement: Register<Placement>, attributes: [AttributeKey: Register<[UInt8]>] = [:], heads: [Head] = [],
        life: [LifeDot]
    ) {
        self.id = id
        self.kind = kind
        self.context = context
        self.name = name
        self.placement = placement
        self.attributes = attributes
        self.heads = heads.sorted { $0.dot < $1.dot }
        self.life = life.sorted { $0.dot < $1.dot }
    }

    public var parent: ItemID { placement.value.parent }

    public func head(_ dot: Dot) -> Head? { heads.first { $0.dot == dot } }

    /// The greatest tag that the item carries.
    public var newestTime: HybridTime {
        var newest = max(name.tag.time, placement.tag.time)
        for register in attributes.values { newest = max(newest, register.tag.time) }
        for head in heads {
            newest = max(newest, head.time)
            if let tag = head.content.storedAgain { newest = max(newest, tag.time) }
        }
        return newest
    }

    /// Some reason for it to be alive has not been deleted.
    public var isWanted: Bool { life.contains { $0.mark.isEmpty } }

    /// When the name was claimed: who came first keeps it.
    public var claim: Tag { max(name.tag, placement.tag) }
}
