/// The tags of a file, as `user.xdg.tags` holds them: separated by commas, in the order in which they were given
/// (freedesktop.org, "Common Extended Attributes").
public struct TagList: Hashable, Sendable {
    private var parts: [[UInt8]] = []

    public init() {}

    /// What is between commas, without spaces around it; each once, empty ones left out.
    public init(bytes: [UInt8]) {
        for part in bytes.split(separator: UInt8(ascii: ",")) {
            if let text = String(validating: part, as: UTF8.self) {
                add(Self.trimmed(text))
            } else {
                add(part: Self.trimmed(part))
            }
        }
    }

    /// As they are shown: bytes that are no UTF-8 as replacement characters.
    public var tags: [String] { parts.map { String(decoding: $0, as: UTF8.self) } }

    /// Those that are UTF-8. No text names any other, which stay as the bytes that they are.
    public var texts: [String] { parts.compactMap { String(validating: $0, as: UTF8.self) } }

    /// Nil where there is none: then the file has no such attribute.
    public var bytes: [UInt8]? { parts.isEmpty ? nil : Array(parts.joined(separator: [UInt8(ascii: ",")])) }

    /// Nothing happens where it is there already.
    public mutating func add(_ tag: String) {
        if !tag.isEmpty, !texts.contains(tag) { parts.append(Array(tag.utf8)) }
    }

    public mutating func remove(_ tag: String) { parts.removeAll { String(validating: $0, as: UTF8.self) == tag } }

    private mutating func add(part: [UInt8]) {
        if !parts.contains(part) { parts.append(part) }
    }

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

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var rest = bytes
        while rest.first == 0x20 { rest.removeFirst() }
        while rest.last == 0x20 { rest.removeLast() }
        return Array(rest)
    }
}
