/// What goes over the channel: four bytes of length, then so many bytes.
enum Frame {
    /// Texts are bounded by what the request allows; this only keeps a broken worker from filling memory.
    static let limit = 64 << 20
    static let headLength = 4

    static func length(_ head: [UInt8]) -> Int { head.reduce(0) { $0 << 8 | Int($1) } }

    static func wrap(_ body: [UInt8]) -> [UInt8] {
        precondition(body.count <= limit, "a frame is longer than any can be")
        return (0..<headLength).map { UInt8(truncatingIfNeeded: body.count >> ((headLength - 1 - $0) * 8)) } + body
    }
}

/// Bytes that are not what the protocol says.
package struct FrameBreach: Error {}

struct FrameWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ more: some Collection<UInt8>) {
        put(UInt32(more.count))
        bytes.append(contentsOf: more)
    }

    mutating func put(_ text: String) { put(text.utf8) }
}

struct FrameReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func number<Value: FixedWidthInteger>(_: Value.Type = Value.self) throws(FrameBreach) -> Value {
        let count = Value.bitWidth / 8
        guard rest.count >= count else { throw FrameBreach() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).reduce(Value.zero) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }

    mutating func bytes() throws(FrameBreach) -> ArraySlice<UInt8> {
        let count = Int(try number(UInt32.self))
        guard rest.count >= count else { throw FrameBreach() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func text() throws(FrameBreach) -> String {
        guard let text = String(validating: try bytes(), as: UTF8.self) else { throw FrameBreach() }
        return text
    }

    func end() throws(FrameBreach) {
        if !rest.isEmpty { throw FrameBreach() }
    }
}
