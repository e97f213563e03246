import DriveCore

/// A chunk that has an object to itself names it after itself; objects that many share are interned.
extension ByteWriter {
    /// `isWhole`: id and length are those of the content.
    mutating func chunk(_ chunk: ChunkReference, isWhole: Bool, _ keys: Interner) throws {
        if !isWhole {
            hash(chunk.id)
            varint(UInt64(chunk.length))
        }
        if let nonce = chunk.ownBlobNonce {
            varint(0)
            raw(nonce)
        } else {
            varint(UInt64(try keys.key(of: chunk.object)))
        }
        varint(chunk.offset)
        varint(UInt64(chunk.storedLength) << 1 | UInt64(chunk.encoding.rawValue))
    }
}

extension ByteReader {
    mutating func chunk(_ whole: (id: ContentHash, length: UInt32)?, _ keys: Interner) throws -> ChunkReference {
        let id = if let whole { whole.id } else { try hash() }
        let length = if let whole { whole.length } else { try number(UInt32.self) }
        let key = try varint()
        let object = key == 0 ? StoredKey.blobKey(id, nonce: try raw(5)) : try object(keys, key)
        let offset = try varint()
        let stored = try varint()
        guard let storedLength = UInt32(exactly: stored >> 1),
            let encoding = ChunkReference.Encoding(rawValue: UInt8(stored & 1))
        else { throw DriveError.damagedBlob }
        return ChunkReference(
            id: id, length: length, object: object, offset: offset, storedLength: storedLength, encoding: encoding)
    }
}

extension ChunkReference {
    /// The five bytes of the nonce, if the object is a blob of this chunk alone.
    fileprivate var ownBlobNonce: [UInt8]? {
        guard object.hasPrefix("blob/"), let number = UInt64(object.suffix(10), radix: 16) else { return nil }
        let nonce = (0..<5).map { UInt8(truncatingIfNeeded: number >> (32 - 8 * $0)) }
        return StoredKey.blobKey(id, nonce: nonce) == object ? nonce : nil
    }
}

extension ItemState {
    /// The folders that a life dot or a head is marked with.
    var markFolders: Set<ItemID> {
        var result: Set<ItemID> = []
        for entry in life { result.formUnion(entry.mark.folders) }
        for head in heads { result.formUnion(head.mark.folders) }
        return result
    }

    var chunks: [ChunkReference] { heads.flatMap(\.content.namedChunks) }
}
