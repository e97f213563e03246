/// What both ends agree on. A frame is its payload's length (32 bits, little-endian), a kind (one byte), the payload;
/// the length counts the payload only.
public enum WatchProtocol {
    /// Raised when a frame changes its meaning; the drive refuses a watcher of another version.
    public static let version: UInt16 = 2
    /// Longer payloads are taken for garbage. A folder whose path is longer cannot be named; the watcher asks for a
    /// rescan instead.
    public static let maximumPayload = 1 << 20
    static let headerLength = 5
}

/// The other end does not speak this protocol.
public struct MalformedFrame: Error, Hashable, Sendable {
    public var message: String
    init(_ message: String) { self.message = message }
}

/// A message that travels as one frame.
public protocol WatchMessage: Hashable, Sendable {
    var kind: UInt8 { get }
    func encodePayload(into bytes: inout [UInt8])
    init(kind: UInt8, payload: ArraySlice<UInt8>) throws(MalformedFrame)
}

extension WatchMessage {
    /// Appends the whole frame.
    public func encode(into bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.appendInteger(0 as UInt32)
        bytes.append(kind)
        encodePayload(into: &bytes)
        let length = UInt32(bytes.count - start - WatchProtocol.headerLength)
        for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(index))) }
    }
}

/// Cuts a byte stream into messages, however the stream was chopped up. After it has thrown, the stream has no
/// boundaries left: close it.
public struct FrameDecoder<Message: WatchMessage>: Sendable {
    private var bytes: [UInt8] = []
    private var start = 0

    public init() {}

    public mutating func append(_ more: some Sequence<UInt8>) {
        if start > 1 << 16, start * 2 > bytes.count {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// The next whole message, or nil until more bytes are here.
    public mutating func next() throws(MalformedFrame) -> Message? {
        var header = ByteReader(bytes[start...])
        guard header.count >= WatchProtocol.headerLength else { return nil }
        let length = Int(try header.integer(UInt32.self))
        let kind = try header.integer(UInt8.self)
        guard length <= WatchProtocol.maximumPayload else { throw MalformedFrame("a frame of \(length) bytes") }
        guard header.count >= length else { return nil }
        let payload = start + WatchProtocol.headerLength
        let message = try Message(kind: kind, payload: bytes[payload..<payload + length])
        start = payload + length
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
            start = 0
        }
        return message
    }
}
