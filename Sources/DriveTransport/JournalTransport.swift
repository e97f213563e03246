import DriveCore

/// Per-device journals over any object store: every device writes only objects of its own under names that nobody
/// writes twice, and the drive is the join of all journals. See `docs/format.md`.
///
/// Safe to use from several tasks for different purposes (fetching, sending contents), but one journal has one writer:
/// `recover`, `prepare`, `publish` and `compact` are called one after the other.
public struct JournalTransport: Transport {
    public let store: StoreInfo
    /// Writes packs under this device's name.
    public let device: DeviceID
    let folder: StoreFolder
    let entropy: any Entropy
    let compaction: CompactionRule
    let limit = PutLimit()
    let flaws: StoreFlaws
    /// Bytes that are fetched at once: the journals after the one that fills it come with the next fetch.
    let portion: Int

    public init(
        _ objects: any ObjectStore, store: StoreInfo, device: DeviceID, entropy: any Entropy,
        compaction: CompactionRule = CompactionRule(), flaws: StoreFlaws = StoreFlaws(),
        portion: Int = 256 << 20
    ) {
        self.portion = portion
        self.flaws = flaws
        self.store = store
        self.device = device
        folder = StoreFolder(objects, store.id)
        self.entropy = entropy
        self.compaction = compaction
    }

    public func contentWriter(
        known: @escaping (ContentHash) throws -> ChunkReference?, stored: @escaping ([ChunkReference]) throws -> Void,
        listed: @escaping ([ChunkReference]) throws -> Void
    ) -> any ContentWriter {
        PackingContentWriter(
            folder: folder, device: device, entropy: entropy, limit: limit, known: known, tell: stored, listed: listed,
            takesObjects: takesObjects)
    }

    public func takesObjects() async throws(DriveError) -> Bool {
        // A name that nothing refers to.
        let key = StoredKey.packKey(device, nonce: entropy.next())
        do { try await folder.put(key, [0]) } catch {
            if error.remedy == .skip || error.kind == .noSpace { return false }
            throw error
        }
        do { try await folder.delete(key) } catch {}
        return true
    }

    public func contentReader() -> any ContentReader { CachingContentReader(folder: folder, flawed: flaws.contents) }

    public func contentObjects() async throws(DriveError) -> [ObjectKey: UInt64] {
        var sizes: [ObjectKey: UInt64] = [:]
        for start in ["pack/", "blob/"] {
            for object in try await folder.list(start) { sizes[object.key] = object.size }
        }
        return sizes
    }

    public func missing(of objects: [ObjectKey: UInt64]) async throws(DriveError) -> Set<ObjectKey> {
        if objects.count > Self.fewObjects {
            let all = try await contentObjects()
            return Set(objects.filter { key, length in all[key].map { $0 < length } ?? true }.keys)
        }
        var missing: Set<ObjectKey> = []
        for (key, length) in objects.sorted(by: { $0.key < $1.key }) {
            // The last byte tells of all that come before it.
            let last = max(length, 1) - 1
            do throws(DriveError) {
                if try await folder.get(key, range: last..<last + 1)?.isEmpty ?? true { missing.insert(key) }
            } catch {
                // It is there, and may be whole.
                guard error.kind == .objectFailed else { throw error }
            }
        }
        return missing
    }

    /// A list has up to a thousand, and as many are looked for in a store that is a folder.
    private static let fewObjects = 16

    /// The head if the object is there and whole.
    func head(_ name: HeadName) async throws(DriveError) -> JournalHead? {
        let bytes = try await trying { () async throws(DriveError) in
            try await folder.get(name.key, limit: Envelope.limit(.head))
        }
        guard let bytes else { return nil }
        return try JournalHead.open(name, bytes)
    }

    /// A second time where a disk failed to read: who goes on without a journal that can be read takes for new what its device has
    /// deleted.
    func trying<Result>(
        _ read: () async throws(DriveError) -> Result
    ) async throws(DriveError) -> Result {
        do throws(DriveError) { return try await read() } catch {
            guard error.kind == .inputOutput else { throw error }
            return try await read()
        }
    }

    /// The names of all heads, newest first for each device.
    func headNames() async throws(DriveError) -> [HeadName] {
        let listed = try await folder.list(HeadName.folder)
        return listed.compactMap { HeadName($0.key) }.sorted { $0.isNewer(than: $1) }
    }

    func nonce() -> UInt32 { UInt32(truncatingIfNeeded: entropy.next()) }
}
