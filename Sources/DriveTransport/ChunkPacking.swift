import DriveCompression
import DriveCore

/// One pack while it fills. Its key is known from the start, so references can be made before it is stored.
struct OpenPack {
    /// A pack takes no more than this.
    static let target = 16 << 20
    /// Chunks from here on are objects of their own.
    static let limit = 256 << 10

    let key: ObjectKey
    private(set) var bytes: [UInt8] = []
    private(set) var references: [ChunkReference] = []

    init(device: DeviceID, entropy: any Entropy) {
        key = StoredKey.packKey(device, nonce: entropy.next())
    }

    /// A chunk that is larger has a pack to itself.
    func takes(_ chunk: EncodedChunk, within limit: Int) -> Bool {
        references.isEmpty || bytes.count + chunk.stored.count <= limit
    }

    mutating func append(_ chunk: EncodedChunk) -> ChunkReference {
        let reference = chunk.reference(in: key, offset: UInt64(bytes.count))
        // Many follow on much: growing step by step would copy it time and again.
        if bytes.count > Self.target / 16 { bytes.reserveCapacity(Self.target) }
        bytes += chunk.stored
        references.append(reference)
        return reference
    }
}

/// A chunk as it is stored.
struct EncodedChunk {
    let id: ContentHash
    let length: UInt32
    let stored: [UInt8]
    let encoding: ChunkReference.Encoding

    /// Compressed where that shrinks it by 5 %, which pictures and archives do not. Of what would be an object of its own only
    /// the first 64 KiB are tried; a shorter chunk whole, since the beginning of a text would be compressed twice.
    init(_ bytes: [UInt8], id: ContentHash, _ zstd: Zstd) {
        self.id = id
        length = UInt32(bytes.count)
        let small = bytes.withUnsafeBytes { Self.compressed($0, zstd) }
        stored = small ?? bytes
        encoding = small == nil ? .raw : .zstd
    }

    private static func compressed(_ bytes: UnsafeRawBufferPointer, _ zstd: Zstd) -> [UInt8]? {
        let length = bytes.count < OpenPack.limit ? bytes.count : 64 << 10
        let sample = UnsafeRawBufferPointer(rebasing: bytes.prefix(length))
        guard let tried = zstd.compress(sample, level: 1), tried.count * 20 <= sample.count * 19 else { return nil }
        if sample.count == bytes.count { return tried }
        guard let whole = zstd.compress(bytes, level: 1), whole.count < bytes.count else { return nil }
        return whole
    }

    func reference(in object: ObjectKey, offset: UInt64) -> ChunkReference {
        ChunkReference(
            id: id, length: length, object: object, offset: offset, storedLength: UInt32(stored.count),
            encoding: encoding)
    }
}
