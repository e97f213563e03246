import DriveCore

/// What the records of one journal do to the lives of items: who deleted what, and where a delete and an edit met. No record
/// says so afterwards, because what lost is superseded. A delete against an edit is a conflict until somebody changes the item.
struct LifeNotes {
    private let parts: DriveParts
    /// Whose journal it is, and who reads it.
    private let journal: DeviceID
    private let own: DeviceID
    /// What people call it.
    private let device: String
    private var kept: [(item: ItemID, wasDeletedHere: Bool)] = []
    /// The records that deleted what others had edited.
    private var conflicts: [ItemID: Dot] = [:]

    init(_ parts: DriveParts, of journal: DeviceID, own: DeviceID, _ labels: DeviceLabels) {
        self.parts = parts
        self.journal = journal
        self.own = own
        device = labels.text(Dot(device: journal, n: .max))
    }

    /// Within the caller's transaction.
    mutating func note(_ known: ItemState?, _ record: ItemState, _ joined: ItemState) throws {
        guard let known else { return }
        switch (known.isWanted, record.isWanted, joined.isWanted) {
        case (true, false, false):
            if try parts.state.rows(holding: record.id).isEmpty { return }
            try Deleter(label: device, time: parts.clock.milliseconds()).note(of: record.id, in: parts.state)
        case (true, false, true):
            if record.isNewer(than: known) { kept.append((record.id, false)) }
            noteConflict(deleting: record, by: journal, known)
        case (false, true, true):
            kept.append((record.id, true))
            let deleter = known.context[own] > 0 ? own : known.context.entries.map(\.device).min() ?? own
            noteConflict(deleting: known, by: deleter, record)
        default: break
        }
    }

    private mutating func noteConflict(deleting state: ItemState, by deleter: DeviceID, _ other: ItemState) {
        guard state.kind.hasContent, other.hasEdit(unseenBy: state) else { return }
        conflicts[state.id] = Dot(device: deleter, n: state.context[deleter])
    }

    /// One sentence in the log for each delete that a change undid, once the view shows it, and a conflict where the change
    /// was an edit.
    func tell() throws {
        try keepConflicts()
        for (item, wasDeletedHere) in kept {
            guard let path = try path(of: item) else { continue }
            let note =
                wasDeletedHere
                ? "It was deleted here while \(device) changed it; the change is kept. Delete it again if nobody needs it."
                : "\(device) deleted it while it was changed here; the change is kept. Delete it again if nobody needs it."
            let time = parts.clock.milliseconds()
            try parts.log(
                DriveEvent(
                    time: time, kind: .recovered, path: path, device: wasDeletedHere ? device : nil, note: note))
        }
    }

    private func keepConflicts() throws {
        for (id, dot) in conflicts {
            guard let item = try parts.state.item(id), item.shape.isAlive else { continue }
            try parts.state.save(
                ConflictRecord(
                    item: id, dot: dot, current: item.state.heads.last?.content.hash, copy: nil, ancestor: nil,
                    kind: .deleteVersusEdit, context: item.state.context, time: parts.clock.milliseconds()))
        }
    }

    private func path(of item: ItemID) throws -> DrivePath? {
        if let row = try parts.state.rows(holding: item).first { return try parts.state.path(of: row) }
        let reader = ViewReader(parts.state)
        guard let entry = try reader.entries(showing: item).first else { return nil }
        return try reader.path(ofNode: entry.node, limit: DrivePath.deepest)?.appending(entry.name)
    }
}

extension ItemState {
    fileprivate func hasEdit(unseenBy other: ItemState) -> Bool {
        heads.contains { $0.mark.isEmpty && $0.dot.n > other.context[$0.dot.device] }
    }

    /// It is of somebody who has written to the item since.
    fileprivate func isNewer(than known: ItemState) -> Bool { known.joined(self) != known }
}
