import DriveCore

// What is here already, before anything is fetched.
extension Applier {
    /// Of things that change places some wait aside for a moment, where no person sees them. Between the two halves nothing is
    /// asked of a store, which may be away or slow: first all moves, and the folders that something is moved into.
    mutating func bringAhead() async throws {
        guard matching.entries.contains(where: isMisplaced) else { return }
        let left = runner.left
        isAhead = true
        defer { isAhead = false }
        for entry in matching.entries where isMisplaced(entry) || goals.contains(entry.primary.item) {
            try await bring(entry)
        }
        try flush()
        runner.left = left
    }

    /// What waits aside since a process died goes to where the view that is known has it, and what has its place there to its own;
    /// nothing else happens. Nothing more is put aside for that, since nobody knows when it could come back.
    mutating func bringParked() async throws -> ApplyOutcome {
        goals = try findGoals()
        parksNothing = true
        defer { parksNothing = false }
        var moved: Int
        repeat {
            moved = outcome.moved
            try await bringAhead()
        } while outcome.moved > moved
        try acknowledge()
        return outcome
    }

    private func isMisplaced(_ entry: ViewEntry) -> Bool {
        guard let id = matching.row(for: entry), let row = matching.rows[id] else { return false }
        return row.isParked || row.name != entry.name || matching.folder(ofNode: entry.node) != row.parent
    }
}
