/// Appends values in the forms of `docs/format.md`: fixed ones big-endian, counts and numbers as LEB128.
public struct ByteWriter {
    public private(set) var bytes: [UInt8] = []

    public init(reserving count: Int = 0) { bytes.reserveCapacity(count) }

    public mutating func byte(_ value: UInt8) { bytes.append(value) }

    public mutating func fixed(_ value: some FixedWidthInteger) { bytes.appendBigEndian(value) }

    public mutating func raw(_ value: some Sequence<UInt8>) { bytes.append(contentsOf: value) }

    /// Seven bits a byte, the low ones first.
    public mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    public mutating func count(_ value: Int) { varint(UInt64(value)) }

    /// Small for small distances in either direction.
    public mutating func signed(_ value: Int64) { varint(UInt64(bitPattern: (value << 1) ^ (value >> 63))) }

    /// How far `value` is from `reference`, modulo 2^64.
    public mutating func distance(_ value: UInt64, from reference: UInt64) {
        signed(Int64(bitPattern: value &- reference))
    }

    public mutating func hash(_ value: ContentHash) {
        fixed(value.words.0)
        fixed(value.words.1)
        fixed(value.words.2)
        fixed(value.words.3)
    }

    public mutating func item(_ value: ItemID) {
        fixed(value.high)
        fixed(value.low)
    }

    public mutating func device(_ value: DeviceID) {
        fixed(value.high)
        fixed(value.low)
    }

    /// With its length in front.
    public mutating func blob(_ value: [UInt8]) {
        count(value.count)
        bytes.append(contentsOf: value)
    }
}
