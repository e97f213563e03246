import DriveCore

/// Finds where a record and what is known of its item are a delete and an edit that did not see one another: the edit
/// stays, and the conflict stands until somebody changes the item again. `LifeNotes` tells people.
struct DeletesUndone {
    private let parts: DriveParts
    private let device: DeviceID
    private var found: [ItemID: Dot] = [:]

    /// For the journal of one device.
    init(_ parts: DriveParts, _ device: DeviceID) {
        self.parts = parts
        self.device = device
    }

    mutating func look(at record: ItemState, _ known: ItemState, own: DeviceID) {
        guard record.kind.hasContent else { return }
        if record.isDeleted, known.hasEdit(unseenBy: record) {
            found[record.id] = Dot(device: device, n: record.context[device])
        } else if known.isDeleted, record.hasEdit(unseenBy: known) {
            let deleter = known.context[own] > 0 ? own : known.context.entries.map(\.device).min() ?? own
            found[record.id] = Dot(device: deleter, n: known.context[deleter])
        }
    }

    /// Within the transaction of the join, once the view is up to date.
    func note() throws {
        let state = parts.state
        for (id, dot) in found.sorted(by: { $0.key < $1.key }) {
            guard let item = try state.item(id), item.shape.isAlive else { continue }
            let now = parts.clock.milliseconds()
            try state.save(
                ConflictRecord(
                    item: id, dot: dot, current: item.state.heads.last?.content.hash, copy: nil, ancestor: nil,
                    kind: .deleteVersusEdit, context: item.state.context, time: now))
        }
    }
}

extension ItemState {
    /// No life that is not marked: whether its folder brings it back is another matter.
    fileprivate var isDeleted: Bool { !life.contains { $0.mark.isEmpty } }

    fileprivate func hasEdit(unseenBy other: ItemState) -> Bool {
        !isDeleted && heads.contains { $0.mark.isEmpty && $0.dot.n > other.context[$0.dot.device] }
    }
}
