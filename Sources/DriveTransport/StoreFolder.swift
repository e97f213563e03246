import DriveCore

/// The part of an object store that belongs to one drive's store: everything beneath `dd1/<store>/`. Keys inside are
/// relative to it, as they stand in records and heads.
struct StoreFolder: Sendable {
    let objects: any ObjectStore
    let prefix: String

    static let root = "dd1/"

    init(_ objects: any ObjectStore, _ id: StoreID) {
        self.objects = objects
        prefix = id.objectPrefix
    }

    /// The object that says which store one lies in; nil for itself, and for what lies in none.
    static func format(besides key: ObjectKey) -> ObjectKey? {
        let parts = key.split(separator: "/", maxSplits: 2)
        guard parts.count == 3, parts[0] + "/" == root, parts[2] != "format" else { return nil }
        return "\(root)\(parts[1])/format"
    }

    func get(_ key: ObjectKey, range: Range<UInt64>? = nil) async throws(DriveError) -> [UInt8]? {
        try await objects.get(prefix + key, range: range)
    }

    /// An object that has its place in memory; nil also where it is longer than anybody of good will makes it.
    func get(_ key: ObjectKey, limit: Int) async throws(DriveError) -> [UInt8]? {
        guard let bytes = try await get(key, range: 0..<UInt64(limit) + 1), bytes.count <= limit else { return nil }
        return bytes
    }

    func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
        try await objects.put(prefix + key, bytes)
    }

    func delete(_ key: ObjectKey) async throws(DriveError) { try await objects.delete(prefix + key) }

    func delete(_ keys: [ObjectKey]) async throws(DriveError) { try await objects.delete(keys.map { prefix + $0 }) }

    func list(_ start: String) async throws(DriveError) -> [StoredObject] {
        let found = try await objects.listAll(prefix: prefix + start)
        return found.map { StoredObject(key: String($0.key.dropFirst(prefix.count)), size: $0.size) }
    }
}

extension StoreID {
    /// What the names of all objects of the store begin with.
    package var objectPrefix: String { "\(StoreFolder.root)\(self)/" }
}
