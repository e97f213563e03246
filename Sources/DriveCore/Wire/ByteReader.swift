/// Reads what `ByteWriter` wrote. Bytes come from stores that anybody may have written, so nothing here traps: what
/// does not fit throws `corrupt`, and no count makes it reserve more than the bytes at hand could fill.
public struct ByteReader {
    private let bytes: [UInt8]
    public private(set) var place: Int
    private let end: Int

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        place = 0
        end = bytes.count
    }

    public var remaining: Int { end - place }
    public var isAtEnd: Bool { place == end }

    public mutating func byte() throws(DriveError) -> UInt8 {
        guard place < end else { throw .truncatedData }
        defer { place += 1 }
        return bytes[place]
    }

    /// Of at most eight bytes. Inlined: elsewhere the types would be found out at each call, which took longer than all the rest of
    /// reading a row.
    @inlinable
    public mutating func fixed<Value: FixedWidthInteger>(_: Value.Type) throws(DriveError) -> Value {
        Value(truncatingIfNeeded: try bigEndian(Value.bitWidth / 8))
    }

    @usableFromInline
    mutating func bigEndian(_ length: Int) throws(DriveError) -> UInt64 {
        guard remaining >= length else { throw .truncatedData }
        defer { place += length }
        var value: UInt64 = 0
        for offset in place..<place + length { value = value << 8 | UInt64(bytes[offset]) }
        return value
    }

    public mutating func raw(_ count: Int) throws(DriveError) -> [UInt8] {
        guard count >= 0, remaining >= count else { throw .truncatedData }
        defer { place += count }
        return Array(bytes[place..<place + count])
    }

    public mutating func varint() throws(DriveError) -> UInt64 {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte()
            let part = UInt64(byte & 0x7F)
            guard shift < 63 || part <= 1 else { throw .malformed("a number has more than 64 bits") }
            result |= part << shift
            if byte & 0x80 == 0 { return result }
            shift += 7
            guard shift <= 63 else { throw .malformed("a number has more than 64 bits") }
        }
    }

    public mutating func number<Value: FixedWidthInteger>(_: Value.Type) throws(DriveError) -> Value {
        guard let value = Value(exactly: try varint()) else { throw .malformed("a number is too large") }
        return value
    }

    /// A number of elements of which each takes at least `each` bytes.
    public mutating func count(limit: Int, each: Int = 1) throws(DriveError) -> Int {
        let value = try varint()
        guard value <= UInt64(limit), value <= UInt64(remaining / each) else {
            throw .malformed("a count is too large")
        }
        return Int(value)
    }

    public mutating func signed() throws(DriveError) -> Int64 {
        let value = try varint()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    public mutating func distance(from reference: UInt64) throws(DriveError) -> UInt64 {
        reference &+ UInt64(bitPattern: try signed())
    }

    public mutating func hash() throws(DriveError) -> ContentHash {
        ContentHash(
            words: (
                try fixed(UInt64.self), try fixed(UInt64.self), try fixed(UInt64.self), try fixed(UInt64.self)
            ))
    }

    public mutating func item() throws(DriveError) -> ItemID {
        ItemID(high: try fixed(UInt64.self), low: try fixed(UInt64.self))
    }

    public mutating func device() throws(DriveError) -> DeviceID {
        DeviceID(high: try fixed(UInt64.self), low: try fixed(UInt16.self))
    }

    public mutating func blob(limit: Int) throws(DriveError) -> [UInt8] {
        try raw(try count(limit: limit))
    }

    public func expectEnd() throws(DriveError) {
        guard isAtEnd else { throw .malformed("bytes are left over") }
    }
}

extension DriveError {
    static var truncatedData: DriveError { malformed("it ends too early") }

    static func malformed(_ reason: String) -> DriveError {
        DriveError(.corrupt, "Stored data breaks its format (\(reason))")
    }
}
