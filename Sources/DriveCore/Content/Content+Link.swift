extension Content {
    /// What a link holds: its target, inline.
    public static func link(target: [UInt8], modified: FileTime, was: Predecessor? = nil) -> Content {
        Content(
            hash: ContentHasher.hash(ofLinkTarget: target), size: UInt64(target.count), modified: modified, was: was,
            body: .inline(target))
    }

    /// The hash that the chunks give together: of the empty content where there is none.
    public static func hash(of chunks: [ChunkReference]) -> ContentHash {
        guard !chunks.isEmpty else { return ContentHasher.hash(of: []) }
        var list = ChunkListHash()
        for chunk in chunks { list.append(chunk.id, length: chunk.length) }
        return list.finish()
    }
}
