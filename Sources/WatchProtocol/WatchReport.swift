/// What the watcher tells the drive.
public enum WatchReport: WatchMessage {
    /// The first frame: the library is up and barriers can be asked for.
    case greeting(version: UInt16)
    /// Watches stand; sent again, about once a second at most, when one of the numbers has changed.
    case ready(watched: UInt32, unwatched: UInt32)
    /// Something about `name` in `folder` changed (path beneath the root; the root is empty); where the name is empty,
    /// anything in the folder may have.
    case touched(folder: [UInt8], name: [UInt8], isClosed: Bool)
    /// Events were lost: look everywhere.
    case rescan(reason: String)
    /// Everything that happened before `token` was asked for has been sent. `isSure` is false if that cannot be told.
    case barrier(token: UInt64, isSure: Bool)
    /// The watcher cannot work and ends.
    case failure(WatchFailure, message: String)

    public var kind: UInt8 {
        switch self {
        case .greeting: 1
        case .ready: 2
        case .touched: 3
        case .rescan: 4
        case .barrier: 5
        case .failure: 6
        }
    }

    public func encodePayload(into bytes: inout [UInt8]) {
        switch self {
        case .greeting(let version):
            bytes.append(contentsOf: Self.magic)
            bytes.appendInteger(version)
        case .ready(let watched, let unwatched):
            bytes.appendInteger(watched)
            bytes.appendInteger(unwatched)
        case .touched(let folder, let name, let isClosed):
            bytes.append(isClosed ? 1 : 0)
            bytes.appendInteger(UInt32(folder.count))
            bytes.append(contentsOf: folder)
            bytes.append(contentsOf: name)
        case .rescan(let reason):
            bytes.append(contentsOf: reason.utf8)
        case .barrier(let token, let isSure):
            bytes.appendInteger(token)
            bytes.append(isSure ? 1 : 0)
        case .failure(let failure, let message):
            bytes.append(failure.rawValue)
            bytes.append(contentsOf: message.utf8)
        }
    }

    public init(kind: UInt8, payload: ArraySlice<UInt8>) throws(MalformedFrame) {
        var reader = ByteReader(payload)
        switch kind {
        case 1:
            guard Array(try reader.take(Self.magic.count)) == Self.magic else { throw MalformedFrame("no greeting") }
            self = .greeting(version: try reader.integer())
        case 2: self = .ready(watched: try reader.integer(), unwatched: try reader.integer())
        case 3:
            let isClosed = try reader.flag()
            let folder = Array(try reader.take(Int(try reader.integer(UInt32.self))))
            self = .touched(folder: folder, name: reader.rest(), isClosed: isClosed)
        case 4: self = .rescan(reason: String(decoding: reader.rest(), as: UTF8.self))
        case 5: self = .barrier(token: try reader.integer(), isSure: try reader.flag())
        case 6:
            guard let failure = WatchFailure(rawValue: try reader.integer()) else {
                throw MalformedFrame("an unknown failure")
            }
            self = .failure(failure, message: String(decoding: reader.rest(), as: UTF8.self))
        default: throw MalformedFrame("a frame of unknown kind \(kind)")
        }
        // A later version may add fields to its greeting; only its number must be readable.
        if kind != 1 { try reader.finish() }
    }

    /// Sets `isClosed` in an encoded `touched` whose frame starts at `frame`.
    public static func markClosed(_ bytes: inout [UInt8], frame: Int) {
        bytes[frame + WatchProtocol.headerLength] = 1
    }

    private static let magic = Array("docdrive-watch".utf8)
}

/// Why the watcher cannot work.
public enum WatchFailure: UInt8, Hashable, Sendable, CaseIterable {
    /// The command line is wrong.
    case usage = 1
    /// The folder, or the control folder in it, cannot be opened.
    case folder = 2
    /// No inotify instance or no watch is to be had.
    case exhausted = 3
    /// inotify stopped working.
    case inotify = 4
}

extension ByteReader {
    mutating func flag() throws(MalformedFrame) -> Bool {
        switch try integer(UInt8.self) {
        case 0: false
        case 1: true
        default: throw MalformedFrame("a flag that is neither 0 nor 1")
        }
    }
}
