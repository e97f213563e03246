import DriveCore

/// When rewriting the own journal pays.
public struct CompactionRule: Hashable, Sendable {
    /// So many small segments become one, or as few as hold them; not where fewer fit into a batch.
    public var smallSegments = 16
    /// A segment that holds so many times what all lighter ones do waits until they are more.
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

    /// Segments to be merged whatever is in them; empty where there are too few. The lightest first: what is filled with heavy
    /// ones would become as many again, each time, and those that come with every change would stay.
    func merged(_ segments: [SegmentReference]) -> [SegmentReference] {
        let small = withoutHeavy(segments.filter(isSmall)).sorted { ($0.records, $0.high) < ($1.records, $1.high) }
        var (bytes, records): (UInt64, UInt64) = (0, 0)
        let lightest = small.prefix { segment in
            bytes += segment.size
            records += UInt64(segment.records)
            return bytes <= batch && records <= UInt64(batchRecords)
        }
        return lightest.count >= max(2, smallSegments) ? Array(lightest) : []
    }

    /// Without those that hold many times what all lighter ones do: they would be written again for the sake of little.
    private func withoutHeavy(_ segments: [SegmentReference]) -> [SegmentReference] {
        var total = segments.reduce(0) { $0 + UInt64($1.records) }
        var heavy: Set<ObjectKey> = []
        for segment in segments.sorted(by: { $0.records > $1.records }) {
            let rest = total - UInt64(segment.records)
            guard UInt64(segment.records) > heavyShare * rest else { break }
            heavy.insert(segment.key)
            total = rest
        }
        return segments.filter { !heavy.contains($0.key) }
    }

    private func isSmall(_ segment: SegmentReference) -> Bool {
        segment.size < small && UInt64(segment.records) * 2 <= UInt64(batchRecords)
    }

    /// Large segments that may be half dead: since then at least half as many records were written as they hold.
    func suspects(_ segments: [SegmentReference], published: UInt64) -> [SegmentReference] {
        segments.filter { !isSmall($0) && published - min($0.high, published) >= UInt64($0.records) / 2 }
    }
}
