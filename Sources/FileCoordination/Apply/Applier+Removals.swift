import DriveCore

// A: files that the view does not want.
extension Applier {
    mutating func removeFiles() throws {
        let files = try matching.removals(parts.state).files + crowdedOut()
        let deletes = IncomingDeletes(parts)
        let held = try deletes.held(among: files, of: rowsBefore)
        outcome.held = held.count
        var returning: [Row] = []
        // A rule never deletes anything, and what it hides is not waited for.
        for row in try files.filter({ try !held.contains($0.id) && ($0.isParked || !parts.hides($0)) }) {
            try attempt(row) { applier in
                if try applier.isDenied(row) { return }
                guard try applier.canRemove(row) else {
                    if row.isParked { returning.append(row) }
                    applier.passOver(row.name, "it is not as it was")
                    return
                }
                guard try !applier.waitsForWriter(of: row) else { return }
                let staged = FileName("out-\(row.id.rawValue)-\(applier.parts.entropy.nonce(8))")
                let trash = try applier.trashEntry(for: row, reason: deletes.isStillShown(row) ? .merged : .deleted)
                applier.batch.add(
                    Intent(step: .remove(staged: staged, trash: trash), identity: row.facts.identity, row: row),
                    bytes: 0)
                if applier.batch.isFull { try applier.flush() }
            }
        }
        try flush()
        try deletes.settle()
        // Only now: what is removed may have had their places.
        for row in returning { try attempt(row) { try $0.unpark(row) } }
    }

    private mutating func canRemove(_ row: Row) throws -> Bool {
        try !parts.hides(row) && runner.locator.verified(row, allowsEdit: false) != nil
    }

    /// Whether a program has the file open for writing, and is given time to close it: what it writes from then on would go into
    /// a file in the trash.
    mutating func waitsForWriter(of row: Row) throws -> Bool {
        guard row.kind == .file, !row.isParked, let (folder, name) = try runner.locator.place(of: row) else {
            return false
        }
        let path = try parts.state.path(of: row)
        guard !parts.options.mayReplace(name, folder, path) else { return false }
        outcome.obstacles.append(Obstacle(path, .openForWriting))
        outcome.inUse += 1
        return true
    }

    /// What fails for one item alone, such as one in a folder that may not be entered, is noted, and the rest goes on.
    mutating func attempt(_ row: Row, _ body: (inout Applier) throws -> Void) throws {
        do { try body(&self) } catch let error as DriveError where !isMidStep && error.remedy == .skip {
            note(try parts.state.path(of: row), error)
        }
    }

    func trashEntry(for row: Row, reason: TrashEntry.Reason) throws -> TrashEntry {
        TrashEntry(
            name: FileName("\(row.id.rawValue)-\(parts.entropy.nonce(16))"), path: try parts.state.path(of: row),
            hash: row.hash, size: row.facts.size, reason: reason, time: parts.clock.milliseconds())
    }
}
