/// The tags of a file, as `user.xdg.tags` holds them: separated by commas, in the order in which they were given
/// (freedesktop.org, "Common Extended Attributes").
public struct TagList: Hashable, Sendable {
    public private(set) var tags: [String] = []

    public init() {}

    /// What is between commas, without spaces around it; each once, empty ones left out. Bytes that are no UTF-8 are shown
    /// with replacement characters.
    public init(bytes: [UInt8]) {
        for part in bytes.split(separator: UInt8(ascii: ",")) {
            add(Self.trimmed(String(decoding: part, as: UTF8.self)))
        }
    }

    /// Nil where there is none: then the file has no such attribute.
    public var bytes: [UInt8]? { tags.isEmpty ? nil : Array(tags.joined(separator: ",").utf8) }

    /// Nothing happens where it is there already.
    public mutating func add(_ tag: String) {
        if !tag.isEmpty, !tags.contains(tag) { tags.append(tag) }
    }

    public mutating func remove(_ tag: String) { tags.removeAll { $0 == tag } }

    /// Whether it can be written: 1 to 255 bytes without commas, control characters and spaces at the ends.
    public static func isValid(_ tag: String) -> Bool {
        (1...255).contains(tag.utf8.count) && trimmed(tag) == tag
            && !tag.unicodeScalars.contains { $0 == "," || $0.value < 0x20 || $0.value == 0x7F }
    }

    private static func trimmed(_ text: String) -> String {
        var rest = text[...]
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
