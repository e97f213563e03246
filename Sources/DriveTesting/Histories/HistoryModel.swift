import DriveCore

/// What may be on every device at each moment of a history, from the commands, the passes and nothing else: it knows
/// neither journals nor views.
///
/// When a pass sees a change, publishes it and brings it elsewhere cannot be observed. So for each change there are two
/// bounds: a device has *certainly* seen it when an undisturbed pass of its author and then one of the device itself have
/// come between, and has *possibly* seen it when passes overlap so that it can have. What is read must lie between the
/// bounds; what lies strictly between is a conjectured upload or download (Hughes, Pierce, Arts, Norell: "Mysteries of
/// Dropbox", ICST 2016).
///
/// A line is what one person would call one document: each write continues the line of what it replaced. Lines are taken
/// too wide rather than too narrow: what comes to a name continues what was last there.
public struct HistoryModel {
    let devices: Int
    /// The number of the newest event.
    var now = 0
    var bodies: [Body] = []
    var numbers: [[UInt8]: Int] = [:]
    /// What was done to lines, by the body that stood for them.
    var acts: [Act] = []
    /// The same of folders; the body says nothing.
    var folderActs: [Act] = []
    var passes: [Pass] = []
    var trees: [[DrivePath: SeenEntry]]
    /// What lost its name last at a path of a device.
    var lastAt: [[DrivePath: Int]]
    /// What every folder was ever called.
    var folderNames: Set<FileName> = []
    var movedFolders = 0
    /// Everything that anybody changed.
    var events: [Event] = []
    var removedFolders = 0
    public private(set) var tally = Tally()
    /// Bodies that came to a device before they certainly had to.
    private var conjectured: Set<Arrival> = []
    private var copiesSeen: Set<Int> = []

    struct Event: Hashable {
        var device: Int
        var time: Int
    }

    struct Body {
        let bytes: [UInt8]
        let event: Event
        /// The body that stands for its line; another one's number while lines are joined.
        var line: Int
        var names: Set<FileName> = []
        var paths: Set<DrivePath> = []
        /// Who replaced or deleted it.
        var excuses: [Event] = []
        /// Written into a file that had lost its name: only a trash need have it.
        var isAway = false
        /// Perhaps replaced, nobody saw by what.
        var isInDoubt = false
        /// It went over another file, which is an edit of that one by the path rule: it stands for two items.
        var wasMovedOver = false
        var wasMadeExecutable = false
        /// What it was written in the place of.
        var previous: Int?
    }

    /// A write, move or change of attributes.
    struct Act: Hashable {
        var event: Event
        var body: Int
        var name: FileName
        /// It had another name or place before.
        var isMove = false
    }

    struct Pass {
        let device: Int
        let start: Int
        var end: Int?
        var isDisturbed = false
        var isComplete = false
    }

    struct Arrival: Hashable {
        var device: Int
        var body: Int
    }

    public struct Tally: Hashable, Sendable {
        public var reads = 0
        public var conjectures = 0
        public var copies = 0
    }

    public init(devices: Int) {
        self.devices = devices
        trees = Array(repeating: [:], count: devices)
        lastAt = Array(repeating: [:], count: devices)
    }

    mutating func count(_ change: (inout Tally) -> Void) { change(&tally) }

    mutating func conjecture(_ body: Int, on device: Int) {
        if conjectured.insert(Arrival(device: device, body: body)).inserted { tally.conjectures += 1 }
    }

    mutating func noteCopy(_ body: Int) { if copiesSeen.insert(body).inserted { tally.copies += 1 } }
}

/// Something that no order of uploads and downloads explains.
public struct HistoryViolation: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, Hashable, Sendable {
        /// A person's bytes are gone that nobody gave up.
        case lost
        /// A device removed what nobody gave up, or nobody who can be known of.
        case removedUnseen
        /// What was published and fetched is not there.
        case missing
        /// What was replaced or deleted, and known to be, is there.
        case cameBack
        /// Content that nobody wrote.
        case foreign
        /// Content that cannot have come here yet.
        case tooEarly
        /// A name or a place that nobody gave it.
        case misplaced
        /// A conflict copy that no two changes explain.
        case needlessCopy
        /// Nobody acted, nothing was brought, and yet it is not as it was.
        case changed
        /// An attribute that nobody set.
        case attribute
        /// Devices at rest that are not equal.
        case unequal
        /// No rest is reached.
        case restless
        /// A pass that failed.
        case pass
        /// Memory and binary show different things for one history.
        case differs
    }

    public var kind: Kind
    public var details: String

    public init(_ kind: Kind, _ details: String) { (self.kind, self.details) = (kind, details) }

    public var description: String { "\(kind.rawValue): \(details)" }
}
