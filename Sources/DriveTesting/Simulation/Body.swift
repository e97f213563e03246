/// A content that a simulated person saved, by number: the bytes say which one they are, so that any bytes found
/// anywhere later are either one of these, whole, or damage.
public struct Body: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let number: Int

    /// Contents that are saved again and again, the empty file among them.
    static let shared = [Body(number: 0), Body(number: 1), Body(number: 2)]

    /// Numbers from `shared.count` on are used once.
    public init(number: Int) { self.number = number }

    /// Bytes of different lengths, none for the first number.
    public var bytes: [UInt8] {
        if number == 0 { return [] }
        if let parts { return Self.bytes(top: parts.top, bottom: parts.bottom) }
        return Array("content \(number)".utf8) + Array(repeating: 0x2E, count: number % 7) + [0x0A]
    }

    /// Nil for bytes that are no whole content.
    public init?(_ bytes: [UInt8]) {
        if bytes.isEmpty {
            number = 0
            return
        }
        if let pair = Self.pair(bytes) {
            self = pair
            return
        }
        var found = 0
        for byte in bytes.dropFirst(8) {
            guard (0x30...0x39).contains(byte), found < 1 << 40 else { break }
            found = found * 10 + Int(byte - 0x30)
        }
        number = found
        if self.bytes != bytes { return nil }
    }

    public var description: String {
        if let parts { return "c\(parts.top)+\(parts.bottom)" }
        return number == 0 ? "empty" : "c\(number)"
    }

    public static func < (a: Body, b: Body) -> Bool { a.number < b.number }
}

extension TreeEntry {
    /// The content of a file or link, if it is one that somebody saved.
    public var body: Body? {
        switch self {
        case .file(let bytes), .link(let bytes): Body(bytes)
        case .folder, .other: nil
        }
    }
}
