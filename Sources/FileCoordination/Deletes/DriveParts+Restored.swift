public import DriveCore

extension DriveParts {
    /// Takes held deletes back, on all devices: what was deleted here gets records that no delete wins over which did not see them,
    /// and comes again; what was deleted elsewhere is sent as new. Within the caller's transaction.
    public func restoreHeld(_ rows: Set<RowID>) throws {
        let own = try held(in: rows)
        for start in stride(from: 0, to: own.count, by: options.groupRecords) {
            try record(kept: own[start..<min(own.count, start + options.groupRecords)])
        }
        try HeldDeletes(state).restore(rows)
        try checkView()
    }

    /// What was deleted here, each once: a folder and what is in it may both be named.
    private func held(in rows: Set<RowID>) throws -> [Row] {
        var found: [RowID: Row] = [:]
        for row in try rows.compactMap(state.row) {
            for part in try state.subtree(of: row) where part.isHeld { found[part.id] = part }
        }
        return found.values.sorted { $0.id < $1.id }
    }

    private func record(kept rows: ArraySlice<Row>) throws {
        let sightings = Sightings()
        var recorder = ScanRecorder(
            state, sightings: sightings, identification: try Identification(sightings, state), vanished: [],
            entropy: entropy, makesRecords: transport != nil, places: 0..<0)
        for row in rows { try recorder.keep(row) }
        var numbers = try state.numbers()
        guard let group = try recorder.record(&numbers, now: clock.milliseconds()) else { return }
        try state.setNumbers(numbers)
        try state.addPending(group)
        try noteOwn(group, numbers.device)
        try options.notesUnsent(group, state)
    }
}
