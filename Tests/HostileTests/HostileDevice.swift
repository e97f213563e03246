import DriveCompression
import DriveCore

@testable import DriveTransport

/// Somebody with write access to the store and no good intentions. Its journal has right names, lengths and checksums;
/// what is in it is up to the test.
struct HostileDevice {
    let id: DeviceID
    let folder: StoreFolder
    let entropy: any Entropy
    private(set) var last: UInt64 = 0
    private var generation: UInt32 = 0
    private var segments: [SegmentReference] = []

    init(_ id: DeviceID, _ folder: StoreFolder, entropy: any Entropy) {
        self.id = id
        self.folder = folder
        self.entropy = entropy
    }

    /// A record as an honest device would write it, for the test to spoil.
    mutating func item(
        _ name: FileName, _ kind: ItemKind = .file, in parent: ItemID = .root, content: Content? = nil,
        time: HybridTime = HybridTime(milliseconds: 1_000_000), id item: ItemID? = nil
    ) -> ItemState {
        last += 1
        let dot = Dot(device: id, n: last)
        let tag = Tag(time: time, dot: dot)
        let heads = content.map { [Head(dot: dot, time: time, content: $0)] } ?? []
        return ItemState(
            id: item ?? entropy.itemID(), kind: kind, context: DeviceVector(id, last),
            name: Register(tag: tag, value: name),
            placement: Register(tag: tag, value: Placement(parent: parent, from: parent)), heads: heads,
            life: [LifeDot(dot: dot)])
    }

    /// Stores a chunk and makes a content of it.
    func content(_ bytes: [UInt8], modified: FileTime = FileTime(seconds: 1_000_000)) async throws -> Content {
        let chunk = try await chunk(bytes)
        return Content(
            hash: chunk.id, size: UInt64(bytes.count), modified: modified, body: .chunks(bytes.isEmpty ? [] : [chunk]))
    }

    func chunk(_ bytes: [UInt8], stored: [UInt8]? = nil, length: Int? = nil) async throws -> ChunkReference {
        let id = ContentHash.sha256(bytes)
        let key = StoredKey.packKey(self.id, nonce: entropy.next())
        try await folder.put(key, stored ?? bytes)
        return ChunkReference(
            id: id, length: UInt32(length ?? bytes.count), object: key, offset: 0,
            storedLength: UInt32((stored ?? bytes).count), encoding: stored == nil ? .raw : .zstd)
    }

    func link(_ target: String) -> Content {
        Content.link(target: Array(target.utf8), modified: FileTime(seconds: 1_000_000))
    }

    mutating func publish(
        _ records: [ItemState], label: String? = "evil", seen: DeviceVector = DeviceVector(),
        through: UInt64? = nil
    ) async throws {
        var encoder = RecordEncoder()
        for record in records { encoder.append(record) }
        try await publish(encoded: encoder.finish(), count: records.count, label: label, seen: seen, through: through)
    }

    /// The lie may be in the bytes, in how many records they are said to be, or in how long.
    mutating func publish(
        encoded: [UInt8], count: Int, size: UInt32? = nil, frame: [UInt8]? = nil, label: String? = "evil",
        seen: DeviceVector = DeviceVector(), through: UInt64? = nil
    ) async throws {
        generation += 1
        var writer = ByteWriter()
        writer.device(id)
        writer.fixed(UInt64(1))
        writer.fixed(last)
        writer.fixed(UInt32(count))
        writer.fixed(size ?? UInt32(encoded.count))
        writer.raw(try frame ?? Zstd().compress(encoded, level: 3))
        let bytes = Envelope.seal(.segment, writer.bytes)
        let name = SegmentName(device: id, low: 1, high: max(last, 1), generation: generation, nonce: generation)
        try await folder.put(name.key, bytes)
        segments.append(
            SegmentReference(
                low: 1, high: max(last, 1), key: name.key, size: UInt64(bytes.count), hash: .sha256(bytes),
                records: UInt32(count)))
        try await publish(segments, label: label, seen: seen, through: through)
    }

    /// The head alone, whatever it claims about its segments.
    mutating func publish(
        _ segments: [SegmentReference], label: String? = "evil", seen: DeviceVector = DeviceVector(),
        through: UInt64? = nil
    ) async throws {
        generation += 1
        let name = HeadName(device: id, published: through ?? max(last, 1), generation: generation, nonce: generation)
        let labels = label.map { [DeviceLabel(from: 0, text: $0)] } ?? []
        let head = JournalHead(name: name, segments: segments, seen: seen, labels: labels, previous: nil)
        try await folder.put(name.key, head.sealed())
    }
}
