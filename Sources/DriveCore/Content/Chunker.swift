import Crypto

/// Finds the ends of chunks in a stream of bytes: FastCDC with a gear table and normalised chunking.
///
/// Xia et al., "FastCDC: a Fast and Efficient Content-Defined Chunking Approach for Data Deduplication" (2016). The
/// parameters and the table belong to format 1, because the hash of a large content depends on where it is cut.
public struct Chunker: Sendable {
    /// No chunk but the last of a content is shorter.
    public static let minimum = 256 << 10
    /// Where the condition for a cut becomes easier.
    public static let average = 1 << 20
    public static let maximum = 4 << 20

    /// Below these values of the rolling hash a chunk ends: 22 leading zero bits up to `average`, then 18.
    private static let strictLimit = UInt64(1) << 42
    private static let easyLimit = UInt64(1) << 46

    /// The first 8 bytes, big-endian, of the SHA-256 of `docdrive/1 gear`, a zero byte and the index as one byte.
    static let table: [UInt64] = (0...255).map { index in
        ContentHash(SHA256.hash(data: Array("docdrive/1 gear\u{0}".utf8) + [UInt8(index)])).words.0
    }

    /// Bytes of the current chunk so far.
    public private(set) var length = 0
    private var rolling: UInt64 = 0

    public init() {}

    /// How many of the bytes, which continue the stream, complete the current chunk; nil where all of them belong to
    /// it and it goes on. After a cut the rest of the bytes is to be given again.
    public mutating func cut(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        let start = base.assumingMemoryBound(to: UInt8.self)
        // The chunk's offset `length + i` belongs to byte `i`.
        let origin = length
        let end = min(bytes.count, Self.maximum - origin)
        let found = Self.table.withUnsafeBufferPointer { table -> Int? in
            let gear = table.baseAddress!
            let first = max(0, Self.minimum - origin)
            let middle = min(end, max(first, Self.average - origin))
            return Self.scan(start, first, middle, &rolling, gear, below: Self.strictLimit)
                ?? Self.scan(start, middle, end, &rolling, gear, below: Self.easyLimit)
        }
        let taken = found ?? end
        if found != nil || origin + taken == Self.maximum {
            length = 0
            rolling = 0
            return taken
        }
        length = origin + taken
        return nil
    }

    @inline(__always)
    private static func scan(
        _ bytes: UnsafePointer<UInt8>, _ first: Int, _ end: Int, _ rolling: inout UInt64,
        _ gear: UnsafePointer<UInt64>, below limit: UInt64
    ) -> Int? {
        var hash = rolling
        var place = first
        // Two bytes a step make a chain of one addition a byte, and eight a turn hide the loop's own cost.
        while place &+ 8 <= end {
            let gear0 = gear[Int(bytes[place])]
            let pair0 = (gear0 &<< 1) &+ gear[Int(bytes[place &+ 1])]
            if (hash &<< 1) &+ gear0 < limit { return place &+ 1 }
            hash = (hash &<< 2) &+ pair0
            if hash < limit { return place &+ 2 }
            let gear2 = gear[Int(bytes[place &+ 2])]
            let pair2 = (gear2 &<< 1) &+ gear[Int(bytes[place &+ 3])]
            if (hash &<< 1) &+ gear2 < limit { return place &+ 3 }
            hash = (hash &<< 2) &+ pair2
            if hash < limit { return place &+ 4 }
            let gear4 = gear[Int(bytes[place &+ 4])]
            let pair4 = (gear4 &<< 1) &+ gear[Int(bytes[place &+ 5])]
            if (hash &<< 1) &+ gear4 < limit { return place &+ 5 }
            hash = (hash &<< 2) &+ pair4
            if hash < limit { return place &+ 6 }
            let gear6 = gear[Int(bytes[place &+ 6])]
            let pair6 = (gear6 &<< 1) &+ gear[Int(bytes[place &+ 7])]
            if (hash &<< 1) &+ gear6 < limit { return place &+ 7 }
            hash = (hash &<< 2) &+ pair6
            if hash < limit { return place &+ 8 }
            place &+= 8
        }
        while place < end {
            hash = (hash &<< 1) &+ gear[Int(bytes[place])]
            place &+= 1
            if hash < limit { return place }
        }
        rolling = hash
        return nil
    }
}
