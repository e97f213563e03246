@testable import DriveCore
@testable import DriveTesting

extension FuzzTarget {
    /// What stands in columns of an index and in list chunks, each form by itself; the first byte chooses.
    static let parts = FuzzTarget(name: "parts", run: Parts.run, seeds: Parts.seeds)
}

private enum Parts {
    static func run(_ bytes: [UInt8]) throws {
        let rest = Array(bytes.dropFirst())
        switch (bytes.first ?? 0) % 6 {
        case 0: try comesBack(rest, RecordCodec.decodeContext, RecordCodec.encode(context:)) { _ in }
        case 1: try comesBack(rest, RecordCodec.decodeAttributes, RecordCodec.encode(attributes:)) { _ in }
        case 2:
            try comesBack(rest, RecordCodec.decodeHeads, RecordCodec.encode(heads:)) { heads in
                for head in heads { try Records.check(head.content) }
            }
        case 3: try comesBack(rest, RecordCodec.decodeLife, RecordCodec.encode(life:)) { _ in }
        case 4: try comesBack(rest, RecordCodec.decodeContent, RecordCodec.encode(content:), Records.check)
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
            let content = state.heads.first?.content ?? tables.content()
            return [
                [0] + RecordCodec.encode(context: state.context),
                [1] + RecordCodec.encode(attributes: state.attributes),
                [2] + RecordCodec.encode(heads: state.heads), [3] + RecordCodec.encode(life: state.life),
                [4] + RecordCodec.encode(content: content),
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
