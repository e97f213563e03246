/// A step that apply is about to take, written down first so that a crash in its middle is decidable: each moves a
/// known inode, and where it is tells whether it moved.
public struct Intent: Hashable, Sendable {
    public var step: Step
    /// The inode that the step moves, or whose attributes it sets.
    public var identity: FileIdentity
    /// What the rows are once it is done.
    public var row: Row

    public enum Step: Hashable, Sendable {
        /// From `.incoming` to the row's place.
        case place(staged: FileName)
        /// `staged` in `.outgoing` and the file at the row's place change places; then the old one goes to the trash.
        case replace(staged: FileName, trash: TrashEntry)
        /// From where the row was to where it is.
        case move(fromFolder: RowID, fromName: FileName, wasParked: Bool)
        case park
        /// To `.outgoing`, then to the trash.
        case remove(staged: FileName, trash: TrashEntry)
        /// An empty folder to `.outgoing`, then away.
        case removeFolder(staged: FileName)
        case setAttributes
    }

    public init(step: Step, identity: FileIdentity, row: Row) {
        self.step = step
        self.identity = identity
        self.row = row
    }
}

/// A content that the drive took out of the folder and keeps.
public struct TrashEntry: Hashable, Sendable {
    /// Its name in `.trash`.
    public var name: FileName
    /// Where it was.
    public var path: DrivePath
    public var hash: ContentHash?
    public var size: UInt64
    public var reason: Reason
    /// Milliseconds since 1970.
    public var time: UInt64
    /// When it came here by the time that has been seen pass (`SeenTime`), which the state tells. Nil where that was unknown:
    /// `time` stands for it then.
    public var since: UInt64?

    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Deleted on another device.
        case deleted
        /// Another device's edit took its place.
        case replaced
        /// Equal bytes became one file.
        case merged
        /// A person resolved a conflict.
        case resolved
        /// Left by a power cut: short or empty, and not what was saved.
        case damaged
        /// A person reversed what had been done.
        case undone
        /// A person brought an earlier content back, which took its place.
        case restored
        /// A conflict copy that added nothing.
        case cleaned
        /// What both sides of a conflict come from, for a three-way merge; kept while the conflict stands.
        case ancestor
        /// What a file holds that the store refuses, and no record has; kept so while the file holds it.
        case refused

        /// False of what the drive keeps beside the trash: nobody took that out of the folder.
        public var isShown: Bool { self != .ancestor && self != .refused }
    }

    public init(
        name: FileName, path: DrivePath, hash: ContentHash?, size: UInt64, reason: Reason, time: UInt64,
        since: UInt64? = nil
    ) {
        self.name = name
        self.path = path
        self.hash = hash
        self.size = size
        self.reason = reason
        self.time = time
        self.since = since
    }
}
