/// Chunks of contents that a file holds in part, probably, in their order: of what it held before, and of what others have in its
/// place.
///
/// `Chunker` begins anew with each chunk, so the bytes of a chunk say where it ends. Where a file has, from the end of one chunk
/// on, just the bytes of a chunk that was cut elsewhere, that one is its next: SHA-256, which is computed anyway, stands for the
/// search. Not so where a content ended: its last chunk may go on.
public struct ChunkLists: Sendable {
    private var chunks: [ChunkReference] = []
    /// Of the last of each list.
    private var ends: Set<Int> = []
    private var places: [ContentHash: Int] = [:]

    public init() {}

    public mutating func add(_ list: [ChunkReference]) {
        guard !list.isEmpty else { return }
        for chunk in list {
            places[chunk.id] = chunks.count
            chunks.append(chunk)
        }
        ends.insert(chunks.count - 1)
    }

    public subscript(id: ContentHash) -> ChunkReference? { places[id].map { chunks[$0] } }

    /// What a file begins with that changed further on.
    public var first: ChunkReference? { chunks.isEmpty ? nil : whole(0) }

    /// What comes after this chunk if the file goes on as before.
    public func chunk(after id: ContentHash) -> ChunkReference? {
        guard let place = places[id], !ends.contains(place) else { return nil }
        return whole(place + 1)
    }

    private func whole(_ place: Int) -> ChunkReference? {
        let chunk = chunks[place]
        return !ends.contains(place) && (Chunker.minimum...Chunker.maximum).contains(Int(chunk.length)) ? chunk : nil
    }
}
