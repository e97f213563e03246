import DriveCore

/// The column `log.attributes`.
enum AttributesCoding {
    static func encode(_ attributes: Attributes) -> [UInt8] {
        var writer = ByteWriter()
        writer.byte(attributes.isExecutable ? 1 : 0)
        writer.blob(attributes.modified?.attributeBytes ?? [])
        writer.count(attributes.extended.count)
        for (key, value) in attributes.extended.sorted(by: { $0.key < $1.key }) {
            writer.varint(UInt64(key.rawValue))
            writer.blob(value)
        }
        return writer.bytes
    }

    static func decode(_ bytes: [UInt8]) throws -> Attributes {
        var reader = ByteReader(bytes)
        var attributes = Attributes(isExecutable: try reader.byte() == 1)
        attributes.modified = FileTime(attributeBytes: try reader.blob(limit: 12))
        for _ in 0..<(try reader.count(limit: 1 << 16, each: 2)) {
            let key = AttributeKey(rawValue: try reader.number(UInt16.self))
            attributes.extended[key] = try reader.blob(limit: 1 << 24)
        }
        try reader.expectEnd()
        return attributes
    }
}
