extension ByteWriter {
    /// Objects: 0 is the chunk's own blob and its nonce as five bytes; 1 a new pack: its device and its nonce as eight
    /// bytes; 2 any other key as text; else its place + 3. Packs and texts enter the table.
    mutating func object(_ key: ObjectKey, chunk: ContentHash, _ context: inout WireContext) {
        if let place = context.objects.place(of: key) {
            count(place + 3)
            return
        }
        switch StoredKey(key, chunk: chunk) {
        case .blob(let nonce):
            varint(0)
            raw(nonce)
            return
        case .pack(let device, let nonce):
            varint(1)
            self.device(device, &context)
            fixed(nonce)
        case .other:
            varint(2)
            blob(Array(key.utf8))
        }
        context.objects.add(key)
    }

    /// What is one byte where the chunk follows the last one of the same object.
    mutating func chunk(_ chunk: ChunkReference, withIdentity: Bool, _ context: inout WireContext) {
        if withIdentity {
            hash(chunk.id)
            varint(UInt64(chunk.length))
        }
        object(chunk.object, chunk: chunk.id, &context)
        distance(chunk.offset, from: context.objectEnds[chunk.object] ?? 0)
        varint(UInt64(chunk.storedLength) << 1 | UInt64(chunk.encoding.rawValue))
        context.objectEnds[chunk.object] = chunk.offset &+ UInt64(chunk.storedLength)
    }
}

extension ByteReader {
    mutating func object(chunk: ContentHash, _ context: inout WireContext) throws(DriveError) -> ObjectKey {
        let code = try varint()
        if code > 2 { return try context.objects.element(at: code - 3) }
        let key: ObjectKey
        switch code {
        case 0: return StoredKey.blobKey(chunk, nonce: try raw(5))
        case 1:
            let device = try device(&context)
            key = StoredKey.packKey(device, nonce: try fixed(UInt64.self))
        default:
            key = try text(limit: WireLimits.keyBytes)
            guard StoredKey.isSafe(key) else { throw .malformed("an object's name is none of ours") }
        }
        context.objects.add(key)
        return key
    }

    mutating func chunk(
        identity: (id: ContentHash, length: UInt32)?, _ context: inout WireContext
    ) throws(DriveError) -> ChunkReference {
        let id: ContentHash
        let length: UInt32
        if let identity {
            (id, length) = identity
        } else {
            id = try hash()
            length = try number(UInt32.self)
        }
        let object = try object(chunk: id, &context)
        let offset = try distance(from: context.objectEnds[object] ?? 0)
        let stored = try varint()
        guard let storedLength = UInt32(exactly: stored >> 1), !offset.addingReportingOverflow(stored >> 1).overflow,
            let encoding = ChunkReference.Encoding(rawValue: UInt8(stored & 1))
        else { throw .malformed("a chunk lies outside of its object") }
        context.objectEnds[object] = offset &+ UInt64(storedLength)
        return ChunkReference(
            id: id, length: length, object: object, offset: offset, storedLength: storedLength, encoding: encoding)
    }

    public mutating func text(limit: Int) throws(DriveError) -> String {
        guard let text = String(validating: try blob(limit: limit), as: UTF8.self) else {
            throw .malformed("text is not UTF-8")
        }
        return text
    }
}

/// The keys of stored chunks: `blob/<xx>/<hash>.<nonce10>` and `pack/<device>/<nonce16>`.
public enum StoredKey: Hashable, Sendable {
    case blob(nonce: [UInt8])
    case pack(DeviceID, nonce: UInt64)
    case other

    init(_ key: ObjectKey, chunk: ContentHash) {
        self = .other
        if key.hasPrefix("blob/"), let nonce = UInt64(key.suffix(10), radix: 16) {
            let bytes = (0..<5).map { UInt8(truncatingIfNeeded: nonce >> (32 - 8 * $0)) }
            if Self.blobKey(chunk, nonce: bytes) == key { self = .blob(nonce: bytes) }
        } else if key.hasPrefix("pack/"), let device = DeviceID(String(key.dropFirst(5).prefix(20))),
            let nonce = UInt64(key.suffix(16), radix: 16), Self.packKey(device, nonce: nonce) == key
        {
            self = .pack(device, nonce: nonce)
        }
    }

    public static func packKey(_ device: DeviceID, nonce: UInt64) -> ObjectKey {
        "pack/\(device)/\(nonce.hexadecimal)"
    }

    /// What a device is about to remove.
    public static func collectionKey(_ device: DeviceID, nonce: UInt64) -> ObjectKey {
        "gc/\(device)/\(nonce.hexadecimal)"
    }

    /// The nonce has five bytes.
    public static func blobKey(_ chunk: ContentHash, nonce: [UInt8]) -> ObjectKey {
        let hash = chunk.description
        return "blob/\(hash.prefix(2))/\(hash).\(nonce.map(\.hexadecimal).joined())"
    }

    /// Whether a key that somebody else wrote can be handed to a store: lower-case letters, digits, `-`, `.`, no
    /// component that is empty, begins with a dot, or is longer than the name of a file.
    public static func isSafe(_ key: ObjectKey) -> Bool {
        let isPlain = key.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || (0x2D...0x2F).contains(byte)
        }
        return isPlain
            && key.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty && part.first != "." && part.utf8.count <= FileName.maximumLength
            }
    }
}
