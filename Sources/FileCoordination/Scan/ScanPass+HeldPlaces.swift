import DriveCore

// What has the place of something that stays recorded there.
extension ScanPass {
    /// To tell others of what is new there, or was moved there, would show both: what was there first would keep its name, and a
    /// person's own file would get that of a conflict copy. So nothing is said of it, nor of what has its own place, until the
    /// first is recorded, or its held delete is decided. `staying` are rows of what is not seen where it was, and of which nothing
    /// is recorded this time; what is held is one of them. Returns the sightings that wait, as they are marked now.
    func leaveTakenPlaces(
        _ sightings: inout Sightings, _ identification: Identification, staying first: Set<RowID> = [],
        only places: Range<Int>? = nil
    ) throws -> Set<Int> {
        guard parts.transport != nil, try !first.isEmpty || parts.state.heldRowCount() > 0 else { return [] }
        var (staying, result) = (first, Set<Int>())
        var hasMore = true
        while hasMore {
            hasMore = false
            for place in places ?? sightings.list.indices {
                let (sighting, own) = (sightings.list[place], identification.rows[place])
                guard sighting.folderInPlace == nil, !sighting.isLeft,
                    try isTaken(sighting, own, sightings, identification, staying)
                else { continue }
                if own != nil, sighting.kind == .folder {
                    sightings.list[place].isOnItsWay = true
                } else {
                    sightings.list[place].withhold()
                }
                if let own { staying.insert(own) }
                result.insert(place)
                hasMore = true
            }
        }
        return result
    }

    private func isTaken(
        _ sighting: Sighting, _ own: RowID?, _ sightings: Sightings, _ identification: Identification,
        _ staying: Set<RowID>
    ) throws -> Bool {
        guard let folder = identification.row(sighting.folder) else {
            // In a new folder, which waits or not.
            if case .sighting(let place) = sighting.folder { return sightings.list[place].isLeft }
            return false
        }
        return try parts.state.glances(in: folder, named: sighting.name).contains { row in
            row.id != own && (row.isHeld || staying.contains(row.id))
        }
    }

    /// Leaves what has the place of anything of which nothing is recorded this time. Returns the sightings that wait for what the
    /// next looks may find, not for a decision, and of what vanished what may be recorded all the same.
    func leaveTakenPlaces(
        _ sightings: inout Sightings, _ identification: Identification, _ found: Set<RowID>, only places: Range<Int>
    ) throws -> (waiting: Set<Int>, vanished: Set<RowID>) {
        var (waiting, vanished) = (Set<Int>(), found)
        if try !leaveTakenPlaces(&sightings, identification, only: places).isEmpty {
            vanished = try unneeded(vanished, by: sightings, identification)
        }
        while true {
            let staying = stayingRows(sightings, identification, vanished)
            let more = try leaveTakenPlaces(&sightings, identification, staying: staying, only: places)
            if more.isEmpty { return (waiting, vanished) }
            waiting.formUnion(more)
            vanished = try unneeded(vanished, by: sightings, identification)
        }
    }

    private func stayingRows(
        _ sightings: Sightings, _ identification: Identification, _ vanished: Set<RowID>
    ) -> Set<RowID> {
        var staying = identification.vanished.subtracting(vanished)
        for (place, id) in identification.rows where sightings.list[place].isLeft { staying.insert(id) }
        return staying
    }

    /// Who was moved unread goes on with what it held; where nobody here knows that any more, it waits.
    func leaveUnknown(_ sightings: inout Sightings, _ identification: Identification) throws {
        for (place, id) in identification.rows where sightings.list[place].isUnsettled {
            guard let row = try parts.state.row(id), !row.primary.isMain else { continue }
            let heads = try parts.state.item(row.primary.item)?.state.heads ?? []
            if !heads.contains(where: { row.primary.dots.contains($0.dot) }) { sightings.list[place].withhold() }
        }
    }
}
