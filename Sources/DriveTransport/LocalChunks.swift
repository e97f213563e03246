import DriveCore

/// Where chunks of contents lie in files on this disk.
struct LocalChunks {
    private var places: [ContentHash: (place: LocalPlace, isFrozen: Bool)] = [:]

    /// The file begins with these chunks, or did once.
    mutating func add(_ chunks: [ChunkReference], in local: LocalContent) {
        var offset: UInt64 = 0
        for chunk in chunks {
            let end = offset + UInt64(chunk.length)
            if end > local.file.facts.size { return }
            if places[chunk.id] == nil {
                places[chunk.id] = (LocalPlace(file: local.file, offset: offset), local.isFrozen)
            }
            offset = end
        }
    }

    /// Whether some file had it when it was last known.
    func holds(_ chunk: ChunkReference) -> Bool { places[chunk.id] != nil }

    /// Nil where no file has just these bytes, or can be read. The place is told where they stay.
    func bytes(of chunk: ChunkReference) -> (bytes: [UInt8], place: LocalPlace?)? {
        guard let (place, isFrozen) = places[chunk.id] else { return nil }
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(chunk.length)) { buffer, filled in
            let room = UnsafeMutableRawBufferPointer(buffer)
            filled = (try? place.file.read(at: place.offset, into: room)) ?? 0
            isWhole = filled == buffer.count && ContentHash.sha256(UnsafeRawBufferPointer(room)) == chunk.id
        }
        return isWhole ? (bytes, isFrozen ? place : nil) : nil
    }
}
