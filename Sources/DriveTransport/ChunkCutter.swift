import DriveCore

/// Reads a file chunk by chunk, holding one chunk and what was read beyond it.
struct ChunkCutter {
    private let reader: any FileReader
    private var chunker = Chunker()
    private var buffer: [UInt8]
    /// Bytes of the buffer that are read, and how many of them the chunker has seen.
    private var filled = 0
    private var scanned = 0
    private var isAtEnd = false

    private static let piece = 256 << 10

    init(_ reader: any FileReader) throws(DriveError) {
        self.reader = reader
        // A small file does not get the room of a large chunk; one byte more shows the end without another read.
        let room = min(reader.facts.size, UInt64(Chunker.maximum + Self.piece)) + 1
        buffer = [UInt8](repeating: 0, count: Int(room))
    }

    /// Nil at the end.
    mutating func next() throws(DriveError) -> [UInt8]? {
        while true {
            if scanned < filled, let end = cut() { return take(end) }
            if isAtEnd { return filled == 0 ? nil : take(filled) }
            try fill()
        }
    }

    private mutating func cut() -> Int? {
        let start = scanned
        let length = buffer.withUnsafeBytes { all in
            chunker.cut(UnsafeRawBufferPointer(rebasing: all[start..<filled]))
        }
        scanned = filled
        return length.map { start + $0 }
    }

    private mutating func take(_ end: Int) -> [UInt8] {
        if isAtEnd, end == filled { return takeAll() }
        let chunk = Array(buffer[..<end])
        buffer.withUnsafeMutableBytes { all in
            all.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[end..<filled]))
        }
        filled -= end
        scanned = 0
        return chunk
    }

    /// The last chunk, which for most files is the only one, without copying it.
    private mutating func takeAll() -> [UInt8] {
        var chunk: [UInt8] = []
        swap(&chunk, &buffer)
        chunk.removeSubrange(filled...)
        filled = 0
        scanned = 0
        return chunk
    }

    private mutating func fill() throws(DriveError) {
        if filled == buffer.count {
            // The file has grown since it was looked at.
            buffer += [UInt8](repeating: 0, count: Self.piece)
        }
        let start = filled
        let end = min(buffer.count, start + Self.piece)
        let reader = reader
        let count = try buffer.withUnsafeMutableBufferPointer { all throws(DriveError) in
            try reader.read(
                into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(all)[start..<end]))
        }
        filled += count
        isAtEnd = count == 0
    }
}
