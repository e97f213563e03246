import DriveCore

// What of all that vanished is recorded as deleted.
extension ScanPass {
    /// What vanished, less what somebody is writing, who may bring it back, and less the folders that a file came out of
    /// about which nothing can be said yet: its row still needs them, and the rest in them goes with them or not at all.
    func decidable(
        _ sightings: Sightings, _ identification: Identification, _ outcome: inout Outcome
    ) throws -> Set<RowID> {
        let vanished = identification.vanished
        let left = try inUse(vanished, &outcome).union(unread(vanished, sightings, identification))
        return try unneeded(vanished, by: sightings, identification, besides: left)
    }

    /// Of what vanished the rows of files that were not read, and the folders around them: where files have no birth time, only
    /// their bytes will tell whether they were moved.
    private func unread(
        _ vanished: Set<RowID>, _ sightings: Sightings, _ identification: Identification
    ) throws -> Set<RowID> {
        var found: Set<RowID> = []
        if vanished.isEmpty { return found }
        for (place, sighting) in sightings.list.enumerated()
        where sighting.isUnsettled && identification.rows[place] == nil && sighting.facts.identity.birth == nil {
            for row in try parts.state.rows(identity: sighting.facts.identity) where vanished.contains(row.id) {
                found.formUnion(try parts.state.chain(of: row).map(\.id))
            }
        }
        return found
    }

    /// Less what is above files about which nothing is said, and above what else is `needed`.
    func unneeded(
        _ vanished: Set<RowID>, by sightings: Sightings, _ identification: Identification,
        besides others: Set<RowID> = []
    ) throws -> Set<RowID> {
        var needed = others
        for (place, id) in identification.rows where sightings.list[place].isLeft {
            guard let row = try parts.state.row(id) else { continue }
            needed.formUnion(try parts.state.chain(of: row).map(\.id))
        }
        if needed.isDisjoint(with: vanished) { return vanished }
        needed.formIntersection(vanished)
        return try vanished.filter { id in
            guard let row = try parts.state.row(id) else { return false }
            return try !parts.state.chain(of: row).contains { needed.contains($0.id) }
        }
    }

    /// All that a rule hides in folders that vanished: it vanished with them, and a rule deletes nothing.
    func hidden(in vanished: Set<RowID>) throws -> Set<RowID> {
        var hidden: Set<RowID> = []
        var open = vanished.sorted()
        while let id = open.popLast() {
            guard let folder = try parts.state.row(id), folder.kind == .folder else { continue }
            for child in try parts.state.children(of: id) where !vanished.contains(child.id) && !child.isParked {
                if try parts.hides(child), hidden.insert(child.id).inserted { open.append(child.id) }
            }
        }
        return hidden
    }

    /// The deletes that may be recorded now; if there are too many, all that are new are held.
    func braked(_ vanished: Set<RowID>, _ outcome: inout Outcome) throws -> Set<RowID> {
        // Without a store nobody else can be told of a delete.
        guard !vanished.isEmpty, parts.transport != nil else { return vanished }
        let confirmed = try HeldDeletes(parts.state).confirmed().intersection(vanished)
        // Held already, and still not there: they are known, and not recorded.
        let heldCount = try parts.state.heldRowCount()
        let waiting: Set<RowID> = try heldCount == 0 ? [] : vanished.filter { try parts.state.row($0)?.isHeld ?? false }
        let doubtful = vanished.subtracting(confirmed).subtracting(waiting)
        let brake = DeleteBrake(parts, .outgoing)
        let isTooMuch = try brake.holds(doubtful, of: parts.state.rowCount(), waiting: heldCount)
        var held: Set<RowID> = isTooMuch ? doubtful : []
        held.formUnion(try folders(of: waiting.union(held), in: vanished))
        if !held.isEmpty { try parts.state.transaction { try hold(held) } }
        outcome.held = waiting.union(held).count
        return vanished.subtracting(waiting).subtracting(held)
    }

    /// A folder is known as long as it is to be decided about something in it, also where its own delete was confirmed or is one of few.
    private func folders(of held: Set<RowID>, in vanished: Set<RowID>) throws -> Set<RowID> {
        guard held.count < vanished.count else { return [] }
        var above: Set<RowID> = []
        for id in held {
            let chain = try parts.state.row(id).map(parts.state.chain(of:)) ?? []
            for folder in chain.dropLast().reversed() where !above.insert(folder.id).inserted { break }
        }
        return above.intersection(vanished)
    }

    private func hold(_ rows: Set<RowID>) throws {
        try HeldSince(parts.state).note(rows, now: parts.clock.milliseconds())
        for id in rows {
            guard var row = try parts.state.row(id) else { continue }
            row.isHeld = true
            try parts.state.save(row)
        }
    }
}
