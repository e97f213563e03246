import DriveCompression
@testable import DriveCore
@testable import DriveTesting
@testable import DriveTransport

extension FuzzTarget {
    /// Segments of journals. No search finds a SHA-256, so the first byte tells how much of an honest object the rest is:
    /// all of it, the body of an envelope, or the records, which are then compressed and counted.
    static let segments = FuzzTarget(name: "segments", run: Segments.run, seeds: Segments.seeds)
}

private enum Segments {
    static func run(_ bytes: [UInt8]) throws {
        let rest = Array(bytes.dropFirst())
        let object: [UInt8]
        switch (bytes.first ?? 0) % 3 {
        case 0: object = rest
        case 1: object = Envelope.seal(.segment, rest)
        default: object = try sealed(rest)
        }
        do {
            let records = try Segment.records(object)
            for record in records {
                try Records.check(record)
                try require(record.flaw == nil, "no record has a flaw")
            }
        } catch let error as DriveError {
            try require(error.kind == .corrupt || error.kind == .newerFormat, "a segment is damaged or newer")
        }
    }

    static func seeds() throws -> [[UInt8]] {
        var tables = RandomTables(seed: 3)
        return try (1...6).flatMap { number in
            var encoder = RecordEncoder()
            for _ in 0..<number { encoder.append(tables.state(tables.random.choice(tables.ids))) }
            let name = SegmentName(device: tables.devices[0], low: 1, high: 9, generation: 1, nonce: 2)
            let (object, _) = try Segment.seal(encoder, name, Zstd())
            let body = try Envelope.open(.segment, object) ?? []
            return [[0] + object, [1] + body, [2] + encoder.finish()]
        }
    }

    /// As `Segment.seal` does.
    private static func sealed(_ records: [UInt8]) throws -> [UInt8] {
        var writer = ByteWriter()
        writer.device(DeviceID(high: 1, low: 2))
        writer.fixed(UInt64(1))
        writer.fixed(UInt64(9))
        writer.fixed(UInt32((try? RecordCodec.decodeAll(records).count) ?? 0))
        writer.fixed(UInt32(records.count))
        writer.raw(try Zstd().compress(records, level: 1))
        return Envelope.seal(.segment, writer.bytes)
    }
}
