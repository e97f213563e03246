public import DriveCore

/// What a command asks of the process that watches a drive; one JSON object in each frame.
public struct DriveRequest: Hashable, Sendable, Codable {
    public static let version = 1

    public var v = DriveRequest.version
    public var verb: Verb
    public var act: DriveAct?
    /// With `read`: look for damage first.
    public var isThorough: Bool?
    /// With `act`: how long to wait for whoever uses its items, in milliseconds; nil as long as it takes.
    public var patience: UInt64?
    /// The same for the drive itself, while that does something else.
    public var drivePatience: UInt64?
    /// With `act`, `sync` and `wait`: of the accesses that the asker is a part of, which are not waited for.
    public var purposes: Set<String>?
    /// With `purposes`: how those are held (`DriveCoordination.surroundings`), which tells a process of it that did not grant them.
    public var surroundings: String?
    /// With `wait`: only for what is here, as bytes; for everything if empty.
    public var paths: [[UInt8]]?

    public enum Verb: String, Hashable, Sendable, Codable {
        case sync, status, stop, subscribe, act, barrier, read, wait
        /// Documents that are not read yet are from now on; answered at once, with why none can be.
        case feed
        /// What failed is tried again now; answered at once.
        case retry
        /// From then on claims travel on the connection.
        case coordinate
    }

    public init(_ verb: Verb, act: DriveAct? = nil, isThorough: Bool? = nil, paths: [[UInt8]]? = nil) {
        self.verb = verb
        self.act = act
        self.isThorough = isThorough
        self.paths = paths
    }
}

/// What comes back: one answer, or for `subscribe` an event each, and for `wait` one for each change until the end.
public struct DriveReply: Hashable, Sendable, Codable {
    public var v = DriveRequest.version
    public var summary: SyncSummary?
    public var status: RunningStatus?
    public var event: EventReport?
    /// What an act did, line by line.
    public var lines: [String]?
    /// The same for programs.
    public var outcomes: [ActOutcome]?
    /// What is waited for.
    public var wait: WaitReport?
    public var error: ErrorReport?

    public init(
        summary: SyncSummary? = nil, status: RunningStatus? = nil, event: EventReport? = nil, lines: [String]? = nil,
        outcomes: [ActOutcome]? = nil, wait: WaitReport? = nil, error: ErrorReport? = nil
    ) {
        self.outcomes = outcomes
        self.summary = summary
        self.status = status
        self.event = event
        self.lines = lines
        self.wait = wait
        self.error = error
    }
}

/// An error on its way through a socket.
public struct ErrorReport: Hashable, Sendable, Codable {
    public var kind: String
    public var message: String
    public var path: String?

    public init(_ error: any Error) {
        let error = error as? DriveError ?? DriveError(.internalFault, "\(error)")
        kind = error.kind.rawValue
        message = error.message
        path = error.path
    }

    public var error: DriveError { DriveError(DriveError.Kind(rawValue: kind) ?? .internalFault, message, path: path) }
}

/// An event as JSON has it; a path that is not UTF-8 comes with its bytes.
public struct EventReport: Hashable, Sendable, Codable {
    public var v = 1
    public var type = "event"
    public var time: UInt64
    public var event: String
    public var path: String
    public var pathBase64: String?
    public var from: String?
    public var fromBase64: String?
    public var device: String?
    public var note: String?
    /// The number of the operation, and why it was: local, sync, resolve...
    public var operation: UInt64?
    public var cause: String?
    /// The contents before and after, as 64 hexadecimal digits.
    public var before: String?
    public var after: String?

    public init(_ event: DriveEvent) {
        time = event.time
        self.event = event.kind.rawValue
        path = event.path.description
        pathBase64 = event.path.base64IfNeeded
        from = event.from?.description
        fromBase64 = event.from?.base64IfNeeded
        device = event.device
        note = event.note
        operation = event.operation?.id
        cause = event.operation?.kind.rawValue
        before = event.before?.description
        after = event.after?.description
    }
}
