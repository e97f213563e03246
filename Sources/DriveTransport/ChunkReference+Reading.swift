import DriveCompression
import DriveCore

// From stored bytes to plain ones, with every check on the way.
extension ChunkReference {
    /// What a chunk of at most `limit` bytes may claim.
    func checkLengths(limit: Int) throws(DriveError) {
        guard length <= limit, Int(storedLength) <= limit + (limit >> 7) + 512 else {
            throw .damagedContent("a chunk of forbidden length", object)
        }
    }

    /// Where it lies in its object.
    var range: Range<UInt64> {
        get throws(DriveError) {
            let (end, isTooFar) = offset.addingReportingOverflow(UInt64(storedLength))
            guard !isTooFar else { throw .damagedContent("a chunk outside of its object", object) }
            return offset..<end
        }
    }

    /// The bytes that it names, or `corrupt`.
    func plain(_ stored: [UInt8], _ zstd: Zstd) throws(DriveError) -> [UInt8] {
        guard stored.count == Int(storedLength) else {
            throw .damagedContent("an object that is too short", object)
        }
        let bytes: [UInt8]?
        switch encoding {
        case .raw: bytes = stored
        case .zstd: bytes = try? zstd.decompress(stored, size: Int(length))
        }
        guard let bytes, bytes.count == Int(length), ContentHash.sha256(bytes) == id else {
            throw .damagedContent("a chunk that is not what it should be", object)
        }
        return bytes
    }

    /// The chunks that it names where it is a list, from the whole object that it lies in.
    package func listed(in object: [UInt8]) throws(DriveError) -> [ChunkReference] {
        try checkLengths(limit: ChunkListCodec.maximumBytes)
        let range = try range
        guard range.upperBound <= UInt64(object.count) else {
            throw .damagedContent("an object that is too short", self.object)
        }
        let stored = Array(object[Int(range.lowerBound)..<Int(range.upperBound)])
        return try ChunkListCodec.decode(plain(stored, Zstd()))
    }
}

extension DriveError {
    static func damagedContent(_ what: String, _ key: ObjectKey? = nil) -> DriveError {
        DriveError(
            .corrupt, "The store holds \(what); `docdrive store check --repair` on a device that has the file mends it",
            path: key)
    }
}
