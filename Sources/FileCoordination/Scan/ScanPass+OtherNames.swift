import DriveCore

// A file with several names (hard links) changes under all of them; who watches hears of the one that it was opened by.
extension ScanPass {
    /// Has the other names of files that are not where they were looked at next, where these tell of something that was written before
    /// the name went, by which alone it was heard of. To be asked before the names are forgotten.
    func noteNamesOfLost(_ sightings: Sightings, _ outcome: inout Outcome) throws {
        guard scope != nil else { return }
        for id in sightings.loose.sorted() {
            guard let lost = try parts.state.row(id), lost.kind == .file else { continue }
            for row in try parts.state.rows(identity: lost.facts.identity) where !sightings.loose.contains(row.id) {
                if try row.isParked || row.isHeld || parts.hides(row) { continue }
                let above = try parts.state.path(of: row).parent
                guard let folder = try parts.files.open(path: above),
                    let facts = try parts.files.look(at: row.name, in: folder),
                    facts.size != row.facts.size || facts.modified != row.facts.modified
                else { continue }
                outcome.unsettled.insert(row.name, in: above)
                outcome.hasVanished = true
            }
        }
    }

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
