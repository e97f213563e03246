public import DriveCore
public import DrivePredicates

/// What to look for among the files of this device; every condition must hold, and none is given at first.
public struct NameQuery: Hashable, Sendable {
    /// One of these, without the dot and without regard to case.
    public var extensions: [String] = []
    public var kinds: Set<ItemKind> = []
    /// Bytes; folders have none.
    public var size: ClosedRange<UInt64>?
    /// Modified at or after, and before.
    public var since: FileTime?
    public var before: FileTime?
    public var states: Set<Standing> = []
    /// This folder's contents, at any depth.
    public var folder: DrivePath?
    /// Of these, or of the drive's, only what lies in the folder itself.
    public var isShallow = false
    /// Just this name, as its bytes are.
    public var name: FileName?
    /// Must hold for the item's attributes.
    public var predicate: MetadataPredicate?
    /// Also what other devices have and this one is still to be given: there is nothing at its path.
    public var includesAbsent = false
    /// Not what was deleted here while the delete is held: there is nothing at its path.
    public var leavesOutHeld = false
    public var limit: Int?

    public init() {}

    /// What has this text in its name, without regard to case and diacritics.
    public init(nameContaining text: String) {
        predicate = .comparison(
            PredicateComparison(
                .keyPath(["kMDItemFSName"]), .contains, .constant(.string(text)),
                options: [.caseInsensitive, .diacriticInsensitive]))
    }

    /// What SQLite is asked for a predicate without any index, with ? for each value; nil where it is asked for everything.
    public static func sql(of predicate: MetadataPredicate) -> String? {
        (try? RowNarrowing(predicate, NarrowingContext(knowsDocuments: true)))?.sql
    }

    /// Whether the answer may depend on what documents say.
    package var needsDocuments: Bool {
        guard let predicate else { return false }
        return predicate.attributeNames.contains { ItemMetadata.asksDocuments($0) }
    }

    /// Whether the predicate asks what only documents know.
    public static func asksDocuments(_ predicate: MetadataPredicate) -> Bool {
        predicate.attributeNames.contains { !ItemMetadata.isKnown($0) }
    }
}

public struct FoundItem: Hashable, Sendable {
    public var path: DrivePath
    public var kind: ItemKind
    public var size: UInt64
    /// Nil where nobody tells: of a folder that is still to be brought here.
    public var modified: FileTime?
    public var state: Standing
}
