@testable import DriveCore
@testable import DriveTesting

extension FuzzTarget {
    /// What an index knows of journals, and what stands in list chunks; the first byte chooses.
    static let parts = FuzzTarget(name: "parts", run: Parts.run, seeds: Parts.seeds)
}

private enum Parts {
    static func run(_ bytes: [UInt8]) throws {
        let rest = Array(bytes.dropFirst())
        // 5 is how the corpus has had it ever since there were six.
        switch (bytes.first ?? 0) % 6 {
        case 0: try comesBack(rest, RecordCodec.decodeContext, RecordCodec.encode(context:)) { _ in }
        default:
            try comesBack(rest, ChunkListCodec.decode, ChunkListCodec.encode) { chunks in
                for chunk in chunks { try Records.check(chunk) }
            }
        }
    }

    static func seeds() -> [[UInt8]] {
        var tables = RandomTables(seed: 2)
        return (0..<4).flatMap { _ in
            let state = tables.state(tables.ids[10])
            return [
                [0] + RecordCodec.encode(context: state.context),
                [5] + ChunkListCodec.encode((0..<5).map { _ in tables.chunk() }),
            ]
        }
    }

    private static func comesBack<Value: Equatable>(
        _ bytes: [UInt8], _ decode: ([UInt8]) throws -> Value, _ encode: (Value) -> [UInt8],
        _ check: (Value) throws -> Void
    ) throws {
        guard let value = try? decode(bytes) else { return }
        try check(value)
        try require(try decode(encode(value)) == value, "a part comes back as it was")
    }
}
