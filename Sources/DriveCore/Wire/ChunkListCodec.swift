/// The inside of a list chunk: the chunks of a content that has more than a record may name.
public enum ChunkListCodec {
    public static let version: UInt8 = 1
    /// About a tebibyte.
    public static let maximumChunks = 1 << 20
    /// No list of that many chunks is longer.
    public static let maximumBytes = 96 << 20

    public static func encode(_ chunks: [ChunkReference]) -> [UInt8] {
        var writer = ByteWriter(reserving: chunks.count * 48 + 8)
        var context = WireContext()
        writer.byte(version)
        writer.count(chunks.count)
        for chunk in chunks { writer.chunk(chunk, withIdentity: true, &context) }
        return writer.bytes
    }

    public static func decode(_ bytes: [UInt8]) throws(DriveError) -> [ChunkReference] {
        var reader = ByteReader(bytes)
        guard try reader.byte() == version else {
            throw DriveError(.newerFormat, "A list of chunks has a newer version; update this program to read it")
        }
        var context = WireContext()
        var result: [ChunkReference] = []
        for _ in 0..<(try reader.count(limit: maximumChunks, each: 36)) {
            result.append(try reader.chunk(identity: nil, &context))
        }
        try reader.expectEnd()
        return result
    }
}
