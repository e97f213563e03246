import DriveCore

extension DriveParts {
    package func log(_ event: DriveEvent) throws {
        var event = event
        event.operation = try operations.current(state, now: event.time)
        if let operation = event.operation { try UnseenActs(state: state).note(operation) }
        try state.log(event)
        // On a full disk it may be taken back, and found again at each try.
        state.whenCommitted { [report, event] in report(.happened(event)) }
    }

    /// What happened to each item that a scan recorded, in an order whose reverse can be gone through to undo it.
    func log(_ group: RecordGroup, _ recorder: ScanRecorder) throws {
        let now = clock.milliseconds()
        let earlier = recorder.earlierRows
        let recorded = try group.records.flatMap { record in
            try gone(recorder.earlier[record.id] ?? [], now: now) + changes(for: record, recorder, earlier, now: now)
        }
        // What others had deleted with a folder that came back goes with that once more, and its record stays as it is.
        try tell(recorded + gone(earlier.values.sorted { $0.row.id < $1.row.id }, now: now))
    }

    /// The same of a drive without a store, which makes no records: only rows tell there. The number of changes.
    func logRows(_ recorder: ScanRecorder) throws -> Int {
        let now = clock.milliseconds()
        let earlier = recorder.earlierRows
        let changes = try recorder.touchedRows.sorted().flatMap { id in
            try state.row(id).map { row in
                try self.changes(of: row, earlier[id]?.row, isNew: recorder.made.contains(id), now: now)
            } ?? []
        }
        let all = try gone(Array(earlier.values), now: now) + changes
        try tell(all)
        return Set(all.map(\.row)).count
    }

    private func tell(_ changes: [LocalChange]) throws {
        let unseen = try changes.isEmpty ? nil : UnseenActs(state: state).first()
        let act = try unseen.flatMap { try ActTrace(state, operations, since: $0) }
        var told: Set<DrivePath> = []
        var toldRows: Set<ToldChange> = []
        // What an act gave what it brought back, it has told of.
        var broughtBack: Set<DrivePath> = []
        var departures: ActDepartures?
        // Equal bytes may be two items in one file, and folders of one name are one.
        var order = ChangeOrder(
            changes.filter { change in
                change.row.map { toldRows.insert(ToldChange(row: $0, kind: change.event.kind)).inserted } ?? true
            }, state)
        for change in try order.inOrder() {
            if change.event.isGone, !told.insert(change.event.path).inserted { continue }
            var whole = change.event
            if !whole.isGone { whole.after = change.content }
            if let unseen {
                if try isOfAnAct(whole, since: unseen, act) {
                    guard try isUntoldMove(whole, since: unseen, &departures) else { continue }
                    broughtBack.insert(whole.path)
                } else if whole.kind == .attributes, broughtBack.contains(whole.path) {
                    continue
                }
            }
            try log(change.event)
        }
    }

    private struct ToldChange: Hashable {
        var row: RowID
        var kind: DriveEvent.Kind
    }

    /// What an act of this device did is in the log already, with its cause.
    private func isOfAnAct(_ event: DriveEvent, since unseen: UInt64, _ act: ActTrace?) throws -> Bool {
        let newest = try state.newestEvent(at: event.path)
        if let newest, let last = newest.operation, last.kind.isAnAct, last.id >= unseen, newest.leaves(event) {
            return act?.hasLeft(event.path, since: newest) != true
        }
        return try act?.tells(of: event, newest: newest) ?? false
    }

    /// An act has brought back there what somebody had removed elsewhere, and no look had missed yet: that it is the same item, which
    /// left that place, only this look tells.
    private func isUntoldMove(
        _ event: DriveEvent, since unseen: UInt64, _ departures: inout ActDepartures?
    ) throws -> Bool {
        guard let from = event.from, let newest = try state.newestEvent(at: event.path), newest.kind == .added,
            newest.operation?.kind.isAnAct == true
        else { return false }
        let known = try departures ?? ActDepartures(state, since: unseen)
        departures = known
        return !known.tell(of: from)
    }

    /// `earlier` has what the rows of all changed items were: a copy that became a file of its own has the row of the copy.
    private func changes(
        for record: ItemState, _ recorder: ScanRecorder, _ earlier: [RowID: ScanRecorder.EarlierRow], now: UInt64
    ) throws -> [LocalChange] {
        let rows = try state.rows(holding: record.id)
        guard let row = rows.first(where: { !$0.isDerived }) ?? rows.first else {
            guard recorder.earlier[record.id] == nil else { return [] }
            let path =
                try ViewReader(state).path(ofNode: record.parent)?.appending(record.name.value)
                ?? DrivePath([record.name.value])
            let event = DriveEvent(time: now, kind: .deleted, path: path)
            return [LocalChange(event: event, isFolder: record.kind == .folder)]
        }
        let device = try state.numbers().device
        let own = Dot(device: device, n: record.context[device])
        // Else it only became clear where it hangs, or its bytes were stored anew.
        let isNew =
            record.name.tag.dot == own && record.placement.tag.dot == own && record.context.entries.count == 1
        let found = try changes(of: row, earlier[row.id]?.row, isNew: isNew, now: now)
        // Else a copy of it went.
        let hasOwnAttributes = record.attributes.values.contains { $0.tag.dot == own }
        return hasOwnAttributes ? found : found.filter { $0.event.kind != .attributes }
    }

    /// What people see: first that it moved, then what was done to it there.
    private func changes(of row: Row, _ earlier: Row?, isNew: Bool, now: UInt64) throws -> [LocalChange] {
        let path = try state.path(of: row)
        func change(_ kind: DriveEvent.Kind, _ before: ContentHash?, _ after: ContentHash?) -> LocalChange {
            LocalChange(
                event: DriveEvent(time: now, kind: kind, path: path, before: before, after: after),
                isFolder: row.kind == .folder, row: row.id, content: row.hash, before: (earlier ?? row).place,
                now: row.place)
        }
        guard let earlier else {
            guard isNew else { return [] }
            var made = change(.added, nil, row.hash)
            made.before = nil
            return [made]
        }
        var result: [LocalChange] = []
        if earlier.place != row.place {
            var moved = change(.moved, earlier.hash, earlier.hash)
            moved.event.from = try state.row(earlier.parent).map { try state.path(of: $0).appending(earlier.name) }
            result.append(moved)
        }
        // What happened to it happened where it is.
        func inPlace(_ kind: DriveEvent.Kind, _ before: ContentHash?, _ after: ContentHash?) -> LocalChange {
            var change = change(kind, before, after)
            change.before = change.now
            return change
        }
        if earlier.hash != row.hash {
            var edited = inPlace(.edited, earlier.hash, row.hash)
            edited.event.attributes = earlier.attributes
            result.append(edited)
        }
        if row.attributes.differs(from: earlier.attributes, isEdited: earlier.hash != row.hash) {
            var attributes = inPlace(.attributes, row.hash, row.hash)
            attributes.event.attributes = earlier.attributes
            result.append(attributes)
        }
        return result
    }

    /// What is not there any more; of an item in conflict that may be one file of several.
    private func gone(_ earlier: [ScanRecorder.EarlierRow], now: UInt64) throws -> [LocalChange] {
        try earlier.compactMap { earlier in
            guard try state.row(earlier.row.id) == nil else { return nil }
            let event = DriveEvent(
                time: now, kind: .deleted, path: earlier.path, before: earlier.row.hash,
                attributes: earlier.row.attributesOfContent)
            return LocalChange(
                event: event, isFolder: earlier.row.kind == .folder, row: earlier.row.id, before: earlier.row.place)
        }
    }
}

extension Row {
    fileprivate var place: LocalChange.Place { LocalChange.Place(self) }

    /// Nil for a folder.
    package var attributesOfContent: Attributes? { hash == nil ? nil : attributes }
}

extension Attributes {
    /// Of what was edited the date is another one anyway.
    fileprivate func differs(from earlier: Attributes, isEdited: Bool) -> Bool {
        isEdited ? isExecutable != earlier.isExecutable || extended != earlier.extended : self != earlier
    }
}

extension ScanRecorder {
    fileprivate var earlierRows: [RowID: EarlierRow] {
        Dictionary(earlier.values.joined().map { ($0.row.id, $0) }) { first, _ in first }
    }
}
