/// Computes what a drive tells contents apart by, while their bytes stream by.
///
/// In a drive with a store that is the content hash (`ContentHasher`), which every device computes alike. A drive without a
/// store has nobody to agree with, and takes a fingerprint with a key of its own (`ContentKey`), which costs a tenth; its
/// index is made anew when it gets a store.
public protocol ContentDigest {
    mutating func update(_ bytes: UnsafeRawBufferPointer)
    /// Ends the content; the digest is spent. The size is in bytes.
    mutating func finish() -> (hash: ContentHash, size: UInt64)
}

/// The secret with which a drive without a store fingerprints contents: who does not know it cannot make a content that
/// passes for another one. Of many contents made for it, two may have one fingerprint: whoever made them made both.
public struct ContentKey: Hashable, Sendable {
    /// 192 bytes, as long as XXH3's own.
    public let bytes: [UInt8]

    /// Where an index keeps it, as a setting.
    public static let settingKey = "content-key"
    private static let length = 192

    public init(_ entropy: some Entropy) {
        var bytes: [UInt8] = []
        for _ in 0..<Self.length / 8 { withUnsafeBytes(of: entropy.next()) { bytes += $0 } }
        self.bytes = bytes
    }

    /// Nil where these cannot be a key.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }
}

extension ContentHash {
    /// A fingerprint in the place of a hash: its second half is zero, which no SHA-256 that anybody has met is.
    public init(_ fingerprint: Fingerprint) { words = (fingerprint.high, fingerprint.low, 0, 0) }

    /// Made with a drive's own key, so that nobody else can compare with it.
    public var isFingerprint: Bool { words.2 == 0 && words.3 == 0 }
}

extension DriveState {
    /// Nil where contents are told apart by their hash. Throws `corrupt` where it cannot be one.
    public func contentKey() throws -> ContentKey? {
        guard let bytes = try setting(ContentKey.settingKey) else { return nil }
        guard let key = ContentKey(bytes: bytes) else {
            throw DriveError(
                .corrupt, "The index is damaged: its content key is cut; `docdrive verify --repair` makes it anew")
        }
        return key
    }
}
