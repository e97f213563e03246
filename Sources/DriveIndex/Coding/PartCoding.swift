import DriveCore

/// Values that several blobs of the index have in common, with interned ids.
extension ByteWriter {
    mutating func key(_ item: ItemID, _ keys: Interner) throws { varint(UInt64(try keys.key(of: item))) }

    mutating func key(_ device: DeviceID, _ keys: Interner) throws { varint(UInt64(try keys.key(of: device))) }

    mutating func dot(_ dot: Dot, _ keys: Interner) throws {
        try key(dot.device, keys)
        varint(dot.n)
    }

    mutating func dots(_ dots: [Dot], _ keys: Interner) throws {
        count(dots.count)
        for dot in dots { try self.dot(dot, keys) }
    }

    mutating func vector(_ vector: DeviceVector, _ keys: Interner) throws {
        count(vector.entries.count)
        for entry in vector.entries { try dot(Dot(device: entry.device, n: entry.n), keys) }
    }

    /// Short for a time near another one.
    mutating func time(_ time: FileTime, near seconds: Int64) {
        distance(UInt64(bitPattern: time.seconds), from: UInt64(bitPattern: seconds))
        fixed(time.nanoseconds)
    }

    mutating func text(_ text: String) { blob(Array(text.utf8)) }
}

extension ByteReader {
    /// More than any list of the index has.
    static var listLimit: Int { 1 << 24 }

    private mutating func key() throws -> Int64 {
        guard let key = Int64(exactly: try varint()) else { throw DriveError.damagedBlob }
        return key
    }

    mutating func item(_ keys: Interner) throws -> ItemID { try keys.item(try key()) }

    mutating func device(_ keys: Interner) throws -> DeviceID { try keys.device(try key()) }

    mutating func object(_ keys: Interner, _ key: UInt64) throws -> ObjectKey {
        guard let key = Int64(exactly: key) else { throw DriveError.damagedBlob }
        return try keys.object(key)
    }

    mutating func dot(_ keys: Interner) throws -> Dot { Dot(device: try device(keys), n: try varint()) }

    mutating func list<Element>(each: Int = 1, _ read: (inout ByteReader) throws -> Element) throws -> [Element] {
        let count = try count(limit: Self.listLimit, each: each)
        var result: [Element] = []
        result.reserveCapacity(count)
        for _ in 0..<count { result.append(try read(&self)) }
        return result
    }

    mutating func dots(_ keys: Interner) throws -> [Dot] { try list(each: 2) { try $0.dot(keys) } }

    mutating func vector(_ keys: Interner) throws -> DeviceVector {
        var result = DeviceVector()
        for dot in try dots(keys) { result[dot.device] = dot.n }
        return result
    }

    mutating func time(near seconds: Int64) throws -> FileTime {
        FileTime(
            seconds: Int64(bitPattern: try distance(from: UInt64(bitPattern: seconds))),
            nanoseconds: try fixed(UInt32.self))
    }

    mutating func text() throws -> String {
        guard let text = String(validating: try blob(limit: Self.listLimit), as: UTF8.self) else {
            throw DriveError.damagedBlob
        }
        return text
    }

    mutating func value<Value: RawRepresentable<String>>(_: Value.Type) throws -> Value {
        guard let value = Value(rawValue: try text()) else { throw DriveError.damagedBlob }
        return value
    }
}

extension DriveError {
    static var damagedBlob: DriveError {
        DriveError(
            .corrupt, "The index is damaged: a record breaks its format; `docdrive verify --repair` makes it anew")
    }
}
