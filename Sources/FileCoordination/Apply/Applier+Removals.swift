import DriveCore

// A: files that the view does not want.
extension Applier {
    mutating func removeFiles() throws {
        let files = try matching.removals(parts.state).files
        let deletes = IncomingDeletes(parts)
        let held = try deletes.held(among: files, of: rowsBefore)
        outcome.held = held.count
        var returning: [Row] = []
        for row in files where !held.contains(row.id) {
            guard try !isIgnored(row), try runner.locator.verified(row, allowsEdit: false) != nil else {
                if row.isParked { returning.append(row) }
                passOver(row.name, "it is not as it was")
                continue
            }
            let staged = FileName("out-\(row.id.rawValue)-\(parts.entropy.nonce(8))")
            let trash = try trashEntry(for: row, reason: deletes.isStillShown(row) ? .merged : .deleted)
            batch.add(
                Intent(step: .remove(staged: staged, trash: trash), identity: row.facts.identity, row: row), bytes: 0)
            if batch.isFull { try flush() }
        }
        try flush()
        // Only now: what is removed may have had their places.
        for row in returning { try unpark(row) }
    }

    func isIgnored(_ row: Row) throws -> Bool {
        try !row.isDerived && parts.options.ignores(parts.state.path(of: row), row.kind == .folder)
    }

    func trashEntry(for row: Row, reason: TrashEntry.Reason) throws -> TrashEntry {
        TrashEntry(
            name: FileName("\(row.id.rawValue)-\(parts.entropy.nonce(16))"), path: try parts.state.path(of: row),
            hash: row.hash, size: row.facts.size, reason: reason, time: parts.clock.milliseconds())
    }
}
