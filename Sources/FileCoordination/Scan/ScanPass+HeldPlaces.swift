import DriveCore

// What has the place of something whose delete is held.
extension ScanPass {
    /// To tell others of what is new there, or was moved there, would show both: what is held would keep its name, and a person's
    /// own file would get that of a conflict copy. So nothing is said of it until the delete is decided; then the one goes, or
    /// it comes back and both are shown. Returns the sightings that wait, as they are marked now.
    func leaveHeldPlaces(
        _ sightings: inout Sightings, _ identification: Identification, only places: Range<Int>? = nil
    ) throws -> Set<Int> {
        guard parts.transport != nil, try parts.state.heldRowCount() > 0 else { return [] }
        var result: Set<Int> = []
        for place in places ?? sightings.list.indices where sightings.list[place].folderInPlace == nil {
            let sighting = sightings.list[place]
            let own = identification.rows[place]
            guard try isHeldPlace(of: sighting, own, identification, result) else { continue }
            if own != nil, sighting.kind == .folder {
                sightings.list[place].isOnItsWay = true
            } else {
                sightings.list[place].isUnsettled = true
            }
            result.insert(place)
        }
        return result
    }

    private func isHeldPlace(
        of sighting: Sighting, _ own: RowID?, _ identification: Identification, _ waiting: Set<Int>
    ) throws -> Bool {
        guard let folder = identification.row(sighting.folder) else {
            // In a new folder, which waits or not.
            if case .sighting(let place) = sighting.folder { return waiting.contains(place) }
            return false
        }
        return try parts.state.glances(in: folder, named: sighting.name).contains { $0.isHeld && $0.id != own }
    }
}
