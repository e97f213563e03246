/// Something that a person decides about a drive; done by the process that has the drive's lock.
public enum DriveAct: Hashable, Sendable, Codable {
    /// These held deletes go through.
    case confirmDeletes(ids: [String])
    /// These held deletes are undone.
    case restoreDeletes(ids: [String])
    /// Takes these out of the trash, back to where they were.
    case restoreTrash(names: [String])
    /// Removes these for good.
    case emptyTrash(names: [String])
    case resolve(ids: [String], keep: ConflictKeeping)
    /// Moves these, paths in base64, to the drive's trash, each if it still adds nothing.
    case clean([RedundantCopy])
    case renameDevice(String)
    /// Brings back the recorded bytes of these files, paths as bytes, where they are damaged.
    case repairFiles([[UInt8]])
    /// Mends what a look at the store found, as far as this device can.
    case repairStore(StoreRepair)
    /// Takes the removal of what nobody has needed for so long, in milliseconds, a step further, or tells what it would do.
    case collect(olderThan: UInt64, isTrial: Bool)
}

/// Which side of a conflict stays.
public enum ConflictKeeping: String, Hashable, Sendable, Codable, CaseIterable {
    case current, copy, newest, largest, both
}

/// A file that adds nothing to another one.
public struct RedundantCopy: Hashable, Sendable, Codable {
    /// Beneath the drive, as bytes.
    public var path: [UInt8]
    public var kept: [UInt8]
    /// Else it is a text, and the other has each of its lines in the same order.
    public var isIdentical: Bool

    public init(path: [UInt8], kept: [UInt8], isIdentical: Bool = true) {
        self.path = path
        self.kept = kept
        self.isIdentical = isIdentical
    }
}
