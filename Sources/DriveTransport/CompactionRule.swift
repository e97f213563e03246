import DriveCore

/// When rewriting the own journal pays.
public struct CompactionRule: Hashable, Sendable {
    /// So many small segments become one, or as few as hold them; not where fewer fit into a batch.
    public var smallSegments = 16
    /// A segment that holds more than so many times what all lighter ones do is not merged with them, where they are enough.
    public var heavyShare: UInt64 = 8
    /// What counts as small, in bytes as stored; what has half of the records that may be read at once does not.
    public var small: UInt64 = 2 << 20
    /// At most so many bytes, as stored, and records are read and written at once: a record takes a kilobyte in memory.
    public var batch: UInt64 = 16 << 20
    public var batchRecords = 32_768
    /// One call in so many looks at a large segment, to see whether more than half of it is dead: reading it is the
    /// only way to tell.
    public var examineOneIn: UInt64 = 16

    public init() {}

    /// Segments to be merged whatever is in them; empty where there are too few. The lightest first, up to one that holds many
    /// times what they do: it would be written again each time for the sake of little. Filled with heavy ones, a batch would
    /// become as many again, and those that come with every change would stay.
    func merged(_ segments: [SegmentReference]) -> [SegmentReference] {
        var lightest: [SegmentReference] = []
        var (bytes, records): (UInt64, UInt64) = (0, 0)
        for segment in segments.filter(isSmall).sorted(by: { ($0.records, $0.high) < ($1.records, $1.high) }) {
            if lightest.count >= smallSegments, UInt64(segment.records) > heavyShare * records { break }
            bytes += segment.size
            records += UInt64(segment.records)
            guard bytes <= batch, records <= UInt64(batchRecords) else { break }
            lightest.append(segment)
        }
        return lightest.count >= max(2, smallSegments) ? lightest : []
    }

    private func isSmall(_ segment: SegmentReference) -> Bool {
        segment.size < small && UInt64(segment.records) * 2 <= UInt64(batchRecords)
    }

    /// Large segments that may be half dead: since then at least half as many records were written as they hold.
    func suspects(_ segments: [SegmentReference], published: UInt64) -> [SegmentReference] {
        segments.filter { !isSmall($0) && published - min($0.high, published) >= UInt64($0.records) / 2 }
    }
}
