import DriveCore

// Deletes that the brake holds.
extension Applier {
    /// Of what was deleted here, is held, and others have deleted since, there is nothing left to decide.
    mutating func settleHeld() throws {
        if try parts.state.heldRowCount() == 0 { return }
        let settled = try matching.rows.values
            .filter { row in
                try row.isHeld && !matching.isWanted(row.id) && !matching.waiting.contains(row.id)
                    && isGoneEverywhere(row)
            }
            .map { (row: $0, depth: try parts.state.chain(of: $0).count) }
            .sorted { ($1.depth, $0.row.id) < ($0.depth, $1.row.id) }
        if settled.isEmpty { return }
        try parts.state.transaction {
            // What is in a folder goes first; what stays of it needs it.
            for (row, _) in settled where try parts.state.children(of: row.id).isEmpty { try settle(row) }
        }
    }

    private func isGoneEverywhere(_ row: Row) throws -> Bool {
        try !row.isParked && row.members.allSatisfy { try parts.state.item($0.item)?.shape.isAlive == false }
    }

    private func settle(_ row: Row) throws {
        let path = try parts.state.path(of: row)
        try parts.state.remove(row.id)
        let deleter = try Deleter.take(of: row, parts.state)
        try parts.log(
            DriveEvent(
                time: parts.clock.milliseconds(), kind: .deleted, path: path, device: deleter, before: row.hash,
                attributes: row.attributesOfContent))
    }
}
