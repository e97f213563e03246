import DriveCore

/// What identifies a store and how to read it: the content of its `format` object.
public struct StoreInfo: Hashable, Sendable {
    public var id: StoreID
    public var encryption: Encryption

    /// The `crypto` field of format 1.
    public enum Encryption: UInt8, Sendable { case none = 0 }

    public init(id: StoreID, encryption: Encryption = .none) {
        self.id = id
        self.encryption = encryption
    }

    /// The version of the store's format that this program writes.
    public static var formatVersion: Int { Int(Envelope.version) }

    /// The bytes of the `format` object.
    var sealed: [UInt8] {
        var writer = ByteWriter()
        writer.fixed(id.high)
        writer.fixed(id.low)
        writer.byte(encryption.rawValue)
        return Envelope.seal(.format, writer.bytes)
    }

    /// Nil where the object is not whole, or that of another store.
    static func open(_ id: StoreID, _ bytes: [UInt8]) throws(DriveError) -> StoreInfo? {
        guard let body = try Envelope.open(.format, bytes) else { return nil }
        var reader = ByteReader(body)
        guard reader.remaining >= 17,
            StoreID(high: try reader.fixed(UInt64.self), low: try reader.fixed(UInt64.self)) == id
        else { return nil }
        guard let encryption = Encryption(rawValue: try reader.byte()) else {
            throw DriveError(.newerFormat, "The store is encrypted in a way that this program does not know; update it")
        }
        return StoreInfo(id: id, encryption: encryption)
    }
}

/// A device as its newest head shows it.
public struct StoreDevice: Hashable, Sendable {
    public var id: DeviceID
    /// The label it has now; nil where it never had one.
    public var label: String?
    public var published: UInt64
    /// Records in its journal, of which compaction may drop some.
    public var records: UInt64
    /// Gone for good, as a device says that knows its newest head.
    public var isForgotten = false
}

/// Finding, creating and looking at the store at one URL.
public enum Store {
    /// The store, or nil where there is none. Several stores are an error unless `named` picks one; stores that nobody
    /// has written to yet do not count beside one that is in use, and of several unused ones the smallest id counts.
    public static func find(
        in objects: any ObjectStore, named: StoreID? = nil
    ) async throws(DriveError) -> StoreInfo? {
        var used: [StoreInfo] = []
        var unused: [StoreInfo] = []
        for id in try await ids(in: objects) {
            if let named, named != id { continue }
            guard let info = try await info(id, in: objects) else { continue }
            if try await isUsed(id, in: objects) { used.append(info) } else { unused.append(info) }
        }
        guard used.count <= 1 else {
            let list = used.map(\.id.description).joined(separator: ", ")
            throw DriveError(
                .needsDecision,
                "Several stores lie here; choose one with --store-id, as it stands in .docdrive/config.toml of a device "
                    + "that shares it: \(list)")
        }
        return used.first ?? unused.min { $0.id < $1.id }
    }

    /// Whether a device has published to it.
    public static func isUsed(_ id: StoreID, in objects: any ObjectStore) async throws(DriveError) -> Bool {
        try await !objects.list(
            prefix: StoreFolder(objects, id).prefix + HeadName.folder, after: nil, limit: 1
        ).isEmpty
    }

    /// Stores in the same place that devices have published to, who share nothing with those of this one.
    public static func others(
        than id: StoreID, in objects: any ObjectStore
    ) async throws(DriveError) -> [StoreID] {
        var result: [StoreID] = []
        for other in try await ids(in: objects) where other != id {
            if try await isUsed(other, in: objects) { result.append(other) }
        }
        return result
    }

    /// Makes a store and looks again: where somebody else made one at the same time, both take the same one, which
    /// is not always that made here.
    public static func create(in objects: any ObjectStore, entropy: any Entropy) async throws(DriveError) -> StoreInfo {
        let info = StoreInfo(id: StoreID(high: entropy.next(), low: entropy.next()))
        try await StoreFolder(objects, info.id).put("format", info.sealed)
        return try await find(in: objects) ?? info
    }

    /// Everybody who has published and whose head can be read, in order of their ids.
    public static func devices(of store: StoreInfo, in objects: any ObjectStore) async throws(DriveError)
        -> [StoreDevice]
    {
        try await devicesAndUnread(of: store, in: objects).devices
    }

    /// The same, and those of which heads are listed and none can be read; not of such as are known to be gone.
    public static func devicesAndUnread(
        of store: StoreInfo, in objects: any ObjectStore
    ) async throws(DriveError) -> (devices: [StoreDevice], unread: [DeviceID]) {
        let folder = StoreFolder(objects, store.id)
        var result: [StoreDevice] = []
        var forgotten: [ForgottenDevice] = []
        var heads: [DeviceID: ObjectKey] = [:]
        // Where none can be read, the newest that is listed.
        var unread: [DeviceID: ObjectKey] = [:]
        let names = try await folder.list(HeadName.folder).compactMap { HeadName($0.key) }
        for name in names.sorted(by: { $0.isNewer(than: $1) }) {
            if result.contains(where: { $0.id == name.device }) { continue }
            guard let bytes = try await folder.get(name.key, limit: Envelope.limit(.head)),
                let head = try JournalHead.open(name, bytes)
            else {
                unread[name.device] = unread[name.device] ?? name.key
                continue
            }
            unread[name.device] = nil
            result.append(
                StoreDevice(
                    id: name.device, label: head.labels.max { $0.from < $1.from }?.text, published: name.published,
                    records: head.segments.reduce(0) { $0 + UInt64($1.records) }))
            heads[name.device] = name.key
            forgotten += head.collection.forgotten
        }
        heads.merge(unread) { read, _ in read }
        let gone = Set(forgotten.current(heads).map(\.device))
        for place in result.indices { result[place].isForgotten = gone.contains(result[place].id) }
        return (result.sorted { $0.id < $1.id }, unread.keys.filter { !gone.contains($0) }.sorted())
    }

    /// One listed key for each store, not all their objects.
    private static func ids(in objects: any ObjectStore) async throws(DriveError) -> [StoreID] {
        var result: [StoreID] = []
        var after: ObjectKey?
        while true {
            let page = try await objects.list(prefix: StoreFolder.root, after: after, limit: 1)
            guard let key = page.first?.key else { return result }
            let component = key.dropFirst(StoreFolder.root.count).prefix { $0 != "/" }
            if let id = StoreID(component) { result.append(id) }
            // `0` comes right after `/`: on to the next folder.
            after = "\(StoreFolder.root)\(component)0"
        }
    }

    /// What the store's `format` object says; nil where it is not there or not whole. One call.
    public static func info(_ id: StoreID, in objects: any ObjectStore) async throws(DriveError) -> StoreInfo? {
        guard let bytes = try await StoreFolder(objects, id).get("format", limit: Envelope.limit(.format)) else {
            return nil
        }
        return try StoreInfo.open(id, bytes)
    }
}
