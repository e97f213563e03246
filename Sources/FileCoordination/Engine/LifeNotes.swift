import DriveCore

/// What the records of one journal do to the lives of items: who deleted what, and where a delete and an edit met. No record
/// says so afterwards, because what lost is superseded. A delete against an edit is a conflict until somebody changes the item.
struct LifeNotes {
    private let parts: DriveParts
    /// Whose journal it is, and who reads it.
    private let journal: DeviceID
    private let own: DeviceID
    private let labels: DeviceLabels
    private var kept: [Kept] = []
    private var restored: Set<ItemID>?
    /// What others had edited.
    private var conflicts: [ItemID: Deleted] = [:]

    init(_ parts: DriveParts, of journal: DeviceID, own: DeviceID, _ labels: DeviceLabels) {
        self.parts = parts
        self.journal = journal
        self.own = own
        self.labels = labels
    }

    /// A delete that a change undid, and by whom both were; this device may be neither.
    private struct Kept {
        var item: ItemID
        /// Nil where the records do not tell: whoever changed it knew of the delete.
        var deleter: DeviceID?
        var changer: DeviceID
        /// It said that it is wanted, and changed nothing of it.
        var isOnlyKept: Bool
    }

    /// By whom, as in `Kept`, and all that was known then.
    private struct Deleted {
        var by: DeviceID?
        var context: DeviceVector
    }

    /// Its delete was held here and taken back. They are read once for a journal, which may have very many deletes.
    private mutating func isOnItsWayBack(_ item: ItemID) throws -> Bool {
        let known = try restored ?? RestoredDeletes(parts.state).items()
        restored = known
        return known.contains(item)
    }

    /// Within the caller's transaction.
    mutating func note(_ known: ItemState?, _ record: ItemState, _ joined: ItemState) throws {
        guard let known else { return }
        if joined.isWanted { try noteContents(gone: known, joined) }
        switch (known.isWanted, record.isWanted, joined.isWanted) {
        case (true, false, false):
            if try parts.state.rows(holding: record.id).isEmpty && !isOnItsWayBack(record.id) { return }
            try Deleter(label: name(journal), time: parts.clock.milliseconds()).note(of: record.id, in: parts.state)
        case (true, false, true):
            if record.isNewer(than: known) {
                let changer = author(of: known, unseenBy: record) ?? own
                let isOnlyKept = !known.hasChange(unseenBy: record)
                kept.append(Kept(item: record.id, deleter: journal, changer: changer, isOnlyKept: isOnlyKept))
            }
            noteConflict(deleting: record, by: journal, known)
        case (false, true, true):
            let deleter = author(of: known, unseenBy: record)
            let isOnlyKept = !record.hasChange(unseenBy: known)
            kept.append(Kept(item: record.id, deleter: deleter, changer: journal, isOnlyKept: isOnlyKept))
            noteConflict(deleting: known, by: deleter, record)
        default: break
        }
    }

    /// An item in conflict has fewer contents than before, and lives on: its copy was deleted, or the file beside a copy.
    private func noteContents(gone known: ItemState, _ joined: ItemState) throws {
        let left = joined.wantedHeads
        let gone = known.wantedHeads.subtracting(left)
        guard left.count < known.wantedHeads.count else { return }
        for row in try parts.state.rows(holding: known.id) {
            for dot in row.members.flatMap(\.dots) where gone.contains(dot) {
                let deleter = Deleter(label: name(journal), time: parts.clock.milliseconds())
                try deleter.note(of: known.id, dot, in: parts.state)
            }
        }
    }

    /// Who wrote what of a state another does not know: this device where it is one of them.
    private func author(of state: ItemState, unseenBy other: ItemState) -> DeviceID? {
        let authors = state.context.entries.filter { $0.n > other.context[$0.device] }.map(\.device)
        return authors.contains(own) ? own : authors.min()
    }

    private func name(_ device: DeviceID) -> String { labels.text(Dot(device: device, n: .max)) }

    private mutating func noteConflict(deleting state: ItemState, by deleter: DeviceID?, _ other: ItemState) {
        guard state.kind.hasContent, other.hasEdit(unseenBy: state) else { return }
        conflicts[state.id] = Deleted(by: deleter, context: state.context)
    }

    /// As the log has it.
    private func lastDeleter(at path: DrivePath, _ context: DeviceVector) throws -> DeviceID {
        guard let event = try parts.state.newestEvent(at: path), event.kind == .deleted || event.kind == .trashed,
            let label = event.device
        else { return own }
        return context.entries.map(\.device).first { name($0) == label } ?? own
    }

    /// One sentence in the log for each delete that a change undid, once the view shows it, and a conflict where the change
    /// was an edit.
    func tell() throws {
        try keepConflicts()
        for var kept in kept {
            guard let path = try path(of: kept.item) else { continue }
            if kept.deleter == nil, let item = try parts.state.item(kept.item) {
                kept.deleter = try lastDeleter(at: path, item.state.context)
            }
            try parts.log(
                DriveEvent(
                    time: parts.clock.milliseconds(), kind: .recovered, path: path,
                    device: kept.changer == own ? nil : name(kept.changer), note: sentence(on: kept)))
        }
    }

    private func sentence(on kept: Kept) -> String {
        let deleter = kept.deleter ?? own
        let deleted = deleter == own ? "It was deleted here" : "\(name(deleter)) deleted it"
        let verb = kept.isOnlyKept ? "kept" : "changed"
        let changed = kept.changer == own ? "it was \(verb) here" : "\(name(kept.changer)) \(verb) it"
        let outcome = kept.isOnlyKept ? "it stays" : "the change is kept"
        return "\(deleted) while \(changed); \(outcome). Delete it again if nobody needs it."
    }

    private func keepConflicts() throws {
        for (id, deleted) in conflicts {
            guard let item = try parts.state.item(id), item.shape.isAlive else { continue }
            let deleter = try deleted.by ?? path(of: id).map { try lastDeleter(at: $0, deleted.context) } ?? own
            let dot = Dot(device: deleter, n: deleted.context[deleter])
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
    fileprivate var wantedHeads: Set<Dot> { Set(heads.filter(\.mark.isEmpty).map(\.dot)) }

    fileprivate func hasEdit(unseenBy other: ItemState) -> Bool {
        heads.contains { $0.mark.isEmpty && $0.dot.n > other.context[$0.dot.device] }
    }

    /// Besides that it is wanted: where a delete of a file or of what is around it was taken back, or its folder is called something
    /// else, nothing of the item is.
    fileprivate func hasChange(unseenBy other: ItemState) -> Bool {
        func isUnseen(_ dot: Dot) -> Bool { dot.n > other.context[dot.device] }
        return isUnseen(name.tag.dot) || isUnseen(placement.tag.dot) || heads.contains { isUnseen($0.dot) }
            || attributes.values.contains { isUnseen($0.tag.dot) }
    }

    /// It is of somebody who has written to the item since.
    fileprivate func isNewer(than known: ItemState) -> Bool { known.joined(self) != known }
}
