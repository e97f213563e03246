public import DriveCore
import Synchronization

/// How a watching drive stands, for `status`.
public struct RunningStatus: Hashable, Sendable, Codable {
    public var process: Int32 = 0
    /// What it does now: `scan`, `commit`, `fetch`, `apply`, `compact`, or `idle`.
    public var phase = "idle"
    /// Folders that are watched, and those that are only looked at now and then.
    public var watched = 0
    public var unwatched = 0
    /// The store tells at once when it has news; otherwise it is asked every few seconds.
    public var hasStoreHints = false
    /// What kind of error keeps things from going on at the moment.
    public var trouble: DriveError.Kind?
    /// The same as a sentence.
    public var waitsFor: String?
    /// Milliseconds since 1970.
    public var waitsSince: UInt64?
    public var nextTry: UInt64?
    /// What a call to the store met that is made again soon.
    public var storeWait: Trouble?
    /// What ended the last pass, where the index, which cannot be written, does not have it.
    public var unnotedTrouble: Trouble?
    /// When what was being written, or kept changing, is looked at again.
    public var nextLook: UInt64?
    /// Nothing is sent or brought.
    public var pause: Pause?
    /// Why no documents are read for searches at the moment.
    public var documentsWaitFor: String?
    /// When folder and store were last found in step.
    public var lastInStep: UInt64?
    /// Who has what through a coordinated access.
    public var uses: [ItemUse]?

    public init() {}
}

extension RunningStatus {
    /// Told while a pass goes on: a store that does not answer is named long before the pass ends with it. Whether it is to be
    /// announced: what is over in a moment is not.
    package mutating func note(_ wait: StoreWait?, now: UInt64) -> Bool {
        waitsFor = wait?.error.description
        nextTry = wait?.until
        guard let wait else {
            storeWait = nil
            return false
        }
        var met = Trouble(wait.error, isHere: false, now: now)
        met.since = wait.since
        storeWait = storeWait?.again(met) ?? met
        guard trouble != wait.error.kind, now > wait.since + Self.moment else { return false }
        trouble = wait.error.kind
        waitsSince = wait.since
        return true
    }

    /// In milliseconds.
    private static let moment: UInt64 = 20_000
}

/// Where the running parts write how they stand, and anybody may read it.
public final class StatusBoard: Sendable {
    private let board = Mutex(RunningStatus())

    public init() {}

    public var status: RunningStatus { board.withLock { $0 } }

    public func update<Result: Sendable>(_ change: @Sendable (inout RunningStatus) -> Result) -> Result {
        board.withLock { change(&$0) }
    }
}
