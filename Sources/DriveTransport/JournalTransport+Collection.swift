import DriveCompression
import DriveCore

// What collections need of a store; the decisions are in `CollectionPlan` and `ContentUse`.
extension JournalTransport {
    public func objects(of content: Content) async throws(DriveError) -> Set<ObjectKey> {
        Set(content.namedChunks.map(\.object)).union(try await chunks(of: content).map(\.object))
    }

    public func chunks(of content: Content) async throws(DriveError) -> [ChunkReference] {
        guard case .list(let list) = content.body else { return content.namedChunks }
        try list.checkLengths(limit: ChunkListCodec.maximumBytes)
        guard let stored = try await folder.get(list.object, range: list.range) else {
            throw DriveError(.notFound, "The list of a large file's parts is not on the store", path: list.object)
        }
        return try ChunkListCodec.decode(try list.plain(stored, Zstd()))
    }

    public func standings() async throws(DriveError) -> [JournalStanding] {
        var result: [JournalStanding] = []
        let names = Dictionary(grouping: try await headNames(), by: \.device)
        for (device, names) in names.sorted(by: { $0.key < $1.key }) {
            guard let newest = names.first else { continue }
            let head = try await head(newest)
            result.append(
                JournalStanding(
                    device: device, head: newest.key, published: newest.published, note: head?.collection,
                    labels: head?.labels ?? []))
        }
        return result
    }

    public func store(_ notice: CollectionNotice) async throws(DriveError) -> CollectionReference {
        let (bytes, reference) = CollectionObject.seal(notice)
        try await folder.put(CollectionObject.key(notice.device, notice.nonce), bytes)
        return reference
    }

    public func notice(
        of device: DeviceID, _ reference: CollectionReference
    ) async throws(DriveError) -> CollectionNotice? {
        guard reference.size <= UInt64(Envelope.limit(.collection)) else { return nil }
        let key = CollectionObject.key(device, reference.nonce)
        guard let bytes = try await folder.get(key, limit: Envelope.limit(.collection)) else { return nil }
        return try CollectionObject.open(bytes, of: device, reference)
    }

    public func remove(_ objects: [ObjectKey]) async throws(DriveError) {
        try await folder.delete(objects.filter(CollectionObject.mayRemove))
    }

    public func removeNotices(of device: DeviceID, but reference: CollectionReference?) async throws(DriveError) {
        let kept = reference.map { CollectionObject.key(device, $0.nonce) }
        for object in try await folder.list(CollectionObject.folder(device)) where object.key != kept {
            try await folder.delete(object.key)
        }
    }
}
