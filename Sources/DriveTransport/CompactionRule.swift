import DriveCore

/// When rewriting the own journal pays.
public struct CompactionRule: Hashable, Sendable {
    /// So many small segments become one.
    public var smallSegments = 16
    /// What counts as small, in bytes as stored.
    public var small: UInt64 = 2 << 20
    /// At most so many bytes are read and written at once.
    public var batch: UInt64 = 16 << 20
    /// One call in so many looks at a large segment, to see whether more than half of it is dead: reading it is the
    /// only way to tell.
    public var examineOneIn: UInt64 = 16

    public init() {}

    /// Segments to be merged whatever is in them; empty where there are too few.
    func merged(_ segments: [SegmentReference]) -> [SegmentReference] {
        let small = segments.filter { $0.size < self.small }
        guard small.count >= smallSegments, small.count > 1 else { return [] }
        var total: UInt64 = 0
        return Array(
            small.prefix { segment in
                total += segment.size
                return total <= batch
            })
    }

    /// Large segments that may be half dead: since then at least half as many records were written as they hold.
    func suspects(_ segments: [SegmentReference], published: UInt64) -> [SegmentReference] {
        segments.filter { $0.size >= small && published - min($0.high, published) >= UInt64($0.records) / 2 }
    }
}
