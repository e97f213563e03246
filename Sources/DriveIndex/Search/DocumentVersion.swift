import DriveCore

/// The content of a file, and the ending of its name, which tells how to read it: what was read out of a file holds as long
/// as they are the same.
public struct DocumentVersion: Hashable, Sendable {
    var ending: [UInt8]
    var content: Content

    enum Content: Hashable {
        case hash(ContentHash)
        /// As long as the content was not hashed.
        case facts(size: UInt64, modified: FileTime, changed: FileTime)
    }

    /// Nil for what is no file, and for a file that is not in its place.
    public init?(_ row: Row) {
        guard row.kind == .file, row.facts.kind == .file, !row.isParked, !row.isHeld else { return nil }
        let name = row.name.bytes
        ending = NameFolding.folded(Array(name.lastIndex(of: 0x2E).map { name[$0...] } ?? name[...]))
        content =
            row.hash.map { .hash($0) }
            ?? .facts(size: row.facts.size, modified: row.facts.modified, changed: row.facts.changed)
    }

    var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 48)
        switch content {
        case .hash(let hash):
            writer.byte(1)
            writer.hash(hash)
        case .facts(let size, let modified, let changed):
            writer.byte(2)
            writer.varint(size)
            for time in [modified, changed] {
                writer.fixed(time.seconds)
                writer.fixed(time.nanoseconds)
            }
        }
        writer.raw(ending)
        return writer.bytes
    }
}
