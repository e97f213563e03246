import Crypto

/// Computes the identity of a content while it streams by: SHA-256 of the bytes where they are one chunk, else SHA-256
/// over `docdrive/1 chunks`, a zero byte, and for each chunk its id and its length as four bytes, big-endian.
///
/// Keeps no bytes. Of the empty content: SHA-256 of nothing.
public struct ContentHasher: ContentDigest {
    private var chunker = Chunker()
    private var chunk = SHA256()
    private var list = ChunkListHash()
    private var size: UInt64 = 0

    public init() {}

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        size += UInt64(bytes.count)
        var place = 0
        while place < bytes.count {
            // Pieces that stay in the cache between the search for a cut and SHA-256.
            let end = min(place + Self.piece, bytes.count)
            let rest = UnsafeRawBufferPointer(rebasing: bytes[place..<end])
            let length = chunker.length
            guard let cut = chunker.cut(rest) else {
                chunk.update(bufferPointer: rest)
                place = end
                continue
            }
            chunk.update(bufferPointer: UnsafeRawBufferPointer(rebasing: rest[..<cut]))
            list.append(ContentHash(chunk.finalize()), length: UInt32(length + cut))
            chunk = SHA256()
            place += cut
        }
    }

    /// Ends the content; the hasher is spent.
    public mutating func finish() -> (hash: ContentHash, size: UInt64) {
        if chunker.length > 0 || list.count == 0 {
            list.append(ContentHash(chunk.finalize()), length: UInt32(chunker.length))
        }
        return (list.finish(), size)
    }

    /// Of bytes at hand; also of the target of a link.
    public static func hash(of bytes: [UInt8]) -> ContentHash {
        bytes.withUnsafeBytes { hash(of: $0) }
    }

    public static func hash(of bytes: UnsafeRawBufferPointer) -> ContentHash {
        if bytes.count <= Chunker.minimum { return .sha256(bytes) }
        var hasher = ContentHasher()
        hasher.update(bytes)
        return hasher.finish().hash
    }

    /// A link's content is its target, and never so long that it were cut (`PATH_MAX`).
    public static func hash(ofLinkTarget target: [UInt8]) -> ContentHash { hash(of: target) }

    private static let piece = 64 << 10
}

/// From the chunks of a content, in order, to the content's hash.
public struct ChunkListHash {
    public private(set) var count = 0
    private var only: ContentHash?
    private var onlyLength: UInt32 = 0
    private var hasher = SHA256()

    public init() {}

    public mutating func append(_ id: ContentHash, length: UInt32) {
        count += 1
        if count == 1 {
            only = id
            onlyLength = length
            return
        }
        if let first = only {
            hasher.update(data: Array("docdrive/1 chunks\u{0}".utf8))
            add(first, onlyLength)
            only = nil
        }
        add(id, length)
    }

    /// Only after at least one chunk.
    public func finish() -> ContentHash { only ?? ContentHash(hasher.finalize()) }

    private mutating func add(_ id: ContentHash, _ length: UInt32) {
        let words = (
            id.words.0.bigEndian, id.words.1.bigEndian, id.words.2.bigEndian, id.words.3.bigEndian
        )
        withUnsafeBytes(of: words) { hasher.update(bufferPointer: $0) }
        withUnsafeBytes(of: length.bigEndian) { hasher.update(bufferPointer: $0) }
    }
}

extension ContentHash {
    public init(_ digest: SHA256.Digest) {
        self = digest.withUnsafeBytes { bytes in
            func word(_ place: Int) -> UInt64 {
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self))
            }
            return ContentHash(words: (word(0), word(1), word(2), word(3)))
        }
    }

    /// Plain SHA-256 of bytes that are one chunk whatever their length.
    public static func sha256(_ bytes: UnsafeRawBufferPointer) -> ContentHash {
        var hasher = SHA256()
        hasher.update(bufferPointer: bytes)
        return ContentHash(hasher.finalize())
    }

    public static func sha256(_ bytes: [UInt8]) -> ContentHash { bytes.withUnsafeBytes { sha256($0) } }
}
