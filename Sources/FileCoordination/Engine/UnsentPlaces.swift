import DriveCore

/// Where others have what waits to be published, and what has come there here.
///
/// To publish that first would show both to the others: what was there would keep its name, and the other get that of a conflict copy.
struct UnsentPlaces {
    private let state: any DriveState
    private let before: [ItemID: WithheldItems.Reason]
    private let device: DeviceID
    private let published: UInt64

    init(_ state: any DriveState) throws {
        self.state = state
        before = try WithheldItems(state).all()
        device = try state.numbers().device
        published = try state.journal().published
    }

    /// What waits for something that the store refuses, because others have that where this is now.
    struct Follower {
        /// What is refused.
        var leader: ItemID
        fileprivate var places: UnsentPlaces

        /// A record from before it came there can go.
        func holds(_ record: ItemState) -> Bool { places.mayHaveMoved(record) }
    }

    /// `waiting` are records that others know by an earlier one, `pending` the newest of what else waits to be published.
    func followers(of waiting: [ItemState], among pending: [ItemState]) throws -> [ItemID: Follower] {
        var left = Dictionary(pending.map { ($0.id, $0) }) { $1 }
        var open = waiting.map { (record: $0, leader: $0.id) }
        var result: [ItemID: Follower] = [:]
        while let (record, leader) = open.popLast() {
            guard let place = try place(of: record), let row = try state.row(at: place) else { continue }
            for member in row.members where member.item != record.id {
                guard let next = left.removeValue(forKey: member.item), mayHaveMoved(next) else { continue }
                result[next.id] = Follower(leader: leader, places: self)
                open.append((next, leader))
            }
        }
        return result
    }

    /// Where others have it, as far as that is known.
    func place(of record: ItemState) throws -> DrivePath? {
        if let known = before[record.id]?.place { return DrivePath(bytes: known) }
        guard let path = try path(of: record) else { return nil }
        guard hasMoved(record) else { return path }
        let event = try state.newestEvent(at: path)
        return event?.kind == .moved ? event?.from : nil
    }

    private func mayHaveMoved(_ record: ItemState) -> Bool { before[record.id] != nil || hasMoved(record) }

    /// Since the last record that was published. What was withheld before is recorded again, so that its numbers do not tell.
    private func hasMoved(_ record: ItemState) -> Bool {
        [record.name.tag.dot, record.placement.tag.dot].contains { $0.device == device && $0.n > published }
    }

    private func path(of record: ItemState) throws -> DrivePath? {
        if let row = try state.rows(holding: record.id).first(where: { !$0.isDerived }) {
            return try state.path(of: row)
        }
        return try ViewReader(state).path(ofNode: record.parent)?.appending(record.name.value)
    }
}
