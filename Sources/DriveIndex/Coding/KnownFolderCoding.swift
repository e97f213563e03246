import DriveCore

/// Values of the table `knownFolder`.
enum KnownFolderCoding {
    static func encode(_ known: KnownFolder) -> [UInt8] {
        var writer = ByteWriter()
        for word in [known.digest.high, known.digest.low, known.rules.high, known.rules.low] { writer.fixed(word) }
        writer.varint(known.digest.count)
        writer.count(known.folders.count)
        for folder in known.folders {
            writer.varint(UInt64(bitPattern: folder.row.rawValue))
            writer.blob(folder.name.bytes)
        }
        return writer.bytes
    }

    static func decode(_ bytes: [UInt8]) throws -> KnownFolder {
        var reader = ByteReader(bytes)
        let high = try reader.fixed(UInt64.self)
        let low = try reader.fixed(UInt64.self)
        let rules = Fingerprint(high: try reader.fixed(UInt64.self), low: try reader.fixed(UInt64.self))
        let digest = FolderDigest(high: high, low: low, count: try reader.varint())
        var folders: [KnownFolder.Inner] = []
        for _ in 0..<(try reader.count(limit: ByteReader.listLimit, each: 2)) {
            let row = RowID(rawValue: Int64(bitPattern: try reader.varint()))
            folders.append(
                KnownFolder.Inner(row: row, name: FileName(bytes: try reader.blob(limit: ByteReader.listLimit))))
        }
        try reader.expectEnd()
        return KnownFolder(digest: digest, rules: rules, folders: folders)
    }
}
