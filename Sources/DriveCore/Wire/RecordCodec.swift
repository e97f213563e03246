/// Item states as bytes: many in one encoding with shared tables (the inside of a segment), or one, or what somebody knows of
/// journals. All begin with a version byte; see `docs/format.md`.
///
/// What is decoded equals what was encoded, attributes with unknown keys included. Decoding throws `corrupt` for bytes
/// that nobody wrote so, and `newerFormat` for a later version.
public enum RecordCodec {
    public static let version: UInt8 = 1

    public static func encode(_ states: [ItemState]) -> [UInt8] {
        var encoder = RecordEncoder()
        for state in states { encoder.append(state) }
        return encoder.finish()
    }

    public static func decodeAll(_ bytes: [UInt8]) throws(DriveError) -> [ItemState] {
        var reader = try reader(bytes)
        var context = WireContext()
        var result: [ItemState] = []
        while !reader.isAtEnd {
            guard result.count < WireLimits.records else { throw .malformed("too many records") }
            result.append(try reader.state(&context))
        }
        return result
    }

    public static func encode(_ state: ItemState) -> [UInt8] { encode([state]) }

    public static func decode(_ bytes: [UInt8]) throws(DriveError) -> ItemState {
        try whole(bytes) { reader, context throws(DriveError) in try reader.state(&context) }
    }

    public static func encode(context vector: DeviceVector) -> [UInt8] {
        var writer = ByteWriter(reserving: 16)
        var context = WireContext()
        writer.byte(version)
        writer.vector(vector, &context)
        return writer.bytes
    }

    public static func decodeContext(_ bytes: [UInt8]) throws(DriveError) -> DeviceVector {
        try whole(bytes) { reader, context throws(DriveError) in try reader.vector(&context) }
    }

    private static func reader(_ bytes: [UInt8]) throws(DriveError) -> ByteReader {
        var reader = ByteReader(bytes)
        let found = try reader.byte()
        guard found >= 1 else { throw .malformed("records of no version") }
        guard found <= version else {
            throw DriveError(
                .newerFormat, "Records have version \(found), this program knows \(version); update it to go on")
        }
        return reader
    }

    private static func whole<Value>(
        _ bytes: [UInt8], _ read: (inout ByteReader, inout WireContext) throws(DriveError) -> Value
    ) throws(DriveError) -> Value {
        var reader = try reader(bytes)
        var context = WireContext()
        let value = try read(&reader, &context)
        try reader.expectEnd()
        return value
    }
}

/// Writes records one after the other, so that a writer can stop at a size. The records read back the same wherever the
/// cut between two encodings is.
public struct RecordEncoder {
    private var writer = ByteWriter(reserving: 1 << 10)
    private var context = WireContext()
    public private(set) var records = 0

    public init() { writer.byte(RecordCodec.version) }

    public var size: Int { writer.bytes.count }

    public mutating func append(_ state: ItemState) {
        writer.state(state, &context)
        records += 1
    }

    public func finish() -> [UInt8] { writer.bytes }
}
