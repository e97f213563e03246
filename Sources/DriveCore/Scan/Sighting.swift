/// Something on the disk that has no row, or is not as its row says.
public struct Sighting: Hashable, Sendable {
    public var folder: Folder
    public var name: FileName
    public var facts: FileFacts
    /// What a read found; nil for folders, and where nothing had to be read.
    public var content: Content?
    /// Nil where nothing had to be read.
    public var attributes: Attributes?
    /// A folder in its place, whose change time is another: nothing but its attributes may differ from this row's.
    public var folderInPlace: RowID?
    /// It changed while it was read, or cannot be read now: nothing is recorded of what it holds this time, only where it is.
    public var isUnsettled = false
    /// Nothing at all is recorded of it this time.
    public private(set) var isWithheld = false
    /// A folder that somebody is moving who says so: what is in it is recorded, and not yet where it is.
    public var isOnItsWay = false
    /// What is recorded of its item stays where it was.
    public var isLeft: Bool { isWithheld || isOnItsWay }
    /// Its content was lost by the store and is stored again.
    public var isOfferedAgain = false

    /// The folder that it is in: one that has a row, or an earlier sighting of the same scan.
    public enum Folder: Hashable, Sendable {
        case row(RowID)
        case sighting(Int)
    }

    public init(folder: Folder, name: FileName, facts: FileFacts) {
        self.folder = folder
        self.name = name
        self.facts = facts
    }

    public var kind: ItemKind? { ItemKind(facts.kind) }

    /// What is recorded of its item, its place among it, stays as it is this time.
    public mutating func withhold() { (isUnsettled, isWithheld) = (true, true) }
}

/// What a walk found different from the rows: the input of every decision about local changes.
public struct Sightings: Sendable {
    /// A folder before what is in it.
    public var list: [Sighting] = []
    /// Rows that were not found as they should be at their place. Rows in folders that could not be listed are not
    /// among them: silence is not absence.
    public var loose: Set<RowID> = []

    public init() {}
}

public typealias DriveTables = RowStorage & ViewStorage & HistoryStorage
