/// What the drive tells the watcher. Closing the channel means `stop`.
public enum WatchCommand: WatchMessage {
    /// Asks for a `WatchReport.barrier` with the same token.
    case barrier(token: UInt64)
    case stop

    public var kind: UInt8 {
        switch self {
        case .barrier: 1
        case .stop: 2
        }
    }

    public func encodePayload(into bytes: inout [UInt8]) {
        if case .barrier(let token) = self { bytes.appendInteger(token) }
    }

    public init(kind: UInt8, payload: ArraySlice<UInt8>) throws(MalformedFrame) {
        var reader = ByteReader(payload)
        switch kind {
        case 1: self = .barrier(token: try reader.integer())
        case 2: self = .stop
        default: throw MalformedFrame("a frame of unknown kind \(kind)")
        }
        try reader.finish()
    }
}

/// How the watcher ends.
public enum WatchExit {
    /// Asked to, by `stop` or a closed channel.
    public static let stopped: Int32 = 0
    public static let failed: Int32 = 1
    /// The library has gathered too much garbage: start the program again (EX_TEMPFAIL, sysexits.h).
    public static let restart: Int32 = 75
}
