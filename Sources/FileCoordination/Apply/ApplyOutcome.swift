public import DriveCore

/// What a pass of apply did, and what it left for the next turn.
public struct ApplyOutcome: Sendable {
    /// Steps that changed something on the disk.
    public var steps = 0
    public var placed = 0
    public var replaced = 0
    public var moved = 0
    public var removed = 0
    /// Items that got other attributes (tags, times, the execute bit) and nothing else.
    public var attributed = 0
    public var bytes: UInt64 = 0
    /// A check before a step found something unexpected: the next scan will name it.
    public var changedUnderneath = 0
    /// Steps that were left because somebody uses the item (`FileCoordinator`), or has it open for writing.
    public var inUse = 0
    /// Deletes by others that the brake holds.
    public var held = 0
    /// Items that are still not as the view has them, for whatever reason.
    public var waiting = 0
    public var problems: [Problem] = []
    /// What is in the way of single items, those with problems included.
    public var obstacles: [Obstacle] = []
    /// Further names of files that got other attributes by one of their names (hard links), which have them as well now. To be looked
    /// at: who watches may not hear of it by any name.
    public var otherNames = TouchedPaths()
    /// An item could not be staged, and what there was of it may still lie in `.incoming`.
    var leavesStaging = false

    public init() {}

    /// Files that others have changed or deleted, and that a program has open for writing.
    var openForWriting: [DrivePath] { obstacles.filter { $0.cause == .openForWriting }.map(\.path) }

    public mutating func add(_ other: ApplyOutcome) {
        steps += other.steps
        placed += other.placed
        replaced += other.replaced
        moved += other.moved
        removed += other.removed
        attributed += other.attributed
        bytes += other.bytes
        changedUnderneath += other.changedUnderneath
        otherNames.formUnion(other.otherNames)
        leavesStaging = leavesStaging || other.leavesStaging
        inUse = other.inUse
        held = other.held
        waiting = other.waiting
        problems = other.problems
        obstacles = other.obstacles
    }
}
