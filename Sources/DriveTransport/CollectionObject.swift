import DriveCore

/// `gc/<device20>/<nonce16>`: what a device is about to remove, as an object.
enum CollectionObject {
    static func folder(_ device: DeviceID) -> String { "gc/\(device)/" }

    static func key(_ device: DeviceID, _ nonce: UInt64) -> ObjectKey {
        StoredKey.collectionKey(device, nonce: nonce)
    }

    static func seal(_ notice: CollectionNotice) -> (bytes: [UInt8], reference: CollectionReference) {
        var writer = ByteWriter(reserving: 64 + notice.objects.count * 64)
        writer.device(notice.device)
        writer.fixed(notice.nonce)
        writer.count(notice.basis.entries.count)
        for entry in notice.basis.entries {
            writer.device(entry.device)
            writer.varint(entry.n)
        }
        writer.count(notice.objects.count)
        for key in notice.objects { writer.blob(Array(key.utf8)) }
        let bytes = Envelope.seal(.collection, writer.bytes)
        let reference = CollectionReference(
            nonce: notice.nonce, size: UInt64(bytes.count), hash: .sha256(bytes))
        return (bytes, reference)
    }

    /// Nil where it is not the whole object that the head of `device` names.
    static func open(
        _ bytes: [UInt8], of device: DeviceID, _ reference: CollectionReference
    ) throws(DriveError) -> CollectionNotice? {
        guard UInt64(bytes.count) == reference.size, ContentHash.sha256(bytes) == reference.hash,
            let body = try Envelope.open(.collection, bytes)
        else { return nil }
        do throws(DriveError) {
            var reader = ByteReader(body)
            return try reader.notice(of: device, reference.nonce)
        } catch {
            return nil
        }
    }

    /// What a device may list: nothing else is ever removed.
    static func mayRemove(_ key: ObjectKey) -> Bool {
        StoredKey.isSafe(key) && (key.hasPrefix("pack/") || key.hasPrefix("blob/"))
    }
}

extension ByteReader {
    private var keyBytes: Int { 512 }

    fileprivate mutating func notice(
        of device: DeviceID, _ nonce: UInt64
    ) throws(DriveError) -> CollectionNotice? {
        guard try self.device() == device, try fixed(UInt64.self) == nonce else { return nil }
        var basis = DeviceVector()
        for _ in 0..<(try count(limit: 1 << 10, each: 11)) {
            let device = try self.device()
            basis[device] = try varint()
        }
        var objects: [ObjectKey] = []
        for _ in 0..<(try count(limit: CollectionNotice.maximumObjects, each: 2)) {
            objects.append(try text(limit: keyBytes))
        }
        try expectEnd()
        let notice = CollectionNotice(device: device, nonce: nonce, basis: basis, objects: objects)
        // Answers name places in this list.
        return notice.objects == objects && objects.allSatisfy(CollectionObject.mayRemove) ? notice : nil
    }
}
