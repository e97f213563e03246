/// Takes values off the front of a payload; running out is an error, never a trap.
struct ByteReader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var count: Int { bytes.count }

    mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(
        _: Value.Type = Value.self
    ) throws(MalformedFrame) -> Value {
        let size = Value.bitWidth / 8
        var value: Value = 0
        for (index, byte) in try take(size).enumerated() { value |= Value(byte) << (8 * index) }
        return value
    }

    mutating func take(_ length: Int) throws(MalformedFrame) -> ArraySlice<UInt8> {
        guard length >= 0, length <= bytes.count else { throw MalformedFrame("a frame that ends too early") }
        defer { bytes = bytes.dropFirst(length) }
        return bytes.prefix(length)
    }

    mutating func rest() -> [UInt8] {
        defer { bytes = [] }
        return Array(bytes)
    }

    func finish() throws(MalformedFrame) {
        guard bytes.isEmpty else { throw MalformedFrame("\(bytes.count) bytes after the end of a message") }
    }
}

extension [UInt8] {
    mutating func appendInteger(_ value: some FixedWidthInteger & UnsignedInteger) {
        for index in 0..<value.bitWidth / 8 { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}
