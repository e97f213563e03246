import DriveCore

extension DriveParts {
    package func log(_ event: DriveEvent) throws {
        var event = event
        event.operation = try operations.current(state, now: event.time)
        try state.log(event)
        report(.happened(event))
    }

    /// One line for each item that a scan recorded, in an order whose reverse can be gone through to undo them.
    func log(_ group: RecordGroup, _ recorder: ScanRecorder) throws {
        let now = clock.milliseconds()
        let earlier = recorder.earlierRows
        let changes = try group.records.flatMap { record in
            try gone(recorder.earlier[record.id] ?? [], now: now)
                + [change(for: record, recorder, earlier, now: now)].compactMap(\.self)
        }
        try tell(changes)
    }

    /// The same of a drive without a store, which makes no records: only rows tell there. The number of changes.
    func logRows(_ recorder: ScanRecorder) throws -> Int {
        let now = clock.milliseconds()
        let earlier = recorder.earlierRows
        let changes = try recorder.touchedRows.sorted().compactMap { id in
            try state.row(id).flatMap { row in
                let kind = recorder.made.contains(id) ? .added : earlier[id].flatMap { change(of: $0.row, to: row) }
                return try kind.map {
                    try change(
                        $0, of: row, earlier[id], at: state.path(of: row), isFolder: row.kind == .folder, now: now)
                }
            }
        }
        let all = try gone(Array(earlier.values), now: now) + changes
        try tell(all)
        return all.count
    }

    private func tell(_ changes: [LocalChange]) throws {
        let act = try changes.isEmpty ? nil : ActTrace(state, operations)
        var told: Set<DrivePath> = []
        var toldRows: Set<RowID> = []
        for change in changes.sorted(by: { $0.place < $1.place }) {
            // Equal bytes may be two items in one file, and folders of one name are one.
            if change.event.isGone, !told.insert(change.event.path).inserted { continue }
            if let row = change.row, !toldRows.insert(row).inserted { continue }
            if try !isOfAnAct(change.event, act) { try log(change.event) }
        }
    }

    /// What an act of this device did is in the log already, with its cause.
    private func isOfAnAct(_ event: DriveEvent, _ act: ActTrace?) throws -> Bool {
        let newest = try state.newestEvent(at: event.path)
        if let newest, newest.operation?.kind.isAnAct ?? false, newest.leaves(event) { return true }
        return act?.tells(of: event, newest: newest) ?? false
    }

    private struct LocalChange {
        var event: DriveEvent
        /// What it was recorded of, where that is still there.
        var row: RowID?
        /// Folders before what is in them, and what is gone before all else.
        var place: (rank: Int, depth: Int)

        init(event: DriveEvent, isFolder: Bool, row: RowID? = nil) {
            self.event = event
            self.row = row
            place.depth = max(event.path.components.count, event.from?.components.count ?? 0)
            place.rank =
                switch event.kind {
                case .deleted: 0
                case .added: isFolder ? 1 : 4
                case .moved: isFolder ? 2 : 3
                default: 5
                }
        }
    }

    /// `earlier` has what the rows of all changed items were: a copy that became a file of its own has the row of the copy.
    private func change(
        for record: ItemState, _ recorder: ScanRecorder, _ earlier: [RowID: ScanRecorder.EarlierRow], now: UInt64
    ) throws -> LocalChange? {
        let rows = try state.rows(holding: record.id)
        let row = rows.first { !$0.isDerived } ?? rows.first
        let before = row.flatMap { earlier[$0.id] }
        guard let kind = try kind(of: record, row, before), row != nil || recorder.earlier[record.id] == nil else {
            return nil
        }
        return try change(
            kind, of: row, before, at: path(of: record, row, before), isFolder: record.kind == .folder, now: now)
    }

    private func change(
        _ kind: DriveEvent.Kind, of row: Row?, _ earlier: ScanRecorder.EarlierRow?, at path: DrivePath,
        isFolder: Bool, now: UInt64
    ) throws -> LocalChange {
        var event = DriveEvent(time: now, kind: kind, path: path, before: earlier?.row.hash, after: row?.hash)
        if kind == .moved { event.from = try earlier.map(formerPath) }
        if kind == .attributes { event.attributes = earlier?.row.attributes }
        return LocalChange(event: event, isFolder: isFolder, row: row?.id)
    }

    /// What is not there any more; of an item in conflict that may be one file of several.
    private func gone(_ earlier: [ScanRecorder.EarlierRow], now: UInt64) throws -> [LocalChange] {
        try earlier.compactMap { earlier in
            guard try state.row(earlier.row.id) == nil else { return nil }
            let event = DriveEvent(time: now, kind: .deleted, path: earlier.path, before: earlier.row.hash)
            return LocalChange(event: event, isFolder: earlier.row.kind == .folder)
        }
    }

    private func path(of record: ItemState, _ row: Row?, _ earlier: ScanRecorder.EarlierRow?) throws -> DrivePath {
        try row.map { try state.path(of: $0) } ?? earlier?.path
            ?? ViewReader(state).path(ofNode: record.parent)?.appending(record.name.value)
            ?? DrivePath([record.name.value])
    }

    /// Where the item was, beneath where its folder is now: that one may have been moved as well.
    private func formerPath(_ earlier: ScanRecorder.EarlierRow) throws -> DrivePath {
        guard let folder = try state.row(earlier.row.parent) else { return earlier.path }
        return try state.path(of: folder).appending(earlier.row.name)
    }

    /// Nil for what is no change to people.
    private func kind(
        of record: ItemState, _ row: Row?, _ earlier: ScanRecorder.EarlierRow?
    ) throws -> DriveEvent.Kind? {
        guard let row else { return .deleted }
        let device = try state.numbers().device
        let own = Dot(device: device, n: record.context[device])
        guard let earlier = earlier?.row else {
            // Else it only became clear where it hangs, or its bytes were stored anew.
            let isNew = record.name.tag.dot == own && record.placement.tag.dot == own
            return isNew && record.context.entries.count == 1 ? .added : nil
        }
        if let kind = change(of: earlier, to: row), kind != .attributes { return kind }
        // Else a copy of it went.
        return record.attributes.values.contains { $0.tag.dot == own } ? .attributes : nil
    }

    /// Nil where people see none.
    private func change(of earlier: Row, to row: Row) -> DriveEvent.Kind? {
        if earlier.parent != row.parent || earlier.name != row.name { return .moved }
        if earlier.hash != row.hash { return .edited }
        return earlier.attributes == row.attributes ? nil : .attributes
    }
}

extension ScanRecorder {
    fileprivate var earlierRows: [RowID: EarlierRow] {
        Dictionary(earlier.values.joined().map { ($0.row.id, $0) }) { first, _ in first }
    }
}
