import DriveCore

extension DriveParts {
    func log(_ event: DriveEvent) throws {
        try state.log(event)
        report(.happened(event))
    }

    /// One line for each item that a scan recorded.
    func log(_ group: RecordGroup, _ recorder: ScanRecorder) throws {
        let now = clock.milliseconds()
        for record in group.records {
            guard let event = try event(for: record, now: now) else { continue }
            try log(event)
        }
    }

    private func event(for record: ItemState, now: UInt64) throws -> DriveEvent? {
        let device = try state.numbers().device
        let own = Dot(device: device, n: record.context[device])
        let row = try state.rows(holding: record.id).first
        let path =
            try row.map { try state.path(of: $0) }
            ?? ViewReader(state).path(ofNode: record.parent)?.appending(record.name.value)
            ?? DrivePath([record.name.value])
        if row == nil { return DriveEvent(time: now, kind: .deleted, path: path) }
        let isNew = record.context.entries.count == 1 && record.name.tag.dot == own && record.placement.tag.dot == own
        if isNew { return DriveEvent(time: now, kind: .added, path: path) }
        if record.name.tag.dot == own || record.placement.tag.dot == own {
            return DriveEvent(time: now, kind: .moved, path: path)
        }
        if record.heads.contains(where: { $0.dot == own }) { return DriveEvent(time: now, kind: .edited, path: path) }
        let isOnlyStoredAgain =
            record.heads.contains { $0.content.storedAgain?.dot == own }
            && !record.attributes.values.contains { $0.tag.dot == own }
        if isOnlyStoredAgain { return nil }
        return DriveEvent(time: now, kind: .attributes, path: path)
    }
}
