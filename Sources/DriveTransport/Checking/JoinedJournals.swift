public import DriveCore

/// What all journals of a store together say, for comparing it with what a device remembers.
public struct JoinedJournals: Sendable {
    public private(set) var states: [ItemID: ItemState] = [:]
    /// By device, as the newest heads have them.
    public private(set) var labels = DeviceLabels()

    public init(_ journals: [CheckedJournal]) {
        for journal in journals {
            labels[journal.device] = journal.labels
            for record in journal.records { states[record.id] = states[record.id]?.joined(record) ?? record }
        }
    }

    /// Whether a device knows something of an item that none of the journals tells.
    public func lack(_ state: ItemState) -> Bool {
        guard let there = states[state.id] else { return true }
        return there.joined(state) != there
    }

    /// Whether a state is not what its records say: the same records always join to the same state.
    public func contradict(_ state: ItemState) -> Bool {
        guard let there = states[state.id], there.context == state.context else { return false }
        return there != state
    }
}
