/// What holds the objects of a drive: a folder, S3, WebDAV, SFTP, or memory. All implementations run
/// `ObjectStoreContract`.
///
/// Callers write every key once, so an implementation owes nothing about overwriting, and nothing about when an object
/// that was put shows up in a list or to others, nor about its being whole: readers verify length and hash.
public protocol ObjectStore: Sendable {
    /// The bytes, or the part of them that `range` names, cut at the end of the object. Nil where there is no such
    /// object (yet).
    func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]?
    /// Returns when the object would survive a power cut of the store. Finishing it twice with the same bytes is harmless.
    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError)
    /// Keys that begin with `prefix` and come after `after` in byte order, in that order, at most `limit`.
    func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject]
    /// No error where there is no such object.
    func delete(_ key: ObjectKey) async throws(DriveError)
    var capabilities: StoreCapabilities { get }
}

/// What a store is like, for whoever plans work over it; nothing that a promise of the seam depends on.
public struct StoreCapabilities: Hashable, Sendable {
    /// Requests that are worth having under way at once: one where they would only wait for one another.
    public var concurrentRequests: Int
    /// The most bytes of small things that are worth putting together as one object.
    public var packBytes = Int.max

    public init(concurrentRequests: Int = 1) { self.concurrentRequests = concurrentRequests }
}

public struct StoredObject: Hashable, Sendable {
    public var key: ObjectKey
    public var size: UInt64

    public init(key: ObjectKey, size: UInt64) {
        self.key = key
        self.size = size
    }
}

extension ObjectStore {
    /// Every key with the prefix, page by page.
    public func listAll(prefix: String) async throws(DriveError) -> [StoredObject] {
        var result: [StoredObject] = []
        while true {
            let page = try await list(prefix: prefix, after: result.last?.key, limit: 1_000)
            result += page
            if page.count < 1_000 { return result }
        }
    }
}
