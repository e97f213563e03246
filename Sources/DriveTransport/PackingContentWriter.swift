import DriveCompression
import DriveCore

/// Reads files once and stores what is new of them. Holds at most one pack and two chunks in memory.
///
/// A call that throws leaves the writer as it was, less what is stored already: the next call tries a full pack again,
/// under its name and with its bytes. A pack that the store refuses, for its size or for what is in it, is given up with what
/// it held (`givenUp`), and those after it are smaller.
final class PackingContentWriter: ContentWriter {
    private let folder: StoreFolder
    private let device: DeviceID
    private let entropy: any Entropy
    private let known: (ContentHash) throws -> ChunkReference?
    private let tell: ([ChunkReference]) throws -> Void
    private let listed: ([ChunkReference]) throws -> Void
    private let zstd = Zstd()
    private let limit: PutLimit
    private let maximumChunks: Int
    private var pack: OpenPack
    private(set) var givenUp: ObjectKey?
    private(set) var isRefusedAlone = false
    private let takesObjects: () async throws(DriveError) -> Bool
    /// Everything that this writer made, stored or still in the pack.
    private var own: [ContentHash: ChunkReference] = [:]
    /// What nobody was told of yet, and the bytes that it took.
    private var stored: [ChunkReference] = []
    private var storedBytes = 0
    /// As much is sent again at most by whoever is killed.
    private static let toldAfter = 4 << 20

    /// `tell` is told of chunks that the store has by then: after every 4 MiB of them, and where `add` or `finish` throws;
    /// `listed` of all that a list names, once it was told of them. `takesObjects` is asked where it is not known whether the store
    /// refuses just this.
    init(
        folder: StoreFolder, device: DeviceID, entropy: any Entropy, limit: PutLimit,
        maximumChunks: Int = ChunkListCodec.maximumChunks,
        known: @escaping (ContentHash) throws -> ChunkReference?, tell: @escaping ([ChunkReference]) throws -> Void,
        listed: @escaping ([ChunkReference]) throws -> Void, takesObjects: @escaping () async throws(DriveError) -> Bool
    ) {
        self.takesObjects = takesObjects
        self.folder = folder
        self.device = device
        self.entropy = entropy
        self.limit = limit
        self.maximumChunks = maximumChunks
        self.known = known
        self.tell = tell
        self.listed = listed
        pack = OpenPack(device: device, entropy: entropy)
    }

    func add(_ reader: any FileReader, like lists: ChunkLists) async throws(DriveError) -> Content? {
        isRefusedAlone = false
        // Cut as sparingly as it can be; to read it would take hours.
        if reader.facts.size > UInt64(maximumChunks) * UInt64(Chunker.maximum) { throw hasTooManyChunks() }
        do { return try await read(ChunkCutter(reader, like: lists), reader) } catch {
            // What stopped it is what is to be heard of.
            try? tellOfStored()
            throw error
        }
    }

    private func read(_ cutter: ChunkCutter, _ reader: any FileReader) async throws(DriveError) -> Content? {
        var cutter = cutter
        var chunks: [ChunkReference] = []
        var size: UInt64 = 0
        while let (id, length) = try cutter.next() {
            size += UInt64(length)
            if chunks.count == maximumChunks { throw hasTooManyChunks() }
            if let reference = try lookUp(id, length) {
                chunks.append(reference)
            } else {
                chunks.append(try await store(cutter.take(), id))
            }
        }
        guard try reader.isUnchanged() else { return nil }
        return Content(
            hash: Content.hash(of: chunks), size: size, modified: reader.facts.modified, body: try await body(chunks))
    }

    /// Of one file: all others are stored.
    private func hasTooManyChunks() -> DriveError {
        isRefusedAlone = true
        return DriveError(
            .usage, "a file of this size, about a tebibyte, cannot be stored; leave it out by .driveignore")
    }

    func finish() async throws(DriveError) -> [ChunkReference] {
        do { try await storePack() } catch {
            try? tellOfStored()
            throw error
        }
        defer { (stored, storedBytes) = ([], 0) }
        return stored
    }

    private func note(_ references: [ChunkReference], _ bytes: Int) throws(DriveError) {
        stored += references
        storedBytes += bytes
        if storedBytes >= Self.toldAfter { try tellOfStored() }
    }

    private func tellOfStored() throws(DriveError) {
        guard !stored.isEmpty else { return }
        try asked { try tell(stored) }
        (stored, storedBytes) = ([], 0)
    }

    private func body(_ chunks: [ChunkReference]) async throws(DriveError) -> Content.Body {
        if chunks.count <= Content.maximumInlineChunks { return .chunks(chunks) }
        let list = ChunkListCodec.encode(chunks)
        let id = ContentHash.sha256(list)
        let known = try lookUp(id, UInt32(list.count))
        let reference = if let known { known } else { try await store(list, id) }
        try tellOfStored()
        try asked { try listed(chunks) }
        return .list(reference)
    }

    private func store(_ chunk: [UInt8], _ id: ContentHash) async throws(DriveError) -> ChunkReference {
        let encoded = EncodedChunk(chunk, id: id, zstd)
        let reference: ChunkReference
        if chunk.count < OpenPack.limit {
            if !pack.takes(encoded, within: packBytes) { try await storePack() }
            if encoded.stored.count > packBytes { return try await storeAlone(encoded) }
            reference = pack.append(encoded)
        } else {
            let nonce = entropy.next()
            let bytes = (0..<5).map { UInt8(truncatingIfNeeded: nonce >> (8 * $0)) }
            let key = StoredKey.blobKey(id, nonce: bytes)
            try await put(key, encoded.stored)
            reference = encoded.reference(in: key, offset: 0)
            try note([reference], encoded.stored.count)
        }
        own[id] = reference
        return reference
    }

    private func lookUp(_ id: ContentHash, _ length: UInt32) throws(DriveError) -> ChunkReference? {
        if let reference = own[id] { return reference.length == length ? reference : nil }
        let reference = try asked { try known(id) }
        return reference?.length == length ? reference : nil
    }

    private func asked<Answer>(_ body: () throws -> Answer) throws(DriveError) -> Answer {
        do { return try body() } catch let error as DriveError { throw error } catch {
            throw DriveError(.inputOutput, "The index could not be used (\(error))")
        }
    }

    private var packBytes: Int { min(OpenPack.target, folder.objects.capabilities.packBytes, limit.bytes) }

    /// One that may be more than the store takes: if it is, that is its file's alone.
    private func storeAlone(_ chunk: EncodedChunk) async throws(DriveError) -> ChunkReference {
        var alone = OpenPack(device: device, entropy: entropy)
        let reference = alone.append(chunk)
        do { try await put(alone.key, alone.bytes) } catch {
            if isRefusedAlone { limit.took() }
            throw error
        }
        own[chunk.id] = reference
        limit.took()
        try note([reference], alone.bytes.count)
        return reference
    }

    private func storePack() async throws(DriveError) {
        guard !pack.references.isEmpty else { return }
        do { try await put(pack.key, pack.bytes) } catch {
            if isRefusedAlone { giveUpPack(isForSize: error.kind == .tooLarge) }
            throw error
        }
        limit.took()
        let full = pack
        pack = OpenPack(device: device, entropy: entropy)
        try note(full.references, full.bytes.count)
    }

    private func put(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
        do { try await folder.put(key, bytes) } catch {
            isRefusedAlone = try await refusesAlone(key, error)
            throw error
        }
    }

    private func refusesAlone(_ key: ObjectKey, _ error: DriveError) async throws(DriveError) -> Bool {
        if error.refuses(folder.prefix + key) { return true }
        guard [.permissionDenied, .refused].contains(error.kind) else { return false }
        return try await takesObjects()
    }

    private func giveUpPack(isForSize: Bool) {
        if isForSize { limit.refused(pack.bytes.count) } else { limit.searches(pack.bytes.count) }
        for reference in pack.references { own[reference.id] = nil }
        givenUp = pack.key
        pack = OpenPack(device: device, entropy: entropy)
    }
}

extension DriveError {
    /// Whether it is this object that the store does not take, for its size.
    func refuses(_ key: ObjectKey) -> Bool { kind == .tooLarge && path?.hasSuffix(key) == true }
}
