public import DriveCore

extension CollectionMemory {
    private static let key = "collection"

    public static func load(from state: any DriveState) throws -> CollectionMemory {
        guard let bytes = try state.setting(key) else { return CollectionMemory() }
        var reader = ByteReader(bytes)
        var memory = CollectionMemory()
        for _ in 0..<(try reader.count(limit: CollectionNotice.maximumObjects, each: 2)) {
            let object = try reader.text(limit: 512)
            memory.unneeded[object] = try reader.varint()
        }
        if try reader.byte() == 1 { memory.announced = try reader.varint() }
        // Who had not answered in time, as earlier versions wrote it: they are waited for once more, and forgotten in the journal then.
        for _ in 0..<(try reader.count(limit: 1 << 16, each: 11)) {
            _ = (try reader.device(), try reader.text(limit: 512))
        }
        for _ in 0..<(try reader.count(limit: 1 << 16, each: 9)) {
            let nonce = try reader.fixed(UInt64.self)
            memory.others[nonce] = try reader.varint()
        }
        for _ in 0..<(try reader.count(limit: 1 << 16, each: 10)) { memory.known.insert(try reader.device()) }
        for _ in 0..<(try reader.count(limit: 1 << 16, each: 11)) {
            let device = try reader.device()
            memory.gone[device] = try reader.varint()
        }
        try reader.expectEnd()
        return memory
    }

    func save(to state: any DriveState) throws {
        var writer = ByteWriter()
        writer.count(unneeded.count)
        for (object, since) in unneeded.sorted(by: { $0.key < $1.key }) {
            writer.blob(Array(object.utf8))
            writer.varint(since)
        }
        writer.byte(announced == nil ? 0 : 1)
        if let announced { writer.varint(announced) }
        // Where earlier versions have those that did not answer.
        writer.count(0)
        writer.count(others.count)
        for (nonce, since) in others.sorted(by: { $0.key < $1.key }) {
            writer.fixed(nonce)
            writer.varint(since)
        }
        writer.count(known.count)
        for device in known.sorted() { writer.device(device) }
        writer.count(gone.count)
        for (device, since) in gone.sorted(by: { $0.key < $1.key }) {
            writer.device(device)
            writer.varint(since)
        }
        try state.setSetting(writer.bytes, Self.key)
    }
}

/// A time in milliseconds as the value of a setting.
enum Milliseconds {
    static func encode(_ time: UInt64) -> [UInt8] {
        var writer = ByteWriter(reserving: 8)
        writer.fixed(time)
        return writer.bytes
    }

    static func decode(_ bytes: [UInt8]) throws(DriveError) -> UInt64 {
        var reader = ByteReader(bytes)
        return try reader.fixed(UInt64.self)
    }
}
