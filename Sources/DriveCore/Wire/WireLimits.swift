/// What a decoder accepts at most. Far beyond what writers make, so that only hostile or damaged bytes meet them.
enum WireLimits {
    static let records = 1 << 20
    static let devices = 1 << 10
    static let attributes = 1 << 10
    /// The most that Linux stores as one extended attribute (`XATTR_SIZE_MAX`, limits.h).
    static let attributeBytes = 64 << 10
    static let heads = 1 << 12
    static let markFolders = 1 << 16
    static let inlineBytes = 64 << 10
    /// More chunks than that are in a list chunk.
    static let chunks = 64
    static let keyBytes = 512
}

/// Chunks that one record or list may name directly; see `Content.Body`.
extension Content {
    public static let maximumInlineChunks = WireLimits.chunks
}
