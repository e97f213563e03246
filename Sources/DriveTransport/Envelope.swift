import DriveCore

/// What every journal object is wrapped in: magic, version, length, body, and SHA-256 of all that, so that a torn or
/// damaged object is as if it were not there.
///
/// The envelope stays the same in all later versions: a reader can tell "damaged" from "newer".
enum Envelope {
    enum Kind: UInt32 {
        // "DDfm", "DDhd", "DDsg", "DDgc"
        case format = 0x4444_666D
        case head = 0x4444_6864
        case segment = 0x4444_7367
        case collection = 0x4444_6763
    }

    static let version: UInt16 = 1
    /// The most that a reader takes of an object of each kind. Later versions keep to it: a longer one is damage.
    static func limit(_ kind: Kind) -> Int {
        switch kind {
        case .format: 4 << 10
        case .head: 16 << 20
        case .segment: Segment.maximum + Segment.maximum >> 6
        case .collection: 16 << 20
        }
    }

    private static let headerLength = 16
    private static let trailerLength = 32

    static func seal(_ kind: Kind, _ body: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(reserving: headerLength + body.count + trailerLength)
        writer.fixed(kind.rawValue)
        writer.fixed(version)
        writer.fixed(UInt16(0))
        writer.fixed(UInt64(body.count))
        writer.raw(body)
        writer.hash(.sha256(writer.bytes))
        return writer.bytes
    }

    /// Nil where the bytes are not a whole object of the kind. Throws only `newerFormat`.
    static func open(_ kind: Kind, _ bytes: [UInt8]) throws(DriveError) -> [UInt8]? {
        guard bytes.count >= headerLength + trailerLength else { return nil }
        let bodyEnd = bytes.count - trailerLength
        let isWhole = bytes.withUnsafeBytes { all in
            let trailer = ContentHash(bytes: all[bodyEnd...])
            return trailer == .sha256(UnsafeRawBufferPointer(rebasing: all[..<bodyEnd]))
        }
        guard isWhole, let header = try? header(bytes), header.magic == kind.rawValue,
            header.length == UInt64(bodyEnd - headerLength)
        else { return nil }
        guard header.version <= version else {
            throw DriveError(
                .newerFormat,
                "The store has version \(header.version), this program knows \(version); update it to go on")
        }
        return Array(bytes[headerLength..<bodyEnd])
    }

    private static func header(
        _ bytes: [UInt8]
    ) throws(DriveError) -> (magic: UInt32, version: UInt16, length: UInt64) {
        var reader = ByteReader(Array(bytes[..<headerLength]))
        let magic = try reader.fixed(UInt32.self)
        let version = try reader.fixed(UInt16.self)
        _ = try reader.fixed(UInt16.self)
        return (magic, version, try reader.fixed(UInt64.self))
    }
}
