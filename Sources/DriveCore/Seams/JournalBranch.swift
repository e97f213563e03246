/// What somebody else has published under this device's id: a clone, or what a restored backup was made from.
public struct JournalBranch: Sendable {
    /// The head that shows it.
    public var head: ObjectKey
    /// Its highest record number.
    public var published: UInt64
    /// It goes on from the head that this device has in force, as the journal does of which a backup was restored: who writes it has
    /// all that this device has published. False also where nobody can tell.
    public var isLater: Bool
    /// What both journals consist of.
    public var both: [SegmentReference]
    /// What only the other journal consists of, in the order of numbers.
    public var theirs: [Part]
    /// What only this device's journal consists of, likewise.
    public var ours: [Part]

    public struct Part: Sendable {
        public var reference: SegmentReference
        /// Nil where it is not there, or not whole: late, or removed by who has rewritten the journal.
        public var segment: (any FetchedSegment)?

        public init(_ reference: SegmentReference, _ segment: (any FetchedSegment)?) {
            (self.reference, self.segment) = (reference, segment)
        }
    }

    public init(
        head: ObjectKey, published: UInt64, isLater: Bool, both: [SegmentReference], theirs: [Part], ours: [Part]
    ) {
        (self.head, self.published, self.isLater) = (head, published, isLater)
        (self.both, self.theirs, self.ours) = (both, theirs, ours)
    }
}
