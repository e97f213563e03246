import DriveCore

/// One device of a simulation: the engine over a `MemoryFolder` and a `StoreView`, in the steps that it is made of.
///
/// Errors that a seam throws come out of the steps; a `simulatedCrash` means that the process is dead and `restart` is
/// next. Nothing else may throw it.
public protocol SimulatedDevice: AnyObject {
    /// What conflict copies call it.
    var label: String { get }
    var folder: MemoryFolder { get }
    /// Looks at the whole folder and records what changed here; returns the number of records.
    func scan() async throws(DriveError) -> Int
    /// Publishes what is recorded; `compacting` also rewrites the journal to one segment where that is allowed.
    func commit(compacting: Bool) async throws(DriveError)
    /// Joins what other devices published; only the journals of the labels, where some are given.
    func fetch(only labels: Set<String>?) async throws(DriveError)
    func apply() async throws(DriveError)
    /// Looks after the store: what is needed and not there, and what is there and not needed.
    func upkeep() async throws(DriveError)
    /// Counts another device as gone for good, which it need not be.
    func forget(_ other: any SimulatedDevice) async throws(DriveError)
    /// A new process over what the old one left on the disk, on a machine that was booted anew where power was cut.
    func restart(afterPowerCut: Bool) async throws(DriveError)
    /// What the joined state shows.
    func view() async throws(DriveError) -> SimulatedView
    /// Deletes that were made on it are held.
    var holdsDeletes: Bool { get }
    /// Decides about some of the deletes that are held, or about all; returns how many it lets through and takes back.
    func decide(_ generator: inout SeededGenerator, all: Bool) throws(DriveError) -> DecidedDeletes
    /// The next scan looks at all of the folder, whatever was touched: other rules hold from now on.
    func lookEverywhere()
    /// The same machine once more, over another folder; nil where that cannot be.
    func clone(_ setup: DeviceSetup) -> (any SimulatedDevice)?
    /// Keeps what an image of the whole machine would hold. False where that cannot be.
    func takeImage() -> Bool
    /// The machine is what it was when the image was taken, and starts again. False where there is none.
    func restoreImage() async throws(DriveError) -> Bool
}

extension SimulatedDevice {
    public var holdsDeletes: Bool { false }
    public func upkeep() async throws(DriveError) {}
    public func forget(_ other: any SimulatedDevice) async throws(DriveError) {}
    public func decide(_ generator: inout SeededGenerator, all: Bool) throws(DriveError) -> DecidedDeletes {
        DecidedDeletes()
    }
    public func lookEverywhere() {}
    public func clone(_ setup: DeviceSetup) -> (any SimulatedDevice)? { nil }
    public func takeImage() -> Bool { false }
    public func restoreImage() async throws(DriveError) -> Bool { false }
}

public struct DecidedDeletes: Hashable, Sendable {
    public var confirmed = 0
    public var restored = 0
    public var left = 0

    public init() {}
}

/// The view of a device, with the bytes that it stands for.
public struct SimulatedView: Sendable {
    public var tree: [DrivePath: TreeEntry]
    /// Conflict copies that nobody has touched, each with the name of what it is a copy of.
    public var derived: [DrivePath: FileName]
    /// Records that are not published yet.
    public var unpublished: Int

    public init(tree: [DrivePath: TreeEntry], derived: [DrivePath: FileName], unpublished: Int) {
        self.tree = tree
        self.derived = derived
        self.unpublished = unpublished
    }
}

/// What a device of a simulation is made over.
public struct DeviceSetup {
    public var number: Int
    public var label: String
    public var folder: MemoryFolder
    public var store: StoreView
    public var clock: SkewedClock
    public var entropy: SeededEntropy
    /// Scans look only where something was touched, after a first one everywhere.
    public var isWatching = false
    public var collection = CollectionRule()
    /// As `EngineOptions`: few on some devices, so that what is new is found in parts.
    public var groupRecords: Int
    /// As `EngineOptions`: few on some devices.
    public var applyPortion: Int
    /// As `EngineOptions`: nothing is too small to be kept on half of the devices.
    public var keptDownload: UInt64
    /// As `EngineOptions`: few on some devices, which tidy with nearly every commit.
    public var longJournal: Int
    public var rule = SimulatedRule()
    /// Nil where nobody has any.
    public var openFiles: OpenFiles?
    /// So many deletes an hour are not held; nil where none ever is.
    public var freeDeletes: Int?
    /// Told what the device does, for the trace; nil where nobody wants to know.
    public var note: ((String) -> Void)?

    /// Devices are called A, B, C...
    public init(number: Int, store: MemoryObjectStore, clock: ManualClock, skew: Int64 = 0, seed: UInt64) {
        self.number = number
        label = String(UnicodeScalar(UInt8(0x41 + number % 26)))
        folder = MemoryFolder(clock: clock)
        self.store = store.view(for: number)
        self.clock = clock.skewed(by: skew)
        let draw = SeededGenerator.mixed(seed &+ 0x2545_F491) ^ SeededGenerator.mixed(UInt64(number) &+ 0x4F6C_DD1D)
        groupRecords = draw % 2 == 0 ? 4_096 : 1 + Int((draw >> 8) % 4)
        applyPortion = (draw >> 40) % 2 == 0 ? 4_096 : 1 + Int((draw >> 44) % 3)
        keptDownload = (draw >> 32) % 2 == 0 ? 8 << 20 : 0
        longJournal = (draw >> 48) % 4 == 0 ? 2 + Int((draw >> 52) % 4) : 64
        // Mixed, not added: streams whose seeds differ by steps of the generator are one stream, shifted.
        entropy = SeededEntropy(
            seed: SeededGenerator.mixed(seed) ^ SeededGenerator.mixed(UInt64(number) &+ 0x5851_F42D))
    }
}

public typealias MakeDevice = (DeviceSetup) async throws(DriveError) -> any SimulatedDevice
