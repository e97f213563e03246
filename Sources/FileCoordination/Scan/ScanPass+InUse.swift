import DriveCore

// What somebody is writing, who tells when that ends.
extension ScanPass {
    /// What has left a place that somebody is writing may be a copy that is kept until the new one is whole, or be back in a
    /// moment: nothing is said of where it is.
    func leaveMoved(
        _ sightings: inout Sightings, _ identification: Identification, _ places: [WalkPlace], _ outcome: inout Outcome
    ) throws -> Set<Int> {
        guard parts.transport != nil, let claims = parts.claims, claims.isAnybodyThere else { return [] }
        var result: Set<Int> = []
        for (place, id) in identification.rows {
            guard let row = try parts.state.row(id), !row.isParked, let name = places[place].path.name else { continue }
            // What is in a folder that moves stays where it is in it.
            guard row.name != name || row.parent != identification.row(sightings.list[place].folder) else { continue }
            let (now, before) = (places[place].path, try parts.state.path(of: row))
            guard claims.isBeingWritten(before, orSeenAt: now) else { continue }
            if sightings.list[place].kind == .folder {
                sightings.list[place].isOnItsWay = true
            } else {
                sightings.list[place].withhold()
            }
            result.insert(place)
            for path in [now, before] { noteUse(of: path, &outcome) }
        }
        return result
    }

    /// Of what vanished the rows of what somebody is writing, and of the folders around.
    func inUse(_ vanished: Set<RowID>, _ outcome: inout Outcome) throws -> Set<RowID> {
        guard !vanished.isEmpty, parts.transport != nil, let claims = parts.claims, claims.isAnybodyThere else {
            return []
        }
        var found: Set<RowID> = []
        for id in vanished {
            guard let row = try parts.state.row(id) else { continue }
            let path = try parts.state.path(of: row)
            guard claims.isBeingWritten(path) else { continue }
            noteUse(of: path, &outcome)
            found.formUnion(try parts.state.chain(of: row).map(\.id))
        }
        return found
    }

    func noteUse(of path: DrivePath, _ outcome: inout Outcome) {
        outcome.isInUse = true
        outcome.used.append(path)
        outcome.obstacles.append(Obstacle(path, .inUse))
        parts.report(.passedOver(path.name ?? FileName("."), "somebody is writing it"))
    }
}
