import DriveCore

/// What the records of one journal do to the lives of items: who deleted what, and where a delete and an edit met. No record
/// says so afterwards, because what lost is superseded.
struct LifeNotes {
    let parts: DriveParts
    /// Whose journal it is.
    let device: String
    private var kept: [(item: ItemID, wasDeletedHere: Bool)] = []

    init(_ parts: DriveParts, device: String) {
        self.parts = parts
        self.device = device
    }

    /// Within the caller's transaction.
    mutating func note(_ known: ItemState?, _ record: ItemState, _ joined: ItemState) throws {
        guard let known else { return }
        switch (known.isWanted, record.isWanted, joined.isWanted) {
        case (true, false, false):
            if try parts.state.rows(holding: record.id).isEmpty { return }
            try parts.state.setSetting(Array(device.utf8), Self.key(record.id))
        case (true, false, true): if record.isNewer(than: known) { kept.append((record.id, false)) }
        case (false, true, true): kept.append((record.id, true))
        default: break
        }
    }

    /// One sentence in the log for each delete that an edit undid, once the view shows it.
    func tell() throws {
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

    private func path(of item: ItemID) throws -> DrivePath? {
        if let row = try parts.state.rows(holding: item).first { return try parts.state.path(of: row) }
        let reader = ViewReader(parts.state)
        guard let entry = try reader.entries(showing: item).first else { return nil }
        return try reader.path(ofNode: entry.node, limit: DrivePath.deepest)?.appending(entry.name)
    }

    /// Who deleted what a row stands for; forgotten with the answer.
    static func takeDeleter(of row: Row, _ state: any DriveState) throws -> String? {
        for member in row.members {
            guard let label = try state.setting(key(member.item)) else { continue }
            try state.setSetting(nil, key(member.item))
            return String(decoding: label, as: UTF8.self)
        }
        return nil
    }

    private static func key(_ item: ItemID) -> String { "deleted-by/\(item)" }
}

extension ItemState {
    /// It is of somebody who has written to the item since.
    fileprivate func isNewer(than known: ItemState) -> Bool { known.joined(self) != known }
}
