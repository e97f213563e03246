/// The identity of a content, 32 bytes: SHA-256 of the bytes where they are one chunk, else SHA-256 over the list of
/// chunk ids (see `ContentHasher`). Equal hashes mean equal bytes.
///
/// In a drive without a store, a fingerprint stands in its place (`ContentDigest`).
public struct ContentHash: Hashable, Comparable, Sendable {
    public var words: (UInt64, UInt64, UInt64, UInt64)

    public init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    /// Takes exactly 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        words = bytes.withUnsafeBytes { bytes in
            let word = { UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)) }
            return (word(0), word(8), word(16), word(24))
        }
    }

    /// Takes exactly 32 bytes.
    public init?(bytes: some Collection<UInt8>) { self.init(bytes: Array(bytes)) }

    public var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
        }
    }

    public static func == (a: Self, b: Self) -> Bool { a.words == b.words }
    public static func < (a: Self, b: Self) -> Bool { a.words < b.words }
    public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

extension ContentHash: CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    public var description: String {
        words.0.hexadecimal + words.1.hexadecimal + words.2.hexadecimal + words.3.hexadecimal
    }
}

/// A point in time of a file system, exactly: `Date` loses about 300 ns, which would make every file look changed.
public struct FileTime: Hashable, Comparable, Sendable {
    public var seconds: Int64
    public var nanoseconds: UInt32

    public init(seconds: Int64, nanoseconds: UInt32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    public static func < (a: FileTime, b: FileTime) -> Bool {
        (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
    }
}

/// The name of an object on a store, such as `pack/<device>/<nonce>`: see `docs/format.md`.
public typealias ObjectKey = String

/// Where a chunk's bytes lie on the store.
public struct ChunkReference: Hashable, Sendable {
    /// SHA-256 of the plain bytes.
    public var id: ContentHash
    /// Length of the plain bytes.
    public var length: UInt32
    public var object: ObjectKey
    /// Where the stored form begins in the object, and how long it is there; shorter than `length` when compressed.
    public var offset: UInt64
    public var storedLength: UInt32
    public var encoding: Encoding

    public enum Encoding: UInt8, Sendable { case raw = 0, zstd = 1 }

    /// Nothing else lies in its object.
    public var isAlone: Bool { object.hasPrefix("blob/") }

    public init(
        id: ContentHash, length: UInt32, object: ObjectKey, offset: UInt64, storedLength: UInt32, encoding: Encoding
    ) {
        self.id = id
        self.length = length
        self.object = object
        self.offset = offset
        self.storedLength = storedLength
        self.encoding = encoding
    }
}

/// What a file or link holds, without the bytes.
public struct Content: Hashable, Sendable {
    public var hash: ContentHash
    public var size: UInt64
    /// The modification time that the bytes were saved with.
    public var modified: FileTime
    /// What this content replaced, for a three-way merge.
    public var was: Predecessor?
    public var body: Body
    /// Set where the store had lost the chunks: the record that stored them again, and so what `body` says. The greatest
    /// holds. That changes where the bytes lie and nothing else, so it is no edit and meets no other edit as a conflict.
    public var storedAgain: Tag?

    /// The sum of its parts, as far as they are named here; where it is not `size`, nobody of good will wrote this.
    public var namedSize: UInt64 {
        switch body {
        case .inline(let bytes): UInt64(bytes.count)
        case .chunks(let chunks): chunks.reduce(0) { $0 + UInt64($1.length) }
        case .list: size
        }
    }

    /// The chunks that it names itself; a list of chunks names more.
    public var namedChunks: [ChunkReference] {
        switch body {
        case .inline: []
        case .chunks(let chunks): chunks
        case .list(let chunk): [chunk]
        }
    }

    public enum Body: Hashable, Sendable {
        /// The target of a link.
        case inline([UInt8])
        /// The chunks in order, at most 64.
        case chunks([ChunkReference])
        /// A chunk that holds the encoded list of chunks.
        case list(ChunkReference)
    }

    /// Names the content that was replaced in 16 bytes: by the record that wrote it, or by its bytes.
    ///
    /// Which of both it is nothing tells; it is compared with what is known, and 16 bytes of a hash are never those of a dot.
    public struct Predecessor: Hashable, Sendable {
        public var high: UInt64
        public var low: UInt64

        public init(high: UInt64, low: UInt64) {
            self.high = high
            self.low = low
        }

        /// The content that this record wrote: the device's 10 bytes, the number's last 6.
        public init(_ dot: Dot) {
            self.init(high: dot.device.high, low: UInt64(dot.device.low) << 48 | dot.n & (1 << 48 - 1))
        }

        /// Any content with these bytes: the first 16 bytes of the hash. For what several records have written alike.
        public init(_ hash: ContentHash) { self.init(high: hash.words.0, low: hash.words.1) }
    }

    public init(
        hash: ContentHash, size: UInt64, modified: FileTime, was: Predecessor? = nil, body: Body,
        storedAgain: Tag? = nil
    ) {
        self.hash = hash
        self.size = size
        self.modified = modified
        self.was = was
        self.body = body
        self.storedAgain = storedAgain
    }
}

extension Content {
    /// The same content of the same head, as two devices know it.
    package func joined(_ other: Content) -> Content {
        guard let theirs = other.storedAgain else { return self }
        guard let mine = storedAgain else { return other }
        return theirs > mine ? other : self
    }
}
