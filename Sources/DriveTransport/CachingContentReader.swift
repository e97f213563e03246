import DriveCompression
import DriveCore

/// Fetches contents and verifies each chunk before it hands it on. Holds at most `ObjectWindows.capacity` bytes and
/// one chunk; a list of chunks on top for very large files. What the store was found not to have is not asked for again.
final class CachingContentReader: ContentReader {
    private let folder: StoreFolder
    private let zstd = Zstd()
    private var windows = ObjectWindows()
    /// A pack may be wanted for thousands of files.
    private var missing: Set<ObjectKey> = []
    /// Of earlier readers too.
    private let flawed: KnownFlaws<ContentFlaw>

    init(folder: StoreFolder, flawed: KnownFlaws<ContentFlaw>) {
        self.folder = folder
        self.flawed = flawed
    }

    func read(
        _ content: Content, reusing local: [LocalContent],
        deliver: (UnsafeRawBufferPointer, LocalPlace?) throws(DriveError) -> Void
    ) async throws(DriveError) -> UInt64 {
        switch content.body {
        case .inline(let bytes):
            guard content.size == UInt64(bytes.count), ContentHasher.hash(of: bytes) == content.hash else {
                throw DriveError.damagedContent("the target of a link")
            }
            try Self.deliver(bytes, deliver)
            return 0
        default:
            let chunks = try await self.chunks(of: content)
            return try await read(chunks, of: content, await self.chunks(in: local), deliver)
        }
    }

    private func chunks(of content: Content) async throws(DriveError) -> [ChunkReference] {
        switch content.body {
        case .inline: []
        case .chunks(let chunks): chunks
        case .list(let list): try ChunkListCodec.decode(await chunk(list, limit: ChunkListCodec.maximumBytes))
        }
    }

    /// Of a content whose list the store does not have any more nothing is known here either.
    private func chunks(in local: [LocalContent]) async -> LocalChunks {
        var result = LocalChunks()
        for local in local {
            if let chunks = try? await chunks(of: local.content) { result.add(chunks, in: local) }
        }
        return result
    }

    private func read(
        _ chunks: [ChunkReference], of content: Content, _ local: LocalChunks,
        _ deliver: (UnsafeRawBufferPointer, LocalPlace?) throws(DriveError) -> Void
    ) async throws(DriveError) -> UInt64 {
        let size = chunks.reduce(UInt64(0)) { $0 + UInt64($1.length) }
        guard size == content.size, Content.hash(of: chunks) == content.hash else {
            throw DriveError.damagedContent("a list of chunks")
        }
        try await checkFlaws(of: chunks, local)
        var fetched: UInt64 = 0
        for reference in chunks {
            if reference.length <= Chunker.maximum, let (bytes, place) = local.bytes(of: reference) {
                try Self.deliver(bytes, at: place, deliver)
                continue
            }
            try Self.deliver(try await chunk(reference, limit: Chunker.maximum), deliver)
            fetched += UInt64(reference.length)
        }
        return fetched
    }

    private func chunk(_ reference: ChunkReference, limit: Int) async throws(DriveError) -> [UInt8] {
        try reference.checkLengths(limit: limit)
        do throws(DriveError) { return try reference.plain(try await stored(reference), zstd) } catch {
            switch error.kind {
            case .notFound: flawed.note(.object(reference.object), isDamaged: false)
            case .corrupt: flawed.note(.chunk(reference), isDamaged: true)
            // Of the disk that it is brought to that would say something else.
            case .permissionDenied: throw DriveError(.objectDenied, error.message, path: error.path)
            default: break
            }
            throw error
        }
    }

    /// A content of which something cannot be had is not fetched for the rest of it, again with each pass.
    private func checkFlaws(of chunks: [ChunkReference], _ local: LocalChunks) async throws(DriveError) {
        guard !flawed.isEmpty else { return }
        let wanted = chunks.filter { !local.holds($0) }
        for reference in wanted {
            let parts = [ContentFlaw.object(reference.object), .chunk(reference)]
            guard let (part, isDue) = flawed.suspect(in: parts) else { continue }
            guard isDue else { throw .damagedContent("a chunk that is not what it should be", reference.object) }
            _ = try await chunk(reference, limit: Chunker.maximum)
            flawed.forget(part)
        }
    }

    private func stored(_ reference: ChunkReference) async throws(DriveError) -> [UInt8] {
        let range = try reference.range
        let key = reference.object
        if let bytes = windows.bytes(key, range) { return bytes }
        // Objects of one chunk are read once.
        guard key.hasPrefix("pack/") else { return try await fetch(key, range) }
        let request = windows.request(key, range)
        let bytes = try await fetch(key, request)
        windows.keep(key, from: range.lowerBound, bytes)
        return Array(bytes.prefix(Int(reference.storedLength)))
    }

    private static func deliver(
        _ bytes: [UInt8], at place: LocalPlace? = nil,
        _ deliver: (UnsafeRawBufferPointer, LocalPlace?) throws(DriveError) -> Void
    ) throws(DriveError) {
        try bytes.withUnsafeBufferPointer { all throws(DriveError) in
            try deliver(UnsafeRawBufferPointer(all), place)
        }
    }

    private func fetch(_ key: ObjectKey, _ range: Range<UInt64>) async throws(DriveError) -> [UInt8] {
        if !missing.contains(key) {
            if let bytes = try await folder.get(key, range: range) { return bytes }
            missing.insert(key)
        }
        throw DriveError(.notFound, "A part of a file is not on the store yet; it is tried again", path: key)
    }
}

/// What a content lacks on the store.
enum ContentFlaw: Hashable {
    /// Not there, or not yet.
    case object(ObjectKey)
    /// There, and not what it should be.
    case chunk(ChunkReference)
}
