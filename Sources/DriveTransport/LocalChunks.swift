import DriveCore

/// Where chunks of contents lie in files on this disk.
struct LocalChunks {
    private struct Place {
        var file: any FileReader
        var offset: UInt64
    }

    private var places: [ContentHash: Place] = [:]

    /// The file begins with these chunks, or did once.
    mutating func add(_ chunks: [ChunkReference], in file: any FileReader) {
        var offset: UInt64 = 0
        for chunk in chunks {
            let end = offset + UInt64(chunk.length)
            if end > file.facts.size { return }
            if places[chunk.id] == nil { places[chunk.id] = Place(file: file, offset: offset) }
            offset = end
        }
    }

    /// Nil where no file has just these bytes, or can be read.
    func bytes(of chunk: ChunkReference) -> [UInt8]? {
        guard let place = places[chunk.id] else { return nil }
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(chunk.length)) { buffer, filled in
            let room = UnsafeMutableRawBufferPointer(buffer)
            filled = (try? place.file.read(at: place.offset, into: room)) ?? 0
            isWhole = filled == buffer.count && ContentHash.sha256(UnsafeRawBufferPointer(room)) == chunk.id
        }
        return isWhole ? bytes : nil
    }
}
