import DriveCore

/// Where the chunks of a very large file lie that this device may never have sent itself: its record names a list of them, which
/// the index does not have.
///
/// Without it one line that is written into a file of another device would send all of the file, and so would joining a store
/// that has it.
final class ListedChunks {
    private(set) var lists = ChunkLists()

    subscript(id: ContentHash) -> ChunkReference? { lists[id] }

    /// Reads the lists of what the file is recorded to hold, and of what the drive has at its path: of items that are alive, since
    /// what only dead ones refer to may leave the store. Where they cannot be had nothing is known.
    func learn(of path: DrivePath, _ row: RowID?, _ size: UInt64, _ parts: DriveParts) async throws {
        lists = ChunkLists()
        // Shorter, a content names all of its chunks itself.
        guard size > UInt64(Content.maximumInlineChunks * Chunker.minimum), let transport = parts.transport else {
            return
        }
        var items = Set(try parts.state.items(named: path))
        if let row = try row.flatMap({ try parts.state.row($0) }) { items.formUnion(row.members.map(\.item)) }
        for item in items.sorted() {
            guard let stored = try parts.state.item(item), stored.shape.isAlive else { continue }
            for head in stored.state.heads { await add(head.content, transport) }
        }
    }

    private func add(_ content: Content, _ transport: any Transport) async {
        guard case .list = content.body else { return }
        if let chunks = try? await transport.chunks(of: content) { lists.add(chunks) }
    }
}
