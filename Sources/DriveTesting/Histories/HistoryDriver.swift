public import DriveCore

/// What a history is run against: devices with folders, and passes that bring them in step.
public protocol HistoryDriver: AnyObject {
    /// Does it on the device; what came of it, nothing where it could not be done.
    func perform(_ command: HistoryCommand, at path: DrivePath) -> [HistoryEffect]
    func read(_ path: DrivePath, on device: Int) -> SeenEntry?
    /// All that people see, by path.
    func tree(of device: Int) -> [DrivePath: SeenEntry]
    /// The bytes of files that the device keeps beside the tree: in its trash and its staging.
    func kept(on device: Int) -> Set<[UInt8]>
    /// Starts a pass. None may run on the device.
    func start(_ device: Int) async throws
    /// Waits for the pass to end, which may not stand still.
    func finish(_ device: Int) async throws -> HistoryPass
    /// The pass, if it has ended by itself.
    func poll(_ device: Int) throws -> HistoryPass?
    func setPaused(_ isPaused: Bool, _ device: Int)
    /// Lets passes in the background go on for a while.
    func goOn(_ pace: UInt64)
    /// Ends everything; nothing may be left behind.
    func end() async
}

/// A file, link or folder as somebody sees it.
public struct SeenEntry: Hashable, Sendable {
    public var entry: TreeEntry
    public var isExecutable: Bool

    public init(_ entry: TreeEntry, isExecutable: Bool = false) {
        self.entry = entry
        self.isExecutable = isExecutable
    }

    public var bytes: [UInt8]? {
        switch entry {
        case .file(let bytes), .link(let bytes): bytes
        case .folder, .other: nil
        }
    }

    static let folder = SeenEntry(.folder)
}

/// How a pass ended.
public struct HistoryPass: Hashable, Sendable {
    /// Everything was done.
    public var isComplete: Bool
    public var hasRecorded: Bool
    public var hasBrought: Bool
    /// What a person has to know of a pass that failed.
    public var fault: String?

    public init(isComplete: Bool, hasRecorded: Bool, hasBrought: Bool, fault: String? = nil) {
        (self.isComplete, self.hasRecorded, self.hasBrought) = (isComplete, hasRecorded, hasBrought)
        self.fault = fault
    }
}

/// What a command changed in a folder, exactly, whatever else goes on there: a driver holds files open while it acts, and
/// so knows whose bytes it replaced.
public enum HistoryEffect: Hashable, Sendable {
    /// The file holds these bytes. `isAway`: what it was written into had lost its name meanwhile.
    case wrote(DrivePath, [UInt8], instead: [UInt8]?, isAway: Bool)
    case moved(DrivePath, to: DrivePath, [UInt8], instead: [UInt8]?)
    /// `inside` is what lies in the folder after the move, by its path there.
    case movedFolder(DrivePath, to: DrivePath, inside: [DrivePath: [UInt8]])
    case removed(DrivePath, [UInt8], withFolder: Bool)
    case removedFolder(DrivePath)
    case madeFolder(DrivePath)
    case setExecutable(DrivePath, [UInt8], Bool)
    /// Something lost its name there, and a pass was faster than the look at what it was.
    case replacedSomething(DrivePath)
}
