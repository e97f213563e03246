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
        let changes = try group.records.flatMap { record in
            try gone(of: record, recorder, now: now) + [change(for: record, recorder, now: now)].compactMap(\.self)
        }
        var told: Set<DrivePath> = []
        for change in changes.sorted(by: { $0.place < $1.place }) {
            // Equal bytes may be two items in one file.
            if change.event.isGone, !told.insert(change.event.path).inserted { continue }
            if try !isOfAnAct(change.event) { try log(change.event) }
        }
    }

    /// What an act of this device did is in the log already, with its cause.
    private func isOfAnAct(_ event: DriveEvent) throws -> Bool {
        guard let newest = try state.newestEvent(at: event.path), let cause = newest.operation?.kind, cause.isAnAct
        else { return false }
        return newest.after == event.after && newest.isGone == event.isGone
    }

    private struct LocalChange {
        var event: DriveEvent
        /// Folders before what is in them, and what is gone before all else.
        var place: (rank: Int, depth: Int)

        init(event: DriveEvent, isFolder: Bool) {
            self.event = event
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

    private func change(for record: ItemState, _ recorder: ScanRecorder, now: UInt64) throws -> LocalChange? {
        let rows = try state.rows(holding: record.id)
        let row = rows.first { !$0.isDerived } ?? rows.first
        let known = recorder.earlier[record.id] ?? []
        guard let kind = try kind(of: record, row), row != nil || known.isEmpty else { return nil }
        let earlier = known.first { $0.row.id == row?.id }
        var event = DriveEvent(time: now, kind: kind, path: try path(of: record, row, earlier))
        event.before = earlier?.row.hash
        event.after = row?.hash
        if kind == .moved { event.from = try earlier.map(formerPath) }
        if kind == .attributes { event.attributes = earlier?.row.attributes }
        return LocalChange(event: event, isFolder: record.kind == .folder)
    }

    /// What is not there any more; of an item in conflict that may be one file of several.
    private func gone(of record: ItemState, _ recorder: ScanRecorder, now: UInt64) throws -> [LocalChange] {
        try (recorder.earlier[record.id] ?? []).compactMap { earlier in
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
    private func kind(of record: ItemState, _ row: Row?) throws -> DriveEvent.Kind? {
        let device = try state.numbers().device
        let own = Dot(device: device, n: record.context[device])
        if row == nil { return .deleted }
        let isNew = record.context.entries.count == 1 && record.name.tag.dot == own && record.placement.tag.dot == own
        if isNew { return .added }
        if record.name.tag.dot == own || record.placement.tag.dot == own { return .moved }
        if record.heads.contains(where: { $0.dot == own }) { return .edited }
        // Else a copy of it went, or its bytes were stored anew.
        return record.attributes.values.contains { $0.tag.dot == own } ? .attributes : nil
    }
}
