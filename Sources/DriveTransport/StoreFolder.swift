import DriveCore

/// The part of an object store that belongs to one drive's store: everything beneath `dd1/<store>/`. Keys inside are
/// relative to it, as they stand in records and heads.
struct StoreFolder: Sendable {
    let objects: any ObjectStore
    let prefix: String

    static let root = "dd1/"

    init(_ objects: any ObjectStore, _ id: StoreID) {
        self.objects = objects
        prefix = "\(Self.root)\(id)/"
    }

    func get(_ key: ObjectKey, range: Range<UInt64>? = nil) async throws(DriveError) -> [UInt8]? {
        try await objects.get(prefix + key, range: range)
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
        try await objects.put(prefix + key, bytes)
    }

    func delete(_ key: ObjectKey) async throws(DriveError) { try await objects.delete(prefix + key) }

    func list(_ start: String) async throws(DriveError) -> [StoredObject] {
        let found = try await objects.listAll(prefix: prefix + start)
        return found.map { StoredObject(key: String($0.key.dropFirst(prefix.count)), size: $0.size) }
    }
}
