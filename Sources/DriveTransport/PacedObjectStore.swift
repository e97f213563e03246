public import DriveCore

/// Waits until an object's bytes may go, where the store behind it knows no pace of its own.
public struct PacedObjectStore: ObjectStore {
    private let base: any ObjectStore
    private let pace: TransferPace

    public init(_ base: any ObjectStore, pace: TransferPace) {
        self.base = base
        self.pace = pace
    }

    public var capabilities: StoreCapabilities { base.capabilities }

    public func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        let bytes = try await base.get(key, range: range)
        try await pass(.down, bytes?.count ?? 0)
        return bytes
    }

    public func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
        try await pass(.up, bytes.count)
        try await base.put(key, bytes)
    }

    /// A wait that was cut short lets nothing through.
    private func pass(_ direction: TransferDirection, _ bytes: Int) async throws(DriveError) {
        await pace.pass(direction, bytes)
        if Task.isCancelled { throw DriveError(.temporary, "the transfer was stopped") }
    }

    public func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        try await base.list(prefix: prefix, after: after, limit: limit)
    }

    public func delete(_ key: ObjectKey) async throws(DriveError) { try await base.delete(key) }
}
