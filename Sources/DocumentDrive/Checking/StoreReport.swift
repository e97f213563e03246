public import DriveCore
import DriveTransport
public import FileCoordination

/// What a look at a drive's store found.
public struct StoreReport: Sendable {
    public var damage: [Damage] = []
    /// What the store failed to read while it answered otherwise. It may be whole: a later look tells, and none of it is given up.
    public var unread: [Damage] = []
    /// What was read, or in a quick look compared by size.
    public var objects = 0
    public var bytes: UInt64 = 0
    /// What nothing refers to: left by interrupted uploads, or of one that is under way.
    public var unreferencedObjects = 0
    public var unreferencedBytes: UInt64 = 0
    public var isQuick = false
    /// What would mend the damage, as far as this device can.
    public internal(set) var repair = StoreRepair()
    /// What would mend what could not be read, should that never be read again. Where it may be whole that stores things twice.
    public internal(set) var repairOfUnread = StoreRepair()

    public struct Damage: Hashable, Sendable {
        public var object: String
        /// `format`, `head`, `segment`, `content`.
        public var kind: String
        /// Not there at all; otherwise its bytes are wrong, or could not be read.
        public var isMissing: Bool
        /// Whose journal it belongs to.
        public var device: String?
        /// By which `docdrive device forget` knows that device alone: its name, or its id where others are called the same.
        public var deviceArgument: String?
        public var isOwn: Bool
        /// Files that need it.
        public var paths: [DrivePath]
        /// How many contents that only deleted or replaced files had need it.
        public var kept: Int
    }

    /// Everything was looked at, and nothing is wrong.
    public var isWell: Bool { damage.isEmpty && unread.isEmpty }
}
