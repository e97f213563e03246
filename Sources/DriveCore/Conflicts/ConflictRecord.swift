/// What is known of one conflict besides what the view shows: computed once, and kept while it stands.
public struct ConflictRecord: Hashable, Sendable {
    public var item: ItemID
    /// The copy's head; for a delete against an edit, the record that deleted.
    public var dot: Dot
    /// What the file itself had when the class was computed.
    public var current: ContentHash?
    /// Nil where one side is deleted.
    public var copy: ContentHash?
    /// The content that both sides come from; nil where it is not known.
    public var ancestor: ContentHash?
    public var kind: ConflictClass
    /// The item's records when this was found: a delete against an edit ends with the next one.
    public var context: DeviceVector
    /// When it was found, in milliseconds since 1970.
    public var time: UInt64

    public init(
        item: ItemID, dot: Dot, current: ContentHash?, copy: ContentHash?, ancestor: ContentHash?, kind: ConflictClass,
        context: DeviceVector, time: UInt64
    ) {
        self.item = item
        self.dot = dot
        self.current = current
        self.copy = copy
        self.ancestor = ancestor
        self.kind = kind
        self.context = context
        self.time = time
    }
}
