import DriveCore
import DriveTransport

/// Puts nothing before it was seen that the drive's store is still there, and calls nothing missing where the store itself is.
struct ConfirmingObjectStore: ObjectStore {
    let base: any ObjectStore
    let confirmation: StoreConfirmation
    /// Throws where the drive's store is not there.
    let confirm: @Sendable () async throws(DriveError) -> Void

    var capabilities: StoreCapabilities { base.capabilities }

    func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        if let bytes = try await base.get(key, range: range) { return bytes }
        if confirmation.isDueForMissing { try await see() }
        return nil
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
        if confirmation.isDueForPutting { try await see() }
        try await base.put(key, bytes)
    }

    private func see() async throws(DriveError) {
        try await confirm()
        confirmation.confirmed()
    }

    func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        try await base.list(prefix: prefix, after: after, limit: limit)
    }

    func delete(_ key: ObjectKey) async throws(DriveError) { try await base.delete(key) }
}
