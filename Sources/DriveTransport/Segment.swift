import DriveCompression
import DriveCore

/// A piece of a journal: records `low` to `high` of one device, or what compaction left of them.
enum Segment {
    /// Where a writer begins the next segment, in bytes before compression.
    static let target = 4 << 20
    /// What a reader accepts at most, decoded.
    static let maximum = 64 << 20

    /// The object's bytes and its entry in the head.
    static func seal(
        _ encoder: RecordEncoder, _ name: SegmentName, _ zstd: Zstd
    ) throws(DriveError) -> (bytes: [UInt8], reference: SegmentReference) {
        let records = encoder.finish()
        var writer = ByteWriter()
        writer.device(name.device)
        writer.fixed(name.low)
        writer.fixed(name.high)
        writer.fixed(UInt32(encoder.records))
        writer.fixed(UInt32(records.count))
        writer.raw(try zstd.compress(records, level: 3))
        let bytes = Envelope.seal(.segment, writer.bytes)
        let reference = SegmentReference(
            low: name.low, high: name.high, key: name.key, size: UInt64(bytes.count), hash: .sha256(bytes),
            records: UInt32(encoder.records))
        return (bytes, reference)
    }

    /// Nil where the bytes are not those that the head names.
    static func verify(_ bytes: [UInt8], _ reference: SegmentReference) -> Bool {
        UInt64(bytes.count) == reference.size && ContentHash.sha256(bytes) == reference.hash
    }

    static func records(_ bytes: [UInt8]) throws(DriveError) -> [ItemState] {
        guard let body = try Envelope.open(.segment, bytes) else {
            throw DriveError(.corrupt, "A segment of a journal is damaged")
        }
        var reader = ByteReader(body)
        _ = try reader.device()
        _ = try reader.raw(16)
        let count = try reader.fixed(UInt32.self)
        let size = try reader.fixed(UInt32.self)
        guard size <= maximum else { throw DriveError(.corrupt, "A segment of a journal is too large") }
        let packed = try reader.raw(reader.remaining)
        let records = try RecordCodec.decodeAll(try Zstd().decompress(packed, size: Int(size)))
        guard records.count == Int(count) else { throw DriveError(.corrupt, "A segment lacks records") }
        for record in records {
            if let flaw = record.flaw { throw DriveError(.corrupt, "Stored data breaks its format (\(flaw))") }
        }
        return records
    }
}

/// Verified, and decoded only when asked.
struct StoredSegment: FetchedSegment {
    let bytes: [UInt8]

    func records() throws(DriveError) -> [ItemState] { try Segment.records(bytes) }
}
