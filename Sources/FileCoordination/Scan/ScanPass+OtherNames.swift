import DriveCore

// A file with several names (hard links) changes under all of them; who watches hears of the one that it was opened by.
extension ScanPass {
    /// Has the other names of what was found looked at next, where their rows tell something else.
    func noteOtherNames(_ sightings: Sightings, _ identification: Identification, _ outcome: inout Outcome) throws {
        // A look at everything has seen them.
        guard scope != nil else { return }
        for (place, sighting) in sightings.list.enumerated() where sighting.facts.kind == .file {
            guard let own = identification.rows[place] else { continue }
            for row in try parts.state.rows(identity: sighting.facts.identity) where row.id != own {
                if row.isParked || row.isHeld || row.facts.looksUnchanged(since: sighting.facts) { continue }
                // No look finds what a rule hides, nor that it was moved from there.
                if try parts.hides(row) { continue }
                outcome.unsettled.insert(row.name, in: try parts.state.path(of: row).parent)
                outcome.hasVanished = true
            }
        }
    }
}
