/// Something that a person decides about a drive; done by the process that has the drive's lock.
public enum DriveAct: Hashable, Sendable, Codable {
    /// These held deletes go through.
    case confirmDeletes(ids: [String])
    /// These held deletes are undone.
    case restoreDeletes(ids: [String])
    /// Takes these out of the trash, back to where they were.
    case restoreTrash(names: [String])
    /// Takes out of the trash what a cleaning has moved there, which reverses the cleaning.
    case undoCleaning(names: [String])
    /// Removes these for good.
    case emptyTrash(names: [String])
    /// Ends these conflicts, all in one operation.
    case resolve(ids: [String], how: ConflictResolution)
    /// Reverses operations of this device, the last first; with a device, only what it had changed.
    case undo(operations: [UInt64], device: String?)
    /// Brings earlier contents back.
    case restore([RestoredContent])
    /// Moves these to the drive's trash, each if it still adds nothing to something that stays; of others nothing is said.
    case clean([RedundantCopy])
    /// Nothing is sent or brought until somebody resumes, or for so long, in milliseconds.
    case pause(forMilliseconds: UInt64?)
    case resume
    case renameDevice(String)
    /// The device with this id is gone for good: nobody waits for it until it is back.
    case forgetDevice(id: String)
    /// Lists what somebody who read files found damaged, and no longer what was found whole.
    case note([FileReading])
    /// Brings back the recorded bytes of these files, paths as bytes, where they are damaged.
    case repairFiles([[UInt8]])
    /// Mends what a look at the store found, as far as this device can.
    case repairStore(StoreRepair)
    /// Files that need these contents, hashes as bytes, go on without them: neither the store nor a device has them any more.
    case giveUp(contents: Set<[UInt8]>)
    /// Takes the removal of what nobody has needed for so long, in milliseconds, a step further, or tells what it would do.
    case collect(olderThan: UInt64, isTrial: Bool)
}

/// How conflicts are ended.
public enum ConflictResolution: Hashable, Sendable, Codable {
    case keep(ConflictKeeping)
    /// Texts whose changes touch different lines become one.
    case merge
    /// What loses nothing, where anything does.
    case suggested
}

/// An earlier content that is to be at a path again.
public struct RestoredContent: Hashable, Sendable, Codable {
    /// Beneath the drive, as bytes: where it was.
    public var path: [UInt8]
    /// The content, as 64 hexadecimal digits; empty for a folder, which comes back empty.
    public var content: String
    /// Where it shall be, if that is not where it was.
    public var target: [UInt8]?

    public init(path: [UInt8], content: String, target: [UInt8]? = nil) {
        self.path = path
        self.content = content
        self.target = target
    }
}

/// Which side of a conflict stays. Where several conflicts of one file are to be ended, `newest` and `largest` compare all that it may
/// hold, and `copy` leaves them: only one can have its name.
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
