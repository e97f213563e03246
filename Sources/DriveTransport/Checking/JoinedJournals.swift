public import DriveCore

/// What all journals of a store together say, for comparing it with what a device remembers. After a quick look only the labels.
public struct JoinedJournals: Sendable {
    /// Of the records of segments that are whole.
    public private(set) var states = PackedStates()
    /// By device, as the newest heads have them.
    public private(set) var labels = DeviceLabels()
    /// Of each device the newest head that is there, whole or not.
    public internal(set) var newestHeads: [DeviceID: ObjectKey] = [:]

    public init() {}

    mutating func add(_ head: JournalHead) { labels[head.name.device] = head.labels }

    mutating func add(_ records: [ItemState]) throws(DriveError) {
        for record in records { states.set(try states.state(record.id)?.joined(record) ?? record) }
    }

    public func comparison(with state: ItemState) throws(DriveError) -> Comparison {
        guard let there = try states.state(state.id) else { return Comparison(joined: state, lacks: true) }
        let joined = there.joined(state)
        return Comparison(
            joined: joined, lacks: joined != there, contradicts: there.context == state.context && there != state)
    }

    /// Of what a device knows of an item with what the journals tell.
    public struct Comparison: Sendable {
        /// What both together say.
        public var joined: ItemState
        /// The device knows something that none of the journals tells.
        public var lacks = false
        /// The device's state is not what its records say: the same records always join to the same state.
        public var contradicts = false
    }
}
