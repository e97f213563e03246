import DriveCore

// A: files that the view does not want.
extension Applier {
    mutating func removeFiles() throws {
        let files = try matching.removals(parts.state).files
        let held = try braked(files)
        var returning: [Row] = []
        for row in files where !held.contains(row.id) {
            guard try !isIgnored(row), try runner.locator.verified(row, allowsEdit: false) != nil else {
                if row.isParked { returning.append(row) }
                passOver(row.name, "it is not as it was")
                continue
            }
            let staged = FileName("out-\(row.id.rawValue)-\(parts.entropy.nonce(8))")
            let trash = try trashEntry(for: row, reason: isStillShown(row) ? .merged : .deleted)
            batch.add(
                Intent(step: .remove(staged: staged, trash: trash), identity: row.facts.identity, row: row), bytes: 0)
            if batch.isFull { try flush() }
        }
        try flush()
        // Only now: what is removed may have had their places.
        for row in returning { try unpark(row) }
    }

    func isStillShown(_ row: Row) throws -> Bool {
        guard let hash = row.hash else { return false }
        return try row.members.contains { member in
            try ViewReader(parts.state).entries(showing: member.item).contains { $0.content?.hash == hash }
        }
    }

    /// A conflict copy whose file lives on: somebody has resolved it, perhaps with a thousand others, and no item is deleted.
    func isEndedConflict(_ row: Row) throws -> Bool {
        guard row.isDerived else { return false }
        return try row.members.allSatisfy { try parts.state.item($0.item)?.shape.isAlive ?? false }
    }

    /// Deletes by others that are held: too many at once, or held before and not decided about yet.
    mutating func braked(_ files: [Row]) throws -> Set<RowID> {
        let deletes = HeldDeletes(parts.state)
        let going = Set(try files.filter { try !isStillShown($0) && !isEndedConflict($0) }.map(\.id))
        let confirmed = try deletes.confirmed().intersection(going)
        let doubtful = going.subtracting(confirmed)
        let waiting = try deletes.incoming().intersection(doubtful)
        try deletes.settle(confirmed)
        let brake = DeleteBrake(parts, .incoming)
        let isTooMuch = try brake.holds(doubtful.count - waiting.count, of: rowsBefore, waiting: waiting.count)
        let held = isTooMuch ? doubtful : waiting
        outcome.held = held.count
        try deletes.setIncoming(held)
        return held
    }

    func isIgnored(_ row: Row) throws -> Bool {
        parts.options.ignores(try parts.state.path(of: row), row.kind == .folder)
    }

    func trashEntry(for row: Row, reason: TrashEntry.Reason) throws -> TrashEntry {
        TrashEntry(
            name: FileName("\(row.id.rawValue)-\(parts.entropy.nonce(16))"), path: try parts.state.path(of: row),
            hash: row.hash, size: row.facts.size, reason: reason, time: parts.clock.milliseconds())
    }
}
