import DriveCore

/// Fetches contents and verifies each chunk before it hands it on. Holds at most `ObjectWindows.capacity` bytes and
/// one chunk; a list of chunks on top for very large files.
final class CachingContentReader: ContentReader {
    private let folder: StoreFolder
    private let zstd = Zstd()
    private var windows = ObjectWindows()

    init(folder: StoreFolder) { self.folder = folder }

    func read(
        _ content: Content, deliver: (UnsafeRawBufferPointer) throws(DriveError) -> Void
    ) async throws(DriveError) {
        switch content.body {
        case .inline(let bytes):
            guard content.size == UInt64(bytes.count), ContentHasher.hash(of: bytes) == content.hash else {
                throw Self.damaged("the target of a link")
            }
            try Self.deliver(bytes, deliver)
        case .chunks(let chunks): try await read(chunks, of: content, deliver)
        case .list(let list):
            let bytes = try await chunk(list, limit: ChunkListCodec.maximumBytes)
            try await read(try ChunkListCodec.decode(bytes), of: content, deliver)
        }
    }

    private func read(
        _ chunks: [ChunkReference], of content: Content, _ deliver: (UnsafeRawBufferPointer) throws(DriveError) -> Void
    ) async throws(DriveError) {
        let size = chunks.reduce(UInt64(0)) { $0 + UInt64($1.length) }
        guard size == content.size, Content.hash(of: chunks) == content.hash else {
            throw Self.damaged("a list of chunks")
        }
        for reference in chunks {
            let bytes = try await chunk(reference, limit: Chunker.maximum)
            try Self.deliver(bytes, deliver)
        }
    }

    private func chunk(_ reference: ChunkReference, limit: Int) async throws(DriveError) -> [UInt8] {
        guard reference.length <= limit, Int(reference.storedLength) <= limit + (limit >> 7) + 512 else {
            throw Self.damaged("a chunk of forbidden length", reference.object)
        }
        let stored = try await stored(reference)
        guard stored.count == Int(reference.storedLength) else {
            throw Self.damaged("an object that is too short", reference.object)
        }
        let bytes: [UInt8]
        switch reference.encoding {
        case .raw: bytes = stored
        case .zstd: bytes = try zstd.decompress(stored, size: Int(reference.length))
        }
        guard bytes.count == Int(reference.length), ContentHash.sha256(bytes) == reference.id else {
            throw Self.damaged("a chunk that is not what it should be", reference.object)
        }
        return bytes
    }

    private func stored(_ reference: ChunkReference) async throws(DriveError) -> [UInt8] {
        let (end, isTooFar) = reference.offset.addingReportingOverflow(UInt64(reference.storedLength))
        guard !isTooFar else { throw Self.damaged("a chunk outside of its object", reference.object) }
        let range = reference.offset..<end
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
        _ bytes: [UInt8], _ deliver: (UnsafeRawBufferPointer) throws(DriveError) -> Void
    ) throws(DriveError) {
        try bytes.withUnsafeBufferPointer { all throws(DriveError) in try deliver(UnsafeRawBufferPointer(all)) }
    }

    private func fetch(_ key: ObjectKey, _ range: Range<UInt64>) async throws(DriveError) -> [UInt8] {
        guard let bytes = try await folder.get(key, range: range) else {
            throw DriveError(.notFound, "A part of a file is not on the store yet; it is tried again", path: key)
        }
        return bytes
    }

    private static func damaged(_ what: String, _ key: ObjectKey? = nil) -> DriveError {
        DriveError(
            .corrupt, "The store holds \(what); save the file again on a device that has it to replace it", path: key)
    }
}
