/// What a pass found in the way of one item; kept until a pass that looks there again finds it gone.
public struct Obstacle: Hashable, Sendable {
    public var path: DrivePath
    public var cause: Cause
    /// When it was met first, in milliseconds since 1970.
    public var since: UInt64

    public init(_ path: DrivePath, _ cause: Cause, since: UInt64 = 0) {
        self.path = path
        self.cause = cause
        self.since = since
    }
}

/// What is in the way of the whole drive: the last pass ended with it. Kept until one ends well.
public struct Trouble: Hashable, Sendable, Codable {
    public var kind: DriveError.Kind
    /// What happened, and what to do if anything.
    public var message: String
    public var path: String?
    /// For who tells programs of it: what the path is in base64 (RFC 4648), where it is no text.
    public var pathBase64: String?
    /// It is the folder, its disk or its index; otherwise the store.
    public var isHere: Bool
    /// When it came first and last, in milliseconds since 1970.
    public var since: UInt64
    public var last: UInt64
    public var attempts: Int

    public init(_ error: DriveError, isHere: Bool, now: UInt64) {
        (kind, message, path, self.isHere) = (error.kind, error.message, error.path, isHere)
        (since, last, attempts) = (now, now, 1)
    }

    /// The same thing once more.
    public func again(_ later: Trouble) -> Trouble {
        guard kind == later.kind, isHere == later.isHere else { return later }
        var result = later
        result.since = since
        result.attempts = attempts + 1
        return result
    }

    public var error: DriveError { DriveError(kind, message, path: path) }

    public var cause: Cause {
        switch kind {
        case .noSpace: isHere ? .diskFull : .storeFull
        case .permissionDenied: isHere ? .notWritable : .storeDenied
        case .notAuthenticated, .objectDenied: .storeDenied
        case .tooLarge: .tooLargeForStore
        case .newerFormat: .storeNewer
        case .corrupt: .storeDamaged
        case .unreachable, .refused, .notFound: isHere ? .stopped : .storeUnreachable
        // Of this machine, whatever it was needed for.
        case .exhausted: .exhausted
        case .temporary, .objectFailed: isHere ? .otherProcess : .storeBusy
        case .inputOutput: isHere ? .diskError : .storeUnreachable
        case .unfit, .unmovable, .readOnly, .identityChanged, .usage, .needsDecision, .internalFault: .stopped
        }
    }

    /// The store may give all the same.
    public var isOfSending: Bool {
        !isHere && [.noSpace, .tooLarge, .refused, .permissionDenied, .readOnly].contains(kind)
    }

    /// Of the index.
    public static let settingName = "trouble"
}

/// Nothing is sent or brought until somebody resumes, or until a time.
public struct Pause: Hashable, Sendable, Codable {
    /// Milliseconds since 1970.
    public var since: UInt64
    public var until: UInt64?

    public init(since: UInt64, until: UInt64? = nil) {
        self.since = since
        self.until = until
    }

    /// Where the clock was set back by more than it was to last, it was wrong then, or is now; the pause is over.
    /// For whatever times a file claims.
    public func holds(at now: UInt64) -> Bool {
        guard let until else { return true }
        return now < until && (since <= now || since - now <= until - min(since, until))
    }
}

extension DriveError.Kind: Codable {
    /// Waiting may mend it.
    public var mayPass: Bool {
        switch self {
        case .unreachable, .temporary, .exhausted, .noSpace, .notFound, .permissionDenied, .notAuthenticated,
            .tooLarge, .refused, .objectFailed, .objectDenied, .unfit, .unmovable, .inputOutput:
            true
        case .corrupt, .readOnly, .newerFormat, .identityChanged, .usage, .needsDecision, .internalFault: false
        }
    }
}
