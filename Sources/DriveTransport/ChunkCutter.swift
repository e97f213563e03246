import DriveCore

/// Reads a file chunk by chunk, holding one chunk and what was read beyond it.
struct ChunkCutter {
    private let reader: any FileReader
    private let lists: ChunkLists
    /// What the next chunk is if the file goes on as one of the lists does.
    private var expected: ChunkReference?
    private var chunker = Chunker()
    private var buffer: [UInt8]
    /// Bytes of the buffer that are read, and how many of them the chunker has seen.
    private var filled = 0
    private var scanned = 0
    private var isAtEnd = false
    /// How much of the buffer is the chunk that was found last.
    private var found = 0

    private static let piece = 256 << 10

    init(_ reader: any FileReader, like lists: ChunkLists = ChunkLists()) {
        self.reader = reader
        self.lists = lists
        expected = lists.first
        // A small file does not get the room of a large chunk; one byte more shows the end without another read.
        let room = min(reader.facts.size, UInt64(Chunker.maximum + Self.piece)) + 1
        buffer = [UInt8](repeating: 0, count: Int(room))
    }

    /// Finds the next chunk, whose bytes are to be had until the next call; nil at the end.
    mutating func next() throws(DriveError) -> (id: ContentHash, length: UInt32)? {
        pass()
        if let expected, try begins(with: expected) {
            found = Int(expected.length)
            self.expected = lists.chunk(after: expected.id)
            return (expected.id, expected.length)
        }
        guard let length = try search() else { return nil }
        found = length
        let id = buffer.withUnsafeBytes { ContentHash.sha256(UnsafeRawBufferPointer(rebasing: $0[..<length])) }
        expected = lists.chunk(after: id)
        return (id, UInt32(length))
    }

    /// The bytes of the chunk, once.
    mutating func take() -> [UInt8] {
        guard isAtEnd, found == filled else { return Array(buffer[..<found]) }
        // The last, which for most files is the only one, without copying it.
        var chunk: [UInt8] = []
        swap(&chunk, &buffer)
        chunk.removeSubrange(filled...)
        (filled, found) = (0, 0)
        return chunk
    }

    private mutating func pass() {
        scanned = 0
        guard found > 0 else { return }
        let (start, end) = (found, filled)
        buffer.withUnsafeMutableBytes { all in
            all.copyMemory(from: UnsafeRawBufferPointer(rebasing: all[start..<end]))
        }
        filled -= found
        found = 0
    }

    private mutating func begins(with chunk: ChunkReference) throws(DriveError) -> Bool {
        let length = Int(chunk.length)
        while filled < length {
            if isAtEnd { return false }
            try fill()
        }
        return buffer.withUnsafeBytes { ContentHash.sha256(UnsafeRawBufferPointer(rebasing: $0[..<length])) }
            == chunk.id
    }

    /// Nil at the end.
    private mutating func search() throws(DriveError) -> Int? {
        while true {
            if scanned < filled, let end = cut() { return end }
            if isAtEnd { return filled == 0 ? nil : filled }
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
