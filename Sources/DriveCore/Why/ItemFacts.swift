/// All that is known of one path: the three sides of its item, and what is in its way. Gathered by whoever can look;
/// `Explainer` makes a sentence of it.
public struct ItemFacts: Sendable {
    public var path: DrivePath
    /// What is here.
    public var disk = DiskSide.notLooked
    /// What was last in step.
    public var row: Row?
    /// What the store has, as far as it was read.
    public var entry: ViewEntry?
    /// Who wrote that; nil for this device.
    public var author: String?
    /// When, in milliseconds since 1970, by the author's clock.
    public var written: UInt64?
    /// The view has changed since the disk was last brought to it.
    public var isDirty = false
    /// A folder that stays, though another device deleted it, for what is in it and is not synced.
    public var isKept = false
    /// Changed here, and the store does not know yet.
    public var isUnsent = false
    /// Deleted here, and the store does not know yet.
    public var isUnsentDelete = false
    public var rule: IgnoreDecision?
    /// The rule is one of those that every new drive gets.
    public var isDefaultRule = false
    public var obstacles: [Obstacle] = []
    /// What the pass said that could not bring it.
    public var problem: String?
    /// Who has it now, where that is in the way.
    public var user: User?
    /// What keeps this process from it.
    public var barrier: Barrier?
    /// The folder of another file system that it is in, or would be, or that lies where it is to come from.
    public var mount: DrivePath?
    /// What the file system does not move, the item or a folder that it is in: from where it is to where it is to be.
    public var move: Move?
    public var held: Held?
    public var conflict: Sides?
    /// Its record is known, the folder that it belongs in is not.
    public var lacksFolder = false
    /// What became of it, where nothing is here and nothing is to come.
    public var past: Past?
    /// What happened before this device's log begins is not known any more.
    public var isLogCut = false
    /// What it held last is kept nowhere any more.
    public var isGoneForGood = false
    /// The last thing that happened to it here.
    public var latest: DriveEvent?
    public var drive: DriveFacts

    public init(_ path: DrivePath, drive: DriveFacts) {
        self.path = path
        self.drive = drive
    }

    public struct Move: Hashable, Sendable {
        public var from: DrivePath
        public var to: DrivePath

        public init(from: DrivePath, to: DrivePath) { (self.from, self.to) = (from, to) }
    }

    public enum DiskSide: Hashable, Sendable {
        case notLooked, absent
        case present(FileFacts)
        case unreadable(DriveError)
    }

    /// A folder that the item is in or belongs in, or the item, which may not be used as syncing has to.
    public struct Barrier: Hashable, Sendable {
        public var path: DrivePath
        public var isFolder: Bool
        public var hindrance: Hindrance

        public init(_ path: DrivePath, isFolder: Bool = true, _ hindrance: Hindrance) {
            (self.path, self.isFolder, self.hindrance) = (path, isFolder, hindrance)
        }
    }

    /// A program that has an item through a coordinated access.
    public struct User: Hashable, Sendable {
        /// Nil where nobody can tell.
        public var process: Int32?
        public var program: String?
        /// Milliseconds since 1970.
        public var since: UInt64?

        public init(process: Int32?, program: String? = nil, since: UInt64? = nil) {
            self.process = process
            self.program = program
            self.since = since
        }

        /// In a sentence: `less (process 1234)`.
        public var words: String {
            guard let process else { return "a program" }
            return "\(program ?? "a program") (process \(process))"
        }
    }

    public struct Held: Hashable, Sendable {
        /// As `docdrive deletes` lists it; nil of a folder that only waits for what is in it.
        public var id: String?
        public var isOwn: Bool
        public var subject = Subject.item
        /// Who deleted it, if it was another device.
        public var device: String?
        /// When that was heard of here, in milliseconds since 1970.
        public var since: UInt64?

        /// What was deleted.
        public enum Subject: Hashable, Sendable {
            case item
            /// What had the item's place, or that of a folder that it is in.
            case place
            /// A folder that the item is to come into.
            case folder
        }

        public init(id: String?, isOwn: Bool, device: String? = nil, since: UInt64? = nil) {
            self.id = id
            self.isOwn = isOwn
            self.device = device
            self.since = since
        }
    }

    public struct Sides: Hashable, Sendable {
        public var id: String
        public var isCopy: Bool
        /// The other ones.
        public var others: [DrivePath]
        /// Who wrote the copy.
        public var device: String?

        public init(id: String, isCopy: Bool, others: [DrivePath], device: String?) {
            self.id = id
            self.isCopy = isCopy
            self.others = others
            self.device = device
        }
    }

    public enum Past: Hashable, Sendable {
        /// With what the trash has of it.
        case deleted(DriveEvent, trash: String?)
        case moved(DriveEvent, to: DrivePath)
        /// The log has nothing of it.
        case deletedEarlier(trash: String?)
        /// It came to its name and went since the log begins, and no pass saw it; by whom, as far as records tell.
        case deletedUnseen(device: String?)
    }
}

/// What holds for all items of a drive.
public struct DriveFacts: Sendable {
    /// Milliseconds since 1970.
    public var now: UInt64
    public var hasStore: Bool
    public var trouble: Trouble?
    public var pause: Pause?
    /// What the process that watches says of itself; nil where none does.
    public var watcher: Watcher?
    /// Another process works on the drive, and watches nothing.
    public var otherProcess: Int32?
    /// Journals of others that cannot be read whole.
    public var journals: [Obstacle] = []
    /// What is in the trash, and could make room.
    public var trash = TrashRoom()

    public init(now: UInt64, hasStore: Bool) {
        self.now = now
        self.hasStore = hasStore
    }

    public struct Watcher: Hashable, Sendable {
        public var process: Int32
        public var unwatched: Int
        /// When it tries again what failed, or looks again at what was being written.
        public var nextTry: UInt64?
        public var nextLook: UInt64?

        public init(process: Int32, unwatched: Int = 0, nextTry: UInt64? = nil, nextLook: UInt64? = nil) {
            self.process = process
            self.unwatched = unwatched
            self.nextTry = nextTry
            self.nextLook = nextLook
        }
    }
}
