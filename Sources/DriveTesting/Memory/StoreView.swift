import DriveCore

/// A `MemoryObjectStore` as one device sees it. No call ever suspends.
public struct StoreView: ObjectStore {
    public let store: MemoryObjectStore
    public let reader: Int
    public var capabilities: StoreCapabilities { StoreCapabilities() }

    public func get(_ key: ObjectKey, range: Range<UInt64>?) async throws(DriveError) -> [UInt8]? {
        let fault = try store.begin(.get, key, reader: reader)
        let bytes = store.visibleBytes(key, to: reader)
        try store.end(fault, reader: reader)
        guard var bytes else { return nil }
        if let range {
            let count = UInt64(bytes.count)
            bytes = Array(bytes[Int(min(range.lowerBound, count))..<Int(min(range.upperBound, count))])
        }
        switch fault {
        case .flippedBit(let bit) where !bytes.isEmpty: bytes[bit / 8 % bytes.count] ^= 1 << UInt8(bit % 8)
        case .shortRead(let kept): bytes = Array(bytes.prefix(kept))
        default: break
        }
        return bytes
    }

    public func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
        let fault = try store.begin(.put, key, reader: reader)
        switch fault {
        case .torn(let kept), .killedTorn(let kept): try store.store(key, bytes, kept: kept, writer: reader)
        default: try store.store(key, bytes, kept: nil, writer: reader)
        }
        try store.end(fault, reader: reader)
    }

    public func list(prefix: String, after: ObjectKey?, limit: Int) async throws(DriveError) -> [StoredObject] {
        let fault = try store.begin(.list, prefix, reader: reader)
        let result = store.visibleKeys(prefix: prefix, after: after, limit: limit, to: reader)
        try store.end(fault, reader: reader)
        return result
    }

    public func delete(_ key: ObjectKey) async throws(DriveError) {
        let fault = try store.begin(.delete, key, reader: reader)
        store.delete(key)
        try store.end(fault, reader: reader)
    }
}
