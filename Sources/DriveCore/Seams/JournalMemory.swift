/// What a device must durably remember of its own journal. A value: the transport computes new ones, the index saves
/// them, in the transaction that makes them true.
public struct JournalMemory: Hashable, Sendable {
    public var device: DeviceID
    /// The highest record number that is published.
    public var published: UInt64
    /// Counts heads of one `published`; each compaction adds one.
    public var generation: UInt32
    /// The live segments of this journal, ascending.
    public var segments: [SegmentReference]
    /// Keys of own heads that are still stored, oldest first; the last is the one in force.
    public var heads: [ObjectKey]
    /// Written down before the head is put: if the answer is lost, this name tells whether it arrived.
    public var intended: IntendedHead?
    /// The labels of this device: from which record on it bore which.
    public var labels: [DeviceLabel]
    /// What the next heads say about collections.
    public var collection = CollectionNote.none

    public init(device: DeviceID, labels: [DeviceLabel] = []) {
        self.device = device
        published = 0
        generation = 0
        segments = []
        heads = []
        intended = nil
        self.labels = labels
    }
}

public struct SegmentReference: Hashable, Sendable {
    public var low: UInt64
    public var high: UInt64
    public var key: ObjectKey
    public var size: UInt64
    public var hash: ContentHash
    /// How many records it holds, for deciding when compaction pays.
    public var records: UInt32

    public init(low: UInt64, high: UInt64, key: ObjectKey, size: UInt64, hash: ContentHash, records: UInt32) {
        self.low = low
        self.high = high
        self.key = key
        self.size = size
        self.hash = hash
        self.records = records
    }
}

public struct IntendedHead: Hashable, Sendable {
    public var key: ObjectKey
    public var published: UInt64
    public var generation: UInt32
    public var segments: [SegmentReference]

    public init(key: ObjectKey, published: UInt64, generation: UInt32, segments: [SegmentReference]) {
        self.key = key
        self.published = published
        self.generation = generation
        self.segments = segments
    }
}

/// From its record `from` on, the device was called `text`. 1 to 40 bytes, no `/`, control characters or parentheses.
public struct DeviceLabel: Hashable, Sendable {
    public var from: UInt64
    public var text: String

    public init(from: UInt64, text: String) {
        self.from = from
        self.text = text
    }
}

/// Records that belong together: readers see all of them or none.
public struct RecordGroup: Hashable, Sendable {
    public var records: [ItemState]

    public init(records: [ItemState]) { self.records = records }
}
