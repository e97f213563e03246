import DriveCore

/// The small integer keys of items, devices and objects. What it has read it remembers, up to a bound.
final class Interner {
    private let connection: Connection
    private var items = KeyCache<ItemID>()
    private var devices = KeyCache<DeviceID>()
    private var objects = KeyCache<ObjectKey>()
    /// Of the items in the tables.
    var filter: AbsenceFilter?

    init(_ connection: Connection) { self.connection = connection }

    /// After a rollback: keys given in the transaction may be given again.
    func forget() {
        items = KeyCache()
        devices = KeyCache()
        objects = KeyCache()
    }

    /// Nil where nothing names the item.
    func knownKey(of item: ItemID) throws -> Int64? {
        if item == .root { return Self.root }
        if let key = items.key(of: item) { return key }
        if let filter, !filter.mayHave(item: item) { return nil }
        guard let key = try connection.first(Self.itemKey, .id(item), read: { $0.int(0) }) else { return nil }
        items.add(item, key)
        return key
    }

    func key(of item: ItemID) throws -> Int64 {
        if let key = try knownKey(of: item) { return key }
        let key = try inserted(Self.addItem, .id(item))
        filter?.note(.item, item.high, item.low)
        items.add(item, key)
        return key
    }

    /// The item was given this key.
    func add(_ item: ItemID, _ key: Int64) { items.add(item, key) }

    func item(_ key: Int64) throws -> ItemID {
        if key == Self.root { return .root }
        if let item = items.value(of: key) { return item }
        let item = try found(try connection.first(Self.itemOfKey, .int(key)) { try $0.id(0) })
        items.add(item, key)
        return item
    }

    func key(of device: DeviceID) throws -> Int64 {
        if let key = devices.key(of: device) { return key }
        var writer = ByteWriter(reserving: 10)
        writer.device(device)
        let key =
            try connection.first(Self.deviceKey, .blob(writer.bytes)) { $0.int(0) }
            ?? inserted(Self.addDevice, .blob(writer.bytes))
        devices.add(device, key)
        return key
    }

    func device(_ key: Int64) throws -> DeviceID {
        if let device = devices.value(of: key) { return device }
        var reader = ByteReader(try found(try connection.first(Self.deviceOfKey, .int(key)) { $0.blob(0) }))
        let device = try reader.device()
        devices.add(device, key)
        return device
    }

    func key(of object: ObjectKey) throws -> Int64 {
        if let key = objects.key(of: object) { return key }
        let key =
            try connection.first(Self.objectKey, .text(object)) { $0.int(0) } ?? inserted(Self.addObject, .text(object))
        objects.add(object, key)
        return key
    }

    func object(_ key: Int64) throws -> ObjectKey {
        if let object = objects.value(of: key) { return object }
        let object = try found(try connection.first(Self.objectOfKey, .int(key)) { $0.text(0) })
        objects.add(object, key)
        return object
    }

    private func inserted(_ query: Query, _ value: SQLValue) throws -> Int64 {
        try found(try connection.first(query, value) { $0.int(0) })
    }

    private func found<Value>(_ value: Value?) throws -> Value {
        guard let value else {
            throw DriveError(
                .corrupt, "The index is damaged: a key leads nowhere; `docdrive verify --repair` makes it anew")
        }
        return value
    }

    private static let root: Int64 = 1
    private static let itemKey = Query(beneath: "SELECT key FROM item WHERE uid = ?")
    private static let itemOfKey = Query(beneath: "SELECT uid FROM item WHERE key = ?")
    private static let addItem = Query(beneath: "INSERT INTO item (uid) VALUES (?) RETURNING key")
    private static let deviceKey = Query("SELECT key FROM device WHERE id = ?")
    private static let deviceOfKey = Query("SELECT id FROM device WHERE key = ?")
    private static let addDevice = Query("INSERT INTO device (id) VALUES (?) RETURNING key")
    private static let objectKey = Query("SELECT key FROM object WHERE name = ?")
    private static let objectOfKey = Query("SELECT name FROM object WHERE key = ?")
    private static let addObject = Query("INSERT INTO object (name) VALUES (?) RETURNING key")
}

/// Both directions, emptied when it is full.
private struct KeyCache<Value: Hashable> {
    private var keys: [Value: Int64] = [:]
    private var values: [Int64: Value] = [:]
    private static var bound: Int { 1 << 15 }

    func key(of value: Value) -> Int64? { keys[value] }
    func value(of key: Int64) -> Value? { values[key] }

    mutating func add(_ value: Value, _ key: Int64) {
        if keys.count >= Self.bound { self = KeyCache() }
        keys[value] = key
        values[key] = value
    }
}
