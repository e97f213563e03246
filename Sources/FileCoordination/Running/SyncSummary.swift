public import DriveCore

/// What a sync did, and how things stand after it.
public struct SyncSummary: Hashable, Sendable, Codable {
    /// Changes of this device that were published.
    public var sent = 0
    public var placed = 0
    public var replaced = 0
    public var moved = 0
    public var removed = 0
    /// Items that got other attributes (tags, times, the execute bit) and nothing else.
    public var attributed = 0
    /// Bytes of contents brought here.
    public var bytes: UInt64 = 0
    public var items = 0
    /// Those that share the store, this one included; not who is gone for good.
    public var devices = 0
    /// Conflict copies in the folder.
    public var conflicts = 0
    /// Deletes that wait for a decision: made here, and made by others.
    public var heldHere = 0
    public var heldThere = 0
    public var problems = 0
    /// Something kept changing while it was read.
    public var isUnsettled = false
    /// Nothing was known of the folder before.
    public var isFirst = false

    public init() {}

    public init(_ outcome: DriveEngine.PassOutcome, _ state: any DriveState, isFirst: Bool) throws {
        sent = outcome.records
        placed = outcome.applied.placed
        replaced = outcome.applied.replaced
        moved = outcome.applied.moved
        removed = outcome.applied.removed
        attributed = outcome.applied.attributed
        bytes = outcome.applied.bytes
        items = try state.rowCount() - HiddenRows(state).count(in: state)
        let forgotten = Set(try state.journal().collection.forgotten.map(\.device))
        devices = try state.labels().devices.count { !forgotten.contains($0) }
        conflicts = try state.nodesWithDerivedNames().reduce(0) { try $0 + state.derivedNames(in: $1).count }
        heldHere = try state.heldRowCount()
        heldThere = outcome.applied.held
        problems = try Set(state.problems().map(\.path)).count
        isUnsettled = outcome.isUnsettled
        self.isFirst = isFirst
    }

    public var held: Int { heldHere + heldThere }
    public var isComplete: Bool { problems == 0 && !isUnsettled }
}

extension HiddenRows {
    /// With all that is in them.
    fileprivate func count(in state: any DriveState) throws -> Int {
        var hidden = try topmost().filter { try state.row($0) != nil }
        var waiting = Array(hidden)
        while let folder = waiting.popLast() {
            for row in try state.glances(in: folder) where hidden.insert(row.id).inserted { waiting.append(row.id) }
        }
        return hidden.count
    }
}
