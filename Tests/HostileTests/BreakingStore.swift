import DriveCore
import Synchronization

/// A store that is away after so many segments of journals.
final class BreakingStore: ObjectStore {
    private let base: any ObjectStore
    private let left = Mutex(Int.max)

    init(base: any ObjectStore) { self.base = base }

    var capabilities: StoreCapabilities { base.capabilities }

    func breaks(after segments: Int) { left.withLock { $0 = segments } }

    func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        let isAway = left.withLock { left in
            if key.contains("/log/") { left -= 1 }
            return left < 0
        }
        if isAway { throw DriveError(.unreachable, "The store is away", path: key) }
        return try await base.get(key, range: range)
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) { try await base.put(key, bytes) }

    func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        try await base.list(prefix: prefix, after: after, limit: limit)
    }

    func delete(_ key: ObjectKey) async throws(DriveError) { try await base.delete(key) }
}
